/// One change of a class. An `alter` is a sequence of these; each applies to the result of the ones
/// before it.
public enum ClassAlteration: Hashable, Sendable {
  /// Appends a property; existing objects get its default, or nil.
  case add(ClassDefinition.Property)
  /// Drops a property with its values; embedded objects in it are deleted.
  case drop(String)
  /// Renames a property, also in the backlinks and projections that refer to it.
  case rename(String, to: String)
  /// Redeclares the property of that name and converts every value.
  case change(ClassDefinition.Property)
  /// Sets which objects are kept; nil for all.
  case keep(ObjectRetention?)
}
