package import HeraldModel

extension Schema {
  /// The type as it is written in a class: `int?`, `list<Dog>`, `map<any>`, `backlinks<Dog.owner>`.
  package func name(of type: PropertyType) -> String {
    let element = name(of: type.element)
    let isMarked = type.isOptional && type.linkedClass == nil && type.element != .any
    let optional = isMarked ? element + "?" : element
    switch type.shape {
    case .single: return optional
    case .list: return "list<\(optional)>"
    case .set: return "set<\(optional)>"
    case .map: return "map<\(optional)>"
    case .backlinks(let property): return "backlinks<\(element).\(property)>"
    }
  }

  package func name(of element: ElementType) -> String {
    switch element {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .decimal: "decimal"
    case .uuid: "uuid"
    case .objectID: "objectid"
    case .any: "any"
    case .link(let classID): classSchema(classID)?.name ?? "object"
    }
  }
}

extension ElementType {
  /// The type of a value that is not nil.
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

  /// Whether a `ColumnTest` can be asked of a column of this type; others are read value by value.
  var hasColumnTests: Bool {
    switch self {
    case .bool, .int, .float, .double, .string, .data, .date, .link: true
    case .decimal, .uuid, .objectID, .any: false
    }
  }

  var isLink: Bool {
    if case .link = self { true } else { false }
  }
}
