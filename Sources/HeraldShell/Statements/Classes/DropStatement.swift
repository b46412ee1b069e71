import Herald

/// `drop Dog`: a class with its objects, a projection or a query.
struct DropStatement: StatementForm {
  static let command = Command(
    "drop", ["drop CLASS", "drop PROJECTION", "drop QUERY"],
    "drop a class with its objects, a projection or a query",
    [
      "Observers are notified of the deletion of the objects. A class that is named by a "
        + "property of another class, a projection or a query cannot be dropped. A prompt asks "
        + "before more than 1,000 objects are dropped."
    ], examples: ["drop Card"], inWrites: true,
    parse: { parser throws(ShellError) in
      DropStatement(name: try parser.name("a class, a projection or a query"))
    })

  let name: Name

  func run(in context: Context) throws {
    let store = try context.store
    if store.schema.classSchema(named: name.text)?.isDeclared == true,
      let objects = try? store.objects(name.text),
      try !context.isDeletionWanted(objects, { "Drop \(name.text) and its \($0) objects? y/N " })
    {
      return context.confirm { "nothing was dropped" }
    }
    try context.change { store in try store.drop(name.text) }
    context.shell.tokens.noteEnds()
    context.confirm { "dropped \(name.text)" }
  }
}
