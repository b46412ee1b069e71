import Herald

/// `write {…}`, `write without t1 {…}`, `write async {…}`, `write STATEMENT`.
struct WriteStatement: StatementForm {
  static let command = Command(
    "write",
    [
      "write { STATEMENTS }", "write STATEMENT", "write without TOKEN, ... { STATEMENTS }",
      "write async { STATEMENTS }", "write message TEXT { STATEMENTS }",
    ], "make changes in one transaction",
    [
      "If a statement fails, everything is rolled back. Observers named after without are not "
        + "notified of this transaction. An async write runs after the present turn. Blocks that "
        + "write in reaction to one another's writes get an error after a thousand writes. The log "
        + "keeps the text after message."
    ],
    examples: [
      "write { set $max.age = 4; add Dog { id: 7 } }", "write without dogs { delete $max }",
      "write message \"a birthday\" { $a.age += 1 }",
    ], parse: Self.init)

  private(set) var isAsync = false
  private(set) var options = CommitOptions()
  let statements: [Statement]

  init(_ parser: inout StatementParser) throws(ShellError) {
    while true {
      if !isAsync, parser.takeIf("async") {
        isAsync = true
      } else if try !options.take(&parser) {
        break
      }
    }
    parser.notes?.openWrites += 1
    if parser.isSign("{") {
      statements = try parser.block()
    } else {
      guard parser.token.kind != .newline, parser.token.kind != .end else {
        throw parser.expected("'{' or a statement")
      }
      statements = [try parser.statement()]
    }
    parser.notes?.openWrites -= 1
  }

  func run(in context: Context) throws {
    let shell = context.shell
    let store = try context.store
    let silenced = try options.silenced(context)
    let message = try options.text(context)
    if isAsync {
      try store.writeAsync(without: silenced.compactMap(\.token), message: message) {
        try context.inBlock(statements, context.span)
      }
      return
    }
    let (before, summaryBefore) = (shell.variables, shell.summary)
    do {
      try shell.naming(context.session) {
        try store.write(without: silenced.compactMap(\.token), message: message, waiting: false) {
          try context.execute(statements)
        }
      }
      CommitOptions.noteEnds(among: silenced, context)
    } catch {
      // Variables may name objects that are rolled back.
      (shell.variables, shell.summary) = (before, summaryBefore)
      throw error
    }
  }
}
