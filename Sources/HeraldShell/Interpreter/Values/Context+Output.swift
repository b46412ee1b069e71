import Herald

extension Context {
  /// Emits values read from the store, unless the store turned out to be damaged.
  func emitIntact(_ line: OutputLine) throws {
    try session.store?.checkIntact()
    emit(line)
  }

  func rendered(_ resolved: Resolved, _ session: ShellSession) throws -> OutputValue {
    let session = resolved.store.map { session.reading($0) } ?? session
    switch resolved {
    case .value(let value): return session.output(value)
    case .values(let values): return .list(values.map { session.output($0) })
    case .elements(let elements): return .list(try elements.values.map { session.output($0) })
    case .object(let object): return try session.output(object)
    case .newObject(let object): return try session.output(object)
    case .collection(let collection): return try session.rows(collection)
    case .results(let results):
      return .list(
        try results.objects.map { object in
          if shell.interruption.isRequested { throw HeraldError.interrupted }
          return try session.output(object, of: results)
        })
    case .projection(let projection): return try session.output(projection)
    }
  }
}
