/// The type of a property: `int`, `string?`, `list<Dog>`.
public struct PropertyType: Hashable, Sendable {
  /// Whether it is a single value, a list, a set, a map or backlinks.
  public let shape: PropertyShape
  /// The type of the value, or of the elements.
  public let element: ElementType
  /// Whether a value (for a collection, an element) may be nil.
  public let isOptional: Bool

  /// A type of its parts.
  public init(_ element: ElementType, shape: PropertyShape = .single, isOptional: Bool = false) {
    self.element = element
    self.shape = shape
    switch element {
    // When a linked object is deleted, its key stays in a map, with the value nil.
    case .link: self.isOptional = shape == .single || shape == .map
    case .any: self.isOptional = true
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      self.isOptional = isOptional
    }
  }

  /// Whether both have the same element type and shape, regardless of optionality.
  package func hasSameValues(as other: PropertyType) -> Bool {
    element == other.element && shape == other.shape
  }

  /// The class that a link or a collection of links points to; nil for backlinks.
  public var target: ClassID? { isBacklinks ? nil : linkedClass }

  /// The class of the objects that the property holds, as links or backlinks.
  public var linkedClass: ClassID? {
    if case .link(let classID) = element { classID } else { nil }
  }

  /// Whether the store keeps it, from links that lead here.
  public var isBacklinks: Bool { shape.isBacklinks }

  /// Whether values of the type can hold forward links.
  package var holdsForwardLinks: Bool { target != nil || element == .any && !isBacklinks }

  /// Whether it has elements.
  public var isCollection: Bool { shape != .single }
}
