import Herald

/// Values as literals of the language: what can be typed back.
enum LiteralText {
  static func text(_ value: OutputValue) -> String {
    switch value {
    case .plain(let value): text(value)
    case .link(let label): text(label)
    case .object(let label, let fields): "\(text(label)) \(text(fields))"
    case .part(_, let fields): text(fields)
    case .projection(let name, let label, let fields):
      "\(name) of \(text(label)) \(text(fields))"
    case .list(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    case .map(let entries):
      "{" + entries.map { "\($0.name.quoted): \(text($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// `Dog#3`, `Dog#"a"`; an object that is in no store has no key.
  static func text(_ label: ObjectLabel) -> String {
    label.key.isNull ? label.className : "\(label.className)#\(text(label.key))"
  }

  private static func text(_ fields: [OutputValue.Field]) -> String {
    let entries = fields.filter { !$0.isReadOnly }.map { "\($0.name): \(text($0.value))" }
    return "{\(entries.joined(separator: ", "))}"
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .float(let value): value.isNaN ? "nan" : value.description
    case .double(let value): text(value)
    case .string(let value): value.quoted
    case .data(let value): "binary(\"\(value.base64)\")"
    case .date(let value): value.literal
    case .decimal(let value): text(value)
    case .uuid(let value): "uuid(\(value.description.quoted))"
    case .objectID(let value): "oid(\(value.description.quoted))"
    case .link(let object): "#\(object.number)"
    case .list(let values): "[" + values.map { text($0) }.joined(separator: ", ") + "]"
    case .map(let entries):
      "{"
        + entries.inKeyOrder.map { "\($0.key.quoted): \(text($0.value))" }
        .joined(separator: ", ") + "}"
    }
  }

  /// NaN without its sign, which means nothing.
  static func text(_ value: Double) -> String { value.isNaN ? "nan" : value.description }

  /// Infinities and NaN in the language's words.
  static func text(_ value: Decimal128) -> String {
    value.isFinite ? value.description : value.isNaN ? "nan" : value.isNegative ? "-inf" : "inf"
  }

  /// As `print` writes it: a string bare.
  static func bareText(_ value: OutputValue) -> String {
    if case .plain(.string(let text)) = value { text } else { text(value) }
  }

  /// `class Dog { name: string; age: int? }`
  static func text(_ definition: ClassDefinition) -> String {
    let properties = definition.properties.map { "  \($0.name): \(type($0))\(attributes($0))" }
    return (definition.isEmbedded ? "embedded " : "") + "class \(definition.name) {\n"
      + properties.joined(separator: "\n") + "\n}"
  }

  /// `projection Card of Dog { title: name }`
  static func text(_ definition: ProjectionDefinition) -> String {
    let fields = definition.fields.map { "  \($0.name): \($0.path)" }
    return "projection \(definition.name) of \(definition.className) {\n"
      + fields.joined(separator: "\n") + "\n}"
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
    case .decimal: element = "decimal"
    case .uuid: element = "uuid"
    case .objectID: element = "objectid"
    case .any:
      element = "any"
      isMarked = false
    case .link(let name):
      element = name
      isMarked = false
    }
    let marked = isMarked ? element + "?" : element
    return switch property.shape {
    case .single: marked
    case .list: "list<\(marked)>"
    case .set: "set<\(marked)>"
    case .map: "map<\(marked)>"
    case .backlinks(let origin): "backlinks<\(marked).\(origin)>"
    }
  }

  private static func attributes(_ property: ClassDefinition.Property) -> String {
    var text = ""
    switch property.defaultValue {
    case nil: break
    case .value(let value): text += " = \(self.text(value))"
    case .list(let values):
      text += " = \(self.text(Value.list(values)))"
    case .map(let entries): text += " = \(self.text(Value.map(entries)))"
    }
    if property.isPrimaryKey { text += " primary" }
    if property.isIndexed { text += " indexed" }
    return text
  }
}

extension Dictionary where Key == String {
  /// In the order in which the store keeps a map's keys: by code point.
  var inKeyOrder: [Element] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
