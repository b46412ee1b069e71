import Herald

/// `version`: the number of the last commit, or of the last one not later than a time.
struct VersionStatement: StatementForm {
  static let command = Command(
    "version", ["version [at TIME]"], "print the number of the last commit",
    [
      "A new store is at version 0; every commit, one without changes too, makes the next. With at, "
        + "the last commit not later than TIME. A commit is never earlier than the one before it, "
        + "unless the clock was set back by more than a minute. In an expression version is that "
        + "number, too: 'let $before = version'."
    ], examples: ["version", "version at 2040-01-01"],
    parse: { parser throws(ShellError) in
      VersionStatement(time: parser.takeIf("at") ? try parser.versionNumber() : nil)
    })

  let time: ExpressionSyntax?

  func run(in context: Context) throws {
    let version = try time.map { try context.version($0) } ?? context.store.version
    context.emit(.values([.plain(.int(version))]))
  }
}
