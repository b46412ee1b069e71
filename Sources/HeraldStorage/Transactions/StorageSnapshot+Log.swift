internal import CLMDB

extension StorageSnapshot {
  static func metadataKey(_ name: String) -> [UInt8] { Array("m:\(name)".utf8) }

  /// Returns the bytes that `setMetadata` stored under a name.
  package func metadata(_ name: String) -> [UInt8]? {
    get(.meta, Self.metadataKey(name)).map { [UInt8]($0) }
  }

  /// Returns the entry that `setLogEntry` stored for a version; nil if there is none, or it was trimmed.
  package func logEntry(_ version: Int) -> [UInt8]? {
    guard version >= 0 else { return nil }
    return get(.log, .version(version)).map { [UInt8]($0) }
  }

  /// The oldest version with an entry in the log.
  package var oldestLogVersion: Int? {
    var oldest: Int?
    forEachRecord(.log, from: nil) { key, _ in
      oldest = Int(truncatingIfNeeded: key.bigEndian(at: 0, as: UInt64.self))
      return false
    }
    return oldest
  }
}

extension WriteTransaction {
  /// Stores bytes under a name of at most 500 bytes.
  package func setMetadata(_ name: String, _ bytes: [UInt8]) throws(StorageError) {
    try snapshot.put(.meta, StorageSnapshot.metadataKey(name), bytes)
  }

  /// Stores an entry in the change log for the version that this commit creates.
  ///
  /// The log keeps the last entries, up to 16 MiB.
  package func setLogEntry(_ bytes: [UInt8]) { changes.logEntry = bytes }

  /// The largest size of all entries, in bytes, unless a single entry is larger: some ten thousand
  /// commits of a few objects each, for sessions that are behind.
  static let loggedBytes = 16 << 20
  /// Entries are removed in batches, so that not every commit pays for a removal.
  private static let trimmedAtOnce = 256

  /// Advances the state, and the log with it, to the version that this commit creates.
  func flushState() throws(StorageError) {
    var state = snapshot.state
    state.version += 1
    if let entry = changes.logEntry {
      if changes.isDeleting, !snapshot.file.hasRoom(for: entry.count, in: snapshot.transaction) {
        try clearLog(&state)
      } else {
        try snapshot.put(.log, .version(state.version), entry)
        state.loggedBytes += entry.count
        try trimLog(&state)
      }
    }
    state.transaction = snapshot.transaction.number
    state.digest &+= changes.digest
    try state.withContent { content throws(StorageError) in try snapshot.put(.meta, .state, content)
    }
  }

  /// Removes all entries, so that a full disk allows a deletion whose entry it has no space for. Sessions
  /// that are behind compare versions, as they do when the log was trimmed.
  private func clearLog(_ state: inout StoreState) throws(StorageError) {
    try snapshot.written(mdb_drop(snapshot.transaction, snapshot.databases.log, 0))
    changes.digest[.log] = 0 &- snapshot.state.digest[.log]
    state.loggedBytes = 0
  }

  private func trimLog(_ state: inout StoreState) throws(StorageError) {
    var statistics = MDB_stat()
    mdb_stat(snapshot.transaction, snapshot.databases.log, &statistics)
    let kept = snapshot.environment.loggedEntries
    let limit = kept + min(kept, Self.trimmedAtOnce)
    guard statistics.ms_entries >= limit || state.loggedBytes > Self.loggedBytes else { return }
    // Trims below the limit by a batch; otherwise every commit would have to remove entries.
    let keptBytes =
      state.loggedBytes > Self.loggedBytes ? Self.loggedBytes / 16 * 15 : Self.loggedBytes
    var code: Int32 = 0
    snapshot.withCursor(.log) { cursor in
      var left = Int(statistics.ms_entries)
      while left > 1 && (left > kept || state.loggedBytes > keptBytes) {
        var key = MDB_val()
        var value = MDB_val()
        code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        let record = UnsafeRawBufferPointer(value)
        let size = record.withoutTrailer.count
        if snapshot.isChecked, code == 0, record.count >= RecordTrailer.size {
          changes.digest[.log] &-= RecordTrailer(endOf: record).digest
        }
        if code == 0 { code = mdb_cursor_del(cursor, 0) }
        guard code == 0 else { return }
        state.loggedBytes -= size
        left -= 1
      }
    }
    try snapshot.written(code)
  }
}
