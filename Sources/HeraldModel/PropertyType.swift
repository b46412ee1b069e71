/// The type of a single value.
public enum ElementType: Hashable, Sendable {
  case bool
  case int
  case float
  case double
  case string
  case data
  case date
  /// A link to an object of a class; always optional when single, never when in a collection.
  case link(ClassID)
}

/// How many values a property holds, and in what order.
public enum PropertyShape: Hashable, Sendable {
  case single
  case list
}

/// The type of a property: `int`, `string?`, `list<Dog>`.
public struct PropertyType: Hashable, Sendable {
  public let shape: PropertyShape
  public let element: ElementType
  /// Whether a value (an element, for a list) may be nil.
  public let isOptional: Bool

  public init(_ element: ElementType, shape: PropertyShape = .single, isOptional: Bool = false) {
    self.element = element
    self.shape = shape
    if case .link = element {
      self.isOptional = shape == .single
    } else {
      self.isOptional = isOptional
    }
  }

  /// The class that a link or a list of links leads to.
  public var target: ClassID? {
    if case .link(let classID) = element { classID } else { nil }
  }
}
