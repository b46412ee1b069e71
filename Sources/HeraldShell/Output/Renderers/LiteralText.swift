import Herald

/// Renders values as literals of the language, which are valid input.
enum LiteralText {
  static func text(_ value: OutputValue) -> String {
    switch value {
    case .plain(let value): text(value)
    case .link(let label): text(label)
    case .object(let label, let fields): "\(text(label)) \(text(fields))"
    case .embedded(_, let fields), .row(let fields): text(fields)
    case .projection(let name, let label, let fields):
      "\(name) of \(text(label))" + (fields.map { " " + text($0) } ?? "")
    case .list(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    case .map(let entries):
      "{" + entries.map { "\($0.name.quoted): \(text($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// `Dog#3`, `Dog#"a"`; an object that is not in a store has no key.
  static func text(_ label: ObjectLabel) -> String {
    label.key.isNull ? label.className : "\(label.className)#\(text(label.key))"
  }

  private static func text(_ fields: [OutputValue.Field]) -> String {
    let entries = fields.filter { !$0.isReadOnly }.map { "\($0.name): \(text($0.value))" }
    return "{\(entries.joined(separator: ", "))}"
  }

  static func text(_ value: Value) -> String { value.literal { "#\($0.number)" } }

  /// As `print` writes it: a string bare.
  static func bareText(_ value: OutputValue) -> String {
    if case .plain(.string(let text)) = value { text } else { text(value) }
  }

  /// `class Dog { name: string; age: int? }`
  static func text(_ definition: ClassDefinition) -> String {
    let properties = definition.properties.map { "  \(text($0))\n" }
    return (definition.isEmbedded ? "embedded " : "") + "class \(definition.name) {\n"
      + properties.joined() + "}" + (definition.retention.map { " keep \($0)" } ?? "")
  }

  /// `projection Card of Dog { title: name }`
  static func text(_ definition: ProjectionDefinition) -> String {
    let fields = definition.fields.map { "  \($0.name): \($0.path)" }
    return "projection \(definition.name) of \(definition.className) {\n"
      + fields.joined(separator: "\n") + "\n}"
  }

  /// `define Old as Dog where age > 10`
  static func text(_ definition: QueryDefinition) -> String {
    "define \(definition.name) as \(definition.text)"
  }

  /// `age: int? = 3 indexed`
  static func text(_ property: ClassDefinition.Property) -> String {
    "\(property.name): \(property.typeName)\(attributes(property))"
  }

  private static func attributes(_ property: ClassDefinition.Property) -> String {
    var text = ""
    if let content = property.defaultValue {
      text += " = " + ScriptText.literal(content, as: property.element)
    }
    if property.isGenerated { text += property.element == .uuid ? " = uuid()" : " = oid()" }
    if property.isPrimaryKey { text += " primary" }
    if property.isIndexed { text += " indexed" }
    return text
  }
}
