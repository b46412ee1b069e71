import Herald

/// `remove $p.dogs[2]`, `remove $p.scores["a"]`, also in an `any`.
struct RemoveStatement: StatementForm {
  static let command = Command(
    "remove", ["remove LIST[ROW]", "remove MAP[KEY]", "remove VALUE from SET"],
    "remove a row, a key or a value from a collection",
    ["Removing a key or a value that is not there changes nothing."],
    examples: ["remove $p.dogs[2]", "remove $p.scores[\"a\"]", "remove \"x\" from $p.tags"],
    inWrites: true, parse: Self.parse)

  let path: PathSyntax

  private static func parse(
    _ parser: inout StatementParser
  ) throws(ShellError) -> any StatementForm {
    let value = try parser.expression()
    if parser.takeIf("from") {
      return RemoveValueStatement(value: value, path: try parser.target("a set"))
    }
    guard case .path(let element) = value.kind, element.isTarget else {
      throw parser.expected("'from'")
    }
    guard case .subscript? = element.steps.last?.targetStep else {
      guard parser.token.kind == .newline || parser.token.kind == .end else {
        throw parser.expected("'from'")
      }
      let found = "'\(parser.source.text(element.span))'"
      throw parser.failure(.expected("a row or a key", found: found), at: element.span)
    }
    return RemoveStatement(path: element)
  }

  func run(in context: Context) throws {
    try context.changeUnlessNew(path) {
      guard let element = try AssignmentTarget.at(path, context).element(context) else {
        throw context.expected("a row or a key", at: path.span)
      }
      try context.at(element.span) {
        switch element.step {
        case .row(let row): try element.collection.remove(at: row)
        case .key(let key): try element.collection.removeKey(key)
        }
      }
    }
    context.confirm(.changed, 1) { "removed 1" }
  }
}

/// `remove "x" from $p.tags`: removes a value from a set; lists need a row and maps a key.
struct RemoveValueStatement: StatementForm {
  let value: ExpressionSyntax
  let path: PathSyntax

  func run(in context: Context) throws {
    try path.editCollection(context) { set, inner in
      guard set.shape != .list else {
        throw inner.failure(
          .expected("a row to remove, '\(inner.source.text(path.span))[N]'", found: "a value"),
          at: path.span)
      }
      try path.check(set, .set, "a set", inner)
      // A new object is in no stored set, and must not be added to find that out.
      let isNew = set is NewCollection
      let element = try inner.giving(isNew ? .linked : .refused)
        .value(value, as: set.property.type.element)
      try inner.at(path.span) { try set.remove(element) }
    }
    context.confirm(.changed, 1) { "removed 1" }
  }

  func mayHaveText(at span: SourceSpan, _ word: String) -> Bool { word.first?.isLowercase ?? false }
}
