import Herald

/// `clear $p.dogs`.
struct ClearStatement: StatementForm {
  static let command = Command(
    "clear", ["clear COLLECTION"], "remove everything from a list, a set or a map",
    examples: ["clear $p.dogs"], inWrites: true,
    parse: { parser throws(ShellError) in Self(path: try parser.target("a collection")) })

  let path: PathSyntax

  func run(in context: Context) throws {
    try path.editCollection(context) { collection, inner in
      try inner.at(path.span) { try collection.removeAll() }
    }
    context.confirm(.changed, 1) { "cleared" }
  }
}
