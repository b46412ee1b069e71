/// A property that rows are sorted by, and the direction.
public struct SortDescriptor: Hashable, Sendable {
  /// The name of the property, over links with dots: `owner.name`.
  public var keyPath: String
  /// Whether the smallest value is first.
  public var ascending: Bool

  /// A property by its name, over links with dots.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// A property, or a projection's field, by its key path; one to what is neither stops the program.
  public init<Root: ResultElement, Value>(
    keyPath: KeyPath<Root, Value>, ascending: Bool = true
  ) {
    self.init(keyPath: requiredName(of: keyPath), ascending: ascending)
  }

  /// The same property in the other direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  /// A property by its name, in ascending order.
  public init(stringLiteral value: String) { self.init(keyPath: value) }
}

extension SortDescriptor: CustomStringConvertible {
  /// The property and the direction: `age, descending`.
  public var description: String { "\(keyPath), \(ascending ? "ascending" : "descending")" }
}
