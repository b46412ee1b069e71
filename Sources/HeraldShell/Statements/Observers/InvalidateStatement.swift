import Herald

/// `invalidate dogs, max`, `invalidate all`.
struct InvalidateStatement: StatementForm {
  static let command = Command(
    "invalidate", ["invalidate NAME, ...", "invalidate all"], "stop observers",
    [
      "NAME is the token of an observer: the name that as gave it, or else t1, t2, and so on. tokens lists "
        + "them. A stopped observer prints nothing more."
    ], inWrites: true, parse: Self.init)

  /// nil for all tokens.
  let names: [Name]?

  init(_ parser: inout StatementParser) throws(ShellError) {
    let condition = parser.notes?.condition
    parser.notes?.condition = .isAnyToken
    let isAll = parser.takeIf("all")
    parser.notes?.condition = condition
    names = isAll ? nil : try parser.names("a token")
  }

  func run(in context: Context) throws {
    let tokens = context.shell.tokens
    let records = try names?.map { try tokens.record($0, context.source) } ?? tokens.live
    for record in records { try context.end(record) }
    context.confirm { "invalidated" }
  }
}
