import Herald

/// `projection Card of Dog { title: name; city: owner.address.city }`.
struct ProjectionStatement: StatementForm {
  static let command = Command(
    "projection", ["projection NAME of CLASS { NAME: PATH; ... }"],
    "give names to properties of a class and to paths from it",
    [
      "NAME of OBJECT is the object seen through the projection: it can be shown, named by let, "
        + "written through and observed.",
      "A projection also stands where a class does in a query, with its own names; its rows are "
        + "shown through it, and observers report a row as modified when one of its names changes.",
    ],
    examples: [
      "projection Sign of Dog { label: name; city: owner.address.city }", "let $s = Sign of $max",
      "set $s.label = \"Wolfie\"", "show Sign where label == \"Wolfie\" sort(city)",
    ], inWrites: true, parse: Self.init)

  struct Field {
    var name: Name
    var path: Name
  }
  let name: Name
  let className: Name
  let fields: [Field]

  init(_ parser: inout StatementParser) throws(ShellError) {
    name = try parser.name("a new projection")
    try parser.take("of")
    let className = try parser.name("a class")
    self.className = className
    fields = try parser.braced { parser throws(ShellError) in
      let field = try parser.name("a name")
      try parser.take(sign: ":")
      parser.skipNewlines()
      parser.notes?.owner = PropertyOwner(.className(className.text))
      return Field(name: field, path: try parser.keyPath())
    }
  }

  var declaredName: String? { name.text }

  func run(in context: Context) throws {
    let definition = ProjectionDefinition(
      name: name.text, className: className.text,
      fields: fields.map { (name: $0.name.text, path: $0.path.text) })
    try context.change { store in try store.declare(definition) }
    context.confirm { "projection \(name.text)" }
  }
}
