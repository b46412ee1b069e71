import HeraldModel
import HeraldQuery
import HeraldStorage

extension Session {
  /// A session that stays at this one's version for good: nothing can be written or observed in it,
  /// and every thread may read it.
  ///
  /// It holds the version rather than a copy of it: making one costs a read transaction whatever the
  /// size of the store, and the pages of that version stay in the file until it goes. All that is
  /// frozen at one version shares one.
  package func freeze() throws -> Session {
    try checkOpen()
    if isFrozen { return self }
    if case .open = writing { throw HeraldError.frozenInWrite }
    if let lastFrozen, lastFrozen.version == version { return lastFrozen }
    let frozen = Session(frozen: try sharedReader(), hub)
    lastFrozen = frozen
    return frozen
  }

  /// Storage opens none but the newest version. Where the session is behind it, it shares its own
  /// with what is frozen, until it advances.
  private func sharedReader() throws -> SharedReader {
    if let pinned { return pinned }
    let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
    if transaction.version == version {
      return SharedReader(TransactionReader(transaction, layout: snapshot.layout))
    }
    let shared = SharedReader(snapshot)
    pinned = shared
    snapshot.transaction.label(ReaderLabel(name, isFrozen: true))
    return shared
  }
}
