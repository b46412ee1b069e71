/// A class of the program that a store cannot take.
public struct SchemaError: Error, Hashable, CustomStringConvertible {
  /// A full sentence with the names of the class and the property.
  public let description: String
  /// Whether the store does not have the class and can take none, so that it has no objects of it.
  let isMissingClass: Bool

  init(_ description: String, isMissingClass: Bool = false) {
    self.description = description
    self.isMissingClass = isMissingClass
  }
}
