internal import CLMDB

extension StorageSnapshot {
  private static func metadataKey(_ name: String) -> [UInt8] { Array("m:\(name)".utf8) }

  package func metadata(_ name: String) -> [UInt8]? {
    get(databases.meta, Self.metadataKey(name)).map { [UInt8]($0) }
  }

  func setMetadata(_ name: String, _ bytes: [UInt8]) throws(StorageError) {
    try put(databases.meta, Self.metadataKey(name), bytes)
  }

  package func logEntry(_ version: Int) -> [UInt8]? {
    guard version >= 0 else { return nil }
    return get(databases.log, .version(version)).map { [UInt8]($0) }
  }

  package var oldestLogVersion: Int? {
    var oldest: Int?
    forEachRecord(databases.log, from: nil) { key, _ in
      oldest = Int(truncatingIfNeeded: key.bigEndian(at: 0, as: UInt64.self))
      return false
    }
    return oldest
  }

  /// So many bytes of entries at most, but for one single entry that is larger.
  static let loggedBytes = 64 << 20
  /// Entries are taken away in lots, so that not every commit pays for one.
  private static let trimmedAtOnce = 256

  /// Brings the state, and with it the log, to the version that this commit makes.
  func flushState(_ changes: PendingChanges) throws(StorageError) {
    var state = state
    state.version += 1
    if let entry = changes.logEntry {
      try put(databases.log, .version(state.version), entry)
      state.loggedBytes += entry.count
      try trimLog(&state)
    }
    try state.withEntry { entry throws(StorageError) in try put(databases.meta, .state, entry) }
  }

  private func trimLog(_ state: inout StoreState) throws(StorageError) {
    var statistics = MDB_stat()
    mdb_stat(transaction, databases.log, &statistics)
    let kept = environment.loggedEntries
    let limit = kept + min(kept, Self.trimmedAtOnce)
    guard statistics.ms_entries >= limit || state.loggedBytes > Self.loggedBytes else { return }
    var code: Int32 = 0
    withCursor(databases.log) { cursor in
      var left = Int(statistics.ms_entries)
      while left > 1 && (left > kept || state.loggedBytes > Self.loggedBytes) {
        var key = MDB_val()
        var value = MDB_val()
        code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        let size = value.mv_size
        if code == 0 { code = mdb_cursor_del(cursor, 0) }
        guard code == 0 else { return }
        state.loggedBytes -= size
        left -= 1
      }
    }
    try written(code)
  }
}
