import Herald

extension Interpreter {
  /// Copies the store into a new file or, with a version, brings the backup up to date that is at it.
  func backup(to path: Name, since version: Expression?, _ context: Context) throws {
    let store = try store(context)
    let old = try version.map { try number(ofVersion: $0, context) }
    let made: Int
    do {
      made = try backup(store, to: path.text, since: old)
    } catch HeraldError.interrupted {
      throw HeraldError.interrupted
    } catch let error as HeraldError {
      throw ShellError(.library(error), context.source, path.span)
    }
    confirm {
      old == nil
        ? "backed up version \(made) to \(path.text)"
        : "brought \(path.text) to version \(made)"
    }
  }

  private func backup(_ store: Store, to path: String, since old: Int?) throws -> Int {
    var shown = -1
    let show = { [options] (progress: BackupProgress) in
      let percent = Int(progress.fraction * 100)
      guard percent != shown else { return }
      shown = percent
      options.progress?(path, .percent(percent))
    }
    guard let old else { return try store.backup(to: path, progress: show) }
    return try store.backup(to: path, since: old, progress: show)
  }

  private func number(ofVersion expression: Expression, _ context: Context) throws -> Int {
    if case .value(.int(let version)) = try resolve(expression, context) { return version }
    let text = context.source.text(expression.span)
    throw ShellError(.notAVersion(text), context.source, expression.span)
  }
}
