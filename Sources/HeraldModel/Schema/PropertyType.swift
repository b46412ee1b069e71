/// The type of a single value; `Link` is how a link's class is named.
public enum ValueType<Link: Hashable & Sendable>: Hashable, Sendable {
  case bool
  case int
  case float
  case double
  case string
  case data
  case date
  case decimal
  case uuid
  case objectID
  /// A value of any type, a link, a list or a map among them; may always be nil.
  case any
  /// A link to an object of a class; always optional when single, never when in a collection.
  case link(Link)
}

/// The type of a single value in a store, where classes have numbers.
public typealias ElementType = ValueType<ClassID>

extension ValueType {
  /// The same type with the link's class named in another way.
  package func naming<Other>(
    _ other: (Link) throws -> Other
  ) rethrows -> ValueType<Other> {
    switch self {
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .decimal: .decimal
    case .uuid: .uuid
    case .objectID: .objectID
    case .any: .any
    case .link(let link): .link(try other(link))
    }
  }

  package var isLink: Bool { if case .link = self { true } else { false } }
}

/// How many values a property holds, and in what order.
public enum PropertyShape: Hashable, Sendable {
  case single
  case list
  /// Distinct values, in order of value; links in order of creation.
  case set
  /// Values by string keys, in order of key.
  case map
  /// The objects whose property of this name links here: read only, kept by the store.
  case backlinks(String)
}

extension PropertyShape {
  public var isBacklinks: Bool { if case .backlinks = self { true } else { false } }
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
    switch element {
    // In a map, a link whose object goes stays as a key without a value.
    case .link: self.isOptional = shape == .single || shape == .map
    case .any: self.isOptional = true
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      self.isOptional = isOptional
    }
  }

  /// Whether the values are of one type in one shape, whatever may be nil.
  package func hasSameValues(as other: PropertyType) -> Bool {
    element == other.element && shape == other.shape
  }

  /// The class that a link or a collection of links leads to; nil for backlinks, which lead nowhere
  /// forward.
  public var target: ClassID? { isBacklinks ? nil : linkedClass }

  /// The class of the objects that the property holds, forward or backward.
  public var linkedClass: ClassID? {
    if case .link(let classID) = element { classID } else { nil }
  }

  public var isBacklinks: Bool { shape.isBacklinks }

  public var isCollection: Bool { shape != .single }
}
