import Herald

/// `backup to PATH`: copies the store into a new file, or updates the backup that is at a version.
struct BackupStatement: StatementForm {
  static let command = Command(
    "backup", ["backup to PATH", "backup to PATH since VERSION"],
    "copy the store into a new file, or bring such a copy up to date",
    [
      "The copy is a store at the newest version, readable only by its owner, without the free "
        + "pages of the original. Others continue to write meanwhile; if the backup is "
        + "interrupted or the disk is full, no file is left. PATH must not exist. This also "
        + "saves a store in memory.",
      "With since, PATH is a backup of this store at VERSION: only the differences are written "
        + "to it, in one transaction. A backup that is at another version, belongs to another "
        + "store or was written to is refused.",
      "Copying a store with cp while another program writes to it makes a damaged file.",
    ], examples: ["backup to pets.hdb"], parse: Self.init)

  let path: Name
  let version: ExpressionSyntax?

  init(_ parser: inout StatementParser) throws(ShellError) {
    try parser.take("to")
    path = try parser.path()
    version = parser.takeIf("since") ? try parser.expression() : nil
  }

  func run(in context: Context) throws {
    let store = try context.store
    let old = try version.map { try number(ofVersion: $0, context) }
    let made: Int
    do {
      made = try backup(store, to: path.text, since: old, context)
    } catch HeraldError.interrupted {
      throw HeraldError.interrupted
    } catch let error as HeraldError { throw context.failure(.library(error), at: path.span) }
    context.confirm {
      old == nil
        ? "backed up version \(made) to \(path.text)"
        : "brought \(path.text) to version \(made)"
    }
  }

  private func backup(_ store: DynamicStore, to path: String, since old: Int?, _ context: Context)
    throws -> Int
  {
    var shown = -1
    let show = { (progress: BackupProgress) in
      let percent = Int(progress.fraction * 100)
      guard percent != shown else { return }
      shown = percent
      context.shell.options.progress?(path, .percent(percent))
    }
    guard let old else { return try store.backup(to: path, progress: show) }
    return try store.backup(to: path, since: old, progress: show)
  }

  private func number(ofVersion expression: ExpressionSyntax, _ context: Context) throws -> Int {
    if case .value(.int(let version)) = try context.resolve(expression) { return version }
    let text = context.source.text(expression.span)
    throw context.failure(.notAVersion(text), at: expression.span)
  }
}
