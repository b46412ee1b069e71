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

  /// Calls `body` with the bytes of the entry of a version, which are valid during the call only; nil if there
  /// is none, or it was trimmed.
  package func withLogEntry<R>(_ version: Int, _ body: (UnsafeRawBufferPointer) throws -> R)
    rethrows -> R?
  {
    guard version >= 0 else { return nil }
    return try get(.log, .version(version)).map(body)
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

  /// Stores an entry in the change log for the version that this commit creates. The log keeps the newest
  /// entries that `limits` allow.
  package func setLogEntry(_ bytes: [UInt8], _ limits: LogLimits = LogLimits()) {
    changes.logEntry = bytes
    changes.logLimits = limits
  }

  /// Makes the commit one of settings alone, without a version, but in memory; to be called before anything is
  /// changed.
  package func keepVersion() { changes.keepsVersion = snapshot.isChecked }

  /// Entries are removed in batches, so that not every commit pays for a removal.
  private static let trimmedAtOnce = 256

  /// Advances the state, and the log with it, to the version that this commit creates.
  ///
  /// In memory the number of the transaction is enough, if that has written anything at all: LMDB gives none to a
  /// transaction without changes.
  func flushState() throws(StorageError) {
    if !snapshot.isChecked, changes.hasPut, changes.logEntry == nil { return }
    let state = try nextState()
    try state.withContent { content throws(StorageError) in try snapshot.put(.meta, .state, content)
    }
  }

  /// Writes the entry of the log, and returns the state after the version that the changes so far make.
  func nextState() throws(StorageError) -> StoreState {
    var state = snapshot.state
    if !changes.keepsVersion { state.version += 1 }
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
    return state
  }

  /// Removes all entries, so that a full disk allows a deletion whose entry it has no space for. Sessions
  /// that are behind compare versions, as they do when the log was trimmed.
  private func clearLog(_ state: inout StoreState) throws(StorageError) {
    try snapshot.written(mdb_drop(snapshot.transaction, snapshot.databases.log, 0))
    changes.digest[.log] = 0 &- snapshot.state.digest[.log]
    state.loggedBytes = 0
  }

  private func trimLog(_ state: inout StoreState) throws(StorageError) {
    let limits = changes.logLimits
    var statistics = MDB_stat()
    mdb_stat(snapshot.transaction, snapshot.databases.log, &statistics)
    let kept = min(limits.entries, snapshot.environment.loggedEntries)
    let limit = kept + min(kept, Self.trimmedAtOnce)
    let isFull = statistics.ms_entries >= limit || state.loggedBytes > limits.bytes
    guard isFull || limits.isExpired != nil else { return }
    // Trims below the limit by a batch; otherwise every commit would have to remove entries.
    let keptBytes = state.loggedBytes > limits.bytes ? limits.bytes / 16 * 15 : limits.bytes
    var code: Int32 = 0
    snapshot.withCursor(.log) { cursor in
      var left = Int(statistics.ms_entries)
      while left > 1 {
        var key = MDB_val()
        var value = MDB_val()
        code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        guard code == 0 else { return }
        let record = UnsafeRawBufferPointer(value)
        let isOver = isFull && (left > kept || state.loggedBytes > keptBytes)
        guard isOver || limits.isExpired?(record.withoutTrailer) ?? false else { return }
        let size = record.withoutTrailer.count
        if snapshot.isChecked, record.count >= RecordTrailer.size {
          changes.digest[.log] &-= RecordTrailer(endOf: record).digest
        }
        code = mdb_cursor_del(cursor, 0)
        guard code == 0 else { return }
        state.loggedBytes -= size
        left -= 1
      }
    }
    try snapshot.written(code)
  }
}

/// How many of its newest entries the change log keeps: as many as every limit allows, and at least one.
package struct LogLimits: Sendable {
  /// The size of all entries, in bytes.
  package var bytes: Int
  package var entries: Int
  /// Whether an entry is too old; nil to keep entries of any age.
  package var isExpired: (@Sendable (UnsafeRawBufferPointer) -> Bool)?

  package init(
    bytes: Int = .max, entries: Int = .max / 2,
    isExpired: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil
  ) {
    self.bytes = bytes
    self.entries = entries
    self.isExpired = isExpired
  }
}
