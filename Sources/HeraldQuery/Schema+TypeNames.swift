package import HeraldModel

extension Schema {
  /// The type as it is written in a class: `int?`, `list<Dog>`, `Dog`.
  package func name(of type: PropertyType) -> String {
    let element = name(of: type.element)
    let isLink = type.target != nil
    let optional = type.isOptional && !isLink ? element + "?" : element
    switch type.shape {
    case .single: return optional
    case .list: return "list<\(optional)>"
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
    case .link(let object): self = .link(object.classID)
    }
  }

  var isNumber: Bool {
    switch self {
    case .int, .float, .double: true
    case .bool, .string, .data, .date, .link: false
    }
  }

  var isText: Bool {
    switch self {
    case .string, .data: true
    case .bool, .int, .float, .double, .date, .link: false
    }
  }

  var isLink: Bool {
    if case .link = self { true } else { false }
  }
}
