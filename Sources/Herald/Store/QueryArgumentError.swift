/// Arguments that do not fit the placeholders of a predicate, and what cannot be compared.
public struct QueryArgumentError: Error, Hashable, CustomStringConvertible {
  /// A full sentence with the predicate, or with what cannot be compared.
  public let description: String

  init(_ description: String) { self.description = description }
}
