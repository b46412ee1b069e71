import Herald

/// `schema`, `schema Dog at 4`.
struct SchemaStatement: StatementForm {
  static let command = Command(
    "schema", ["schema [NAME] [at VERSION]"],
    "show the classes, projections and queries as declared",
    ["The output can be entered again."], parse: Self.init)

  let name: Name?
  let version: VersionSyntax?

  init(_ parser: inout StatementParser) throws(ShellError) {
    if let version = try parser.pastVersion() {
      (name, self.version) = (nil, version)
    } else {
      name = try parser.optionalName("a class, a projection or a query")
      version = try parser.pastVersion()
    }
  }

  var objectsRead: ObjectsRead { .none }

  func run(in context: Context) throws {
    let schema = try context.asOf(version).store.schema
    var classes = schema.classes.filter(\.isDeclared)
    var projections = schema.projections
    var definitions = schema.definitions
    if let name {
      definitions = definitions.filter { $0.name == name.text }
      classes = classes.filter { $0.name == name.text }
      projections = projections.filter { $0.name == name.text }
      if classes.isEmpty && projections.isEmpty && definitions.isEmpty {
        let nearest = nearestName(to: name.text, in: schema.namesOfRows)
        throw context.failure(.library(.unknownClass(name.text, nearest: nearest)), at: name.span)
      }
    }
    context.emit(.schema(classes.map { schema.definition(of: $0) }, projections, definitions))
  }
}
