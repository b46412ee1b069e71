import HeraldModel
import HeraldQuery
import HeraldStorage

extension Session {
  /// Returns a session that stays at this one's version: it cannot write or observe, and every thread may
  /// read it.
  ///
  /// It holds the version rather than a copy of it: creating one costs a read transaction whatever the size
  /// of the store, and the pages of that version stay in the file until it is released. Everything frozen at
  /// one version shares one such session.
  package func freeze() throws -> Session {
    try checkOpen()
    if isFrozen { return self }
    resumeOnUse()
    if case .open = writing { throw HeraldError.frozenInWrite }
    if let lastFrozen, lastFrozen.version == version { return lastFrozen }
    let frozen = Session(frozen: try sharedReader(), hub)
    lastFrozen = frozen
    return frozen
  }

  /// Returns a reader of the session's version. Storage can open only the newest version; a session that is
  /// behind it shares its own reader with the frozen session until it advances.
  func sharedReader() throws -> SharedReader {
    if let pinned { return pinned }
    let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
    if transaction.version == version {
      return SharedReader(TransactionReader(transaction, layout: snapshot.layout))
    }
    let shared = SharedReader(snapshot)
    pinned = shared
    snapshot.storage.share()
    snapshot.storage.label(ReaderLabel(name, isFrozen: true))
    return shared
  }
}
