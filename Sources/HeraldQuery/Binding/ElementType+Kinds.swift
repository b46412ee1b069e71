import HeraldModel

extension ElementType {
  /// Makes the type of a value; nil for nil.
  init?(of value: Value) {
    switch value {
    case .null: return nil
    case .bool: self = .bool
    case .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    case .objectID: self = .objectID
    case .link(let object): self = .link(object.classID)
    case .list, .map: self = .any
    }
  }

  /// Makes the type that all of some values but nil have; `any` if there are several types, none, or links.
  init(ofAll values: [Value]) {
    let types = Set(values.lazy.compactMap { ElementType(of: $0) })
    self = types.count == 1 ? types.first ?? .any : .any
    if isLink { self = .any }
  }

  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    case .bool, .string, .data, .date, .uuid, .objectID, .any, .link: false
    }
  }

  var isText: Bool {
    switch self {
    case .string, .data: true
    case .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .any, .link: false
    }
  }

  /// Whether a `ColumnTest` applies to columns of this type; other columns are read value by value.
  var hasColumnTests: Bool {
    switch self {
    case .bool, .int, .float, .double, .string, .data, .date, .link: true
    case .decimal, .uuid, .objectID, .any: false
    }
  }
}
