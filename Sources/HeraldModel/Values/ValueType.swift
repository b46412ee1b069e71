/// The type of a single value; `Link` identifies the class of a link.
public enum ValueType<Link: Hashable & Sendable>: Hashable, Sendable {
  /// True or false.
  case bool
  /// A whole number of 64 bits.
  case int
  /// A number of single precision.
  case float
  /// A number of double precision.
  case double
  /// Text.
  case string
  /// Bytes.
  case data
  /// A moment.
  case date
  /// A decimal number of 34 digits.
  case decimal
  /// An identifier of 16 bytes.
  case uuid
  /// An identifier of 12 bytes.
  case objectID
  /// A value of any type, including links, lists and maps; always optional.
  case any
  /// A link to an object of a class; optional as a single value or in a map, never in a list or set.
  case link(Link)
}

extension ValueType {
  /// Returns the same type with the class of a link mapped by `other`.
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
