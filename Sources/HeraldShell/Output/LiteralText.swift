import Herald

/// Values as literals of the language: what can be typed back.
enum LiteralText {
  static func text(_ value: OutputValue) -> String {
    switch value {
    case .plain(let value): text(value)
    case .link(let label): text(label)
    case .object(let label, let fields): text(label, fields)
    case .list(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    }
  }

  /// `Dog#3`, `Dog#"a"`; an object that is in no store has no key.
  static func text(_ label: ObjectLabel) -> String {
    label.key.isNull ? label.className : "\(label.className)#\(text(label.key))"
  }

  private static func text(_ label: ObjectLabel, _ fields: [OutputValue.Field]) -> String {
    let entries = fields.map { "\($0.name): \(text($0.value))" }
    return "\(text(label)) {\(entries.joined(separator: ", "))}"
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .float(let value): value.description
    case .double(let value): value.description
    case .string(let value): value.quoted
    case .data(let value): "binary(\"\(value.base64)\")"
    case .date(let value): value.literal
    case .link(let object): "#\(object.number)"
    }
  }

  /// As `print` writes it: a string bare.
  static func bareText(_ value: OutputValue) -> String {
    if case .plain(.string(let text)) = value { text } else { text(value) }
  }

  /// `class Dog { name: string; age: int? }`
  static func text(_ definition: ClassDefinition) -> String {
    let properties = definition.properties.map { "  \($0.name): \(type($0))\(attributes($0))" }
    return "class \(definition.name) {\n" + properties.joined(separator: "\n") + "\n}"
  }

  /// `int?`, `list<Dog>`.
  static func type(_ property: ClassDefinition.Property) -> String {
    var isMarked = property.isOptional
    let element: String
    switch property.element {
    case .bool: element = "bool"
    case .int: element = "int"
    case .float: element = "float"
    case .double: element = "double"
    case .string: element = "string"
    case .data: element = "data"
    case .date: element = "date"
    case .link(let name):
      element = name
      isMarked = false
    }
    let marked = isMarked ? element + "?" : element
    return switch property.shape {
    case .single: marked
    case .list: "list<\(marked)>"
    }
  }

  private static func attributes(_ property: ClassDefinition.Property) -> String {
    var text = ""
    switch property.defaultValue {
    case nil: break
    case .value(let value): text += " = \(self.text(value))"
    case .list(let values):
      text += " = [\(values.map { self.text($0) }.joined(separator: ", "))]"
    }
    if property.isPrimaryKey { text += " primary" }
    if property.isIndexed { text += " indexed" }
    return text
  }
}
