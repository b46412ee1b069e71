import Herald

/// `dump at 4 to pets.herald`: writes the store as a script, to the output or to a file that is replaced once the script
/// is complete.
struct DumpStatement: StatementForm {
  static let command = Command(
    "dump", ["dump [at VERSION] [to FILE]"], "write the store as a script that rebuilds it",
    [
      "The classes come first, then the objects in order of creation, then their links. Run it on "
        + "an empty store."
    ], examples: ["dump to pets.herald"],
    parse: { parser throws(ShellError) in
      DumpStatement(
        version: try parser.pastVersion(), path: parser.takeIf("to") ? try parser.path() : nil)
    })

  let version: VersionSyntax?
  let path: Name?

  func run(in context: Context) throws {
    let store = try context.asOf(version).store
    guard let path else { return try dump(store, context) { context.emit(.script($0)) } }
    try context.writeFile(path) { file in
      try dump(store, context) { line in try file.write(line + "\n") }
    }
  }

  private func dump(
    _ store: DynamicStore, _ context: Context, _ write: @escaping (String) throws -> Void
  ) throws {
    let schema = store.schema
    let classes = schema.classes.filter(\.isDeclared).map { schema.definition(of: $0) }
    var script = StoreScript(store, write: write)
    var objects = 0
    try script.run(classes: classes, projections: store.projections) {
      try context.checkInterruption(SourceSpan(start: 0, end: 0))
      objects += 1
      if objects % RowPrinter.releaseInterval == 0 { store.releaseMemory() }
    }
  }
}
