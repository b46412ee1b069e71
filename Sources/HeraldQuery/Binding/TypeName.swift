import HeraldModel

/// The name of a type that `@type` returns, and its aliases in queries.
enum TypeName: String, CaseIterable {
  case null
  case bool
  case int
  case float
  case double
  case decimal
  case string
  case data
  case date
  case uuid
  case objectID = "objectid"
  case link
  case list
  case map
  /// Any number.
  case numeric
  /// A list or a map.
  case collection

  /// Makes the type with a name or alias, in either case; nil if there is none.
  init?(name: String) {
    guard let type = TypeName.typesByName[name.lowercased()] else { return nil }
    self = type
  }

  /// The types by name or alias, in lower case.
  static let typesByName = Dictionary(
    uniqueKeysWithValues: allCases.flatMap { type in
      (type.aliases + [type.rawValue]).map { ($0, type) }
    })

  /// The other names of the type, in lower case.
  private var aliases: [String] {
    switch self {
    case .null: ["nil"]
    case .bool: ["boolean"]
    case .int: ["integer", "byte", "short", "long", "char", "int16", "int32", "int64"]
    case .float: ["single"]
    case .decimal: ["decimal128"]
    case .data: ["binary", "bindata", "bytearray", "byte[]"]
    case .date: ["timestamp", "datetimeoffset"]
    case .uuid: ["guid"]
    case .link: ["objectlink"]
    case .list: ["array"]
    case .map: ["object", "dictionary"]
    case .numeric: ["number"]
    case .double, .string, .objectID, .collection: []
    }
  }

  /// Makes the type of all values of an element type; nil for `any`.
  init?(of element: ElementType) {
    switch element {
    case .any: return nil
    case .bool: self = .bool
    case .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .uuid: self = .uuid
    case .objectID: self = .objectID
    case .link: self = .link
    }
  }

  init(of value: Value) {
    if let type = value.element.flatMap(TypeName.init(of:)) {
      self = type
    } else if case .list = value {
      self = .list
    } else if case .map = value {
      self = .map
    } else {
      self = .null
    }
  }

  /// Returns whether a type's name, as `@type` returns it, belongs to this type.
  func includes(_ name: Value) -> Bool {
    guard case .string(let text) = name, let other = TypeName(rawValue: text) else { return false }
    return switch self {
    case .numeric: other.isNumber
    case .collection: other == .list || other == .map
    case .null, .bool, .int, .float, .double, .decimal, .string, .data, .date, .uuid, .objectID,
      .link, .list, .map:
      self == other
    }
  }

  private var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal, .numeric: true
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map, .collection:
      false
    }
  }
}
