/// One change of a class. Several in a row make an `alter`, each seeing what those before it left.
public enum ClassAlteration: Hashable, Sendable {
  /// A property behind the others; objects that are there get its default, or nil.
  case add(ClassDefinition.Property)
  /// A property with all that objects hold in it; embedded objects there are deleted.
  case drop(String)
  /// Backlinks and projections that name the property follow.
  case rename(String, to: String)
  /// The property of that name becomes what is declared here, with every value converted.
  case change(ClassDefinition.Property)
}
