import Herald

/// `append $a, $b to $p.dogs`, also to a nested list in an `any`.
struct AppendStatement: StatementForm {
  static let command = Command(
    "append", ["append VALUE, ... to LIST"], "add values at the end of a list",
    examples: ["append $a, Dog#12 to $p.dogs"], inWrites: true, parse: Self.init)

  let values: [ExpressionSyntax]
  let path: PathSyntax

  init(_ parser: inout StatementParser) throws(ShellError) {
    values = try parser.expressions()
    try parser.take("to")
    path = try parser.target("a list")
  }

  func run(in context: Context) throws {
    try path.editCollection(context) { list, inner in
      try path.check(list, .list, "a list", inner)
      let elements = try path.elements(values, of: list, inner)
      try inner.at(path.span, giving: values) { try list.append(elements) }
    }
    context.confirm(.changed, 1) { "appended \(values.count)" }
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { word.first?.isLowercase ?? false }
}
