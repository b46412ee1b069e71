import Herald

/// `undo`, `undo 41`.
struct UndoStatement: StatementForm {
  static let command = Command(
    "undo", ["undo [VERSION]"], "take back the last commit, or the one that made VERSION",
    [
      "The inverse of the changes is a commit of its own, of which observers are notified. Deleted "
        + "objects get their numbers again. Without a version it is the last commit that is not "
        + "undone, whichever session made it: undo twice goes two back.",
      "Where a later commit has changed the same property, deleted an object that it linked to, or "
        + "added one with the primary key of a deleted one, it is an error that names the objects and "
        + "the reason; changes of classes cannot be undone. Undo and redo do not run in transactions.",
    ], examples: ["delete $b; undo"],
    parse: { parser throws(ShellError) in
      UndoStatement(version: parser.isAtEndOfStatement ? nil : try parser.versionNumber())
    })

  let version: ExpressionSyntax?

  func run(in context: Context) throws {
    let store = try context.storeOutsideTransaction("undo")
    let number = try version.map { try context.version($0) }
    let undone = try context.locating(version?.span) {
      try context.shell.naming(context.session) { try store.undo(number) }
    }
    context.confirm { "undid version \(undone)" }
  }
}
