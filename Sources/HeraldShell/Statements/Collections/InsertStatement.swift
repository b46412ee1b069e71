import Herald

/// `insert $a into $p.dogs at 0`, `insert "x" into $p.tags`.
struct InsertStatement: StatementForm {
  static let command = Command(
    "insert", ["insert VALUE, ... into LIST at ROW", "insert VALUE, ... into SET"],
    "insert values into a list or a set",
    ["Inserting a value that a set already has changes nothing."],
    examples: ["insert $a into $p.dogs at 0", "insert \"x\" into $p.tags"], inWrites: true,
    parse: Self.init)

  let values: [ExpressionSyntax]
  let path: PathSyntax
  let index: ExpressionSyntax?

  init(_ parser: inout StatementParser) throws(ShellError) {
    values = try parser.expressions()
    try parser.take("into")
    path = try parser.target("a list or a set")
    index = parser.takeIf("at") ? try parser.expression() : nil
  }

  func run(in context: Context) throws {
    try path.editCollection(context) { collection, inner in
      guard let index else { return try insert(intoSet: collection, inner) }
      try path.check(collection, .list, "a list", inner)
      let row = try inner.row(index)
      let elements = try path.elements(values, of: collection, inner)
      let isInside = row <= collection.count && row >= 0
      try inner.at(isInside ? path.span : index.span, giving: values) {
        try collection.insert(elements, at: row)
      }
    }
    context.confirm(.changed, 1) { "inserted \(values.count)" }
  }

  private func insert(intoSet set: any EditableCollection, _ context: Context) throws {
    guard set.shape != .list else { throw context.failure(.listNeedsPosition, at: path.span) }
    try path.check(set, .set, "a set", context)
    for value in try path.elements(values, of: set, context) {
      try context.at(path.span, giving: values) { try set.insert(value) }
    }
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { word.first?.isLowercase ?? false }
}
