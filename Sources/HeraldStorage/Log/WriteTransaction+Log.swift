internal import CLMDB

extension WriteTransaction {
  /// Stores an entry in the log for the version that this commit creates. The log keeps the newest
  /// entries that `limits` allow.
  package func setLogEntry(_ bytes: [UInt8], _ limits: LogLimits = LogLimits()) {
    changes.logEntry = bytes
    changes.logLimits = limits
  }

  /// Entries are removed in batches, so that not every commit pays for a removal.
  private static let trimmedAtOnce = 256

  /// Adds the entry for the version of `state`, and removes those that the limits do not allow.
  func putLogEntry(_ entry: [UInt8], _ state: inout StoreState) throws(StorageError) {
    if changes.isDeleting, !snapshot.file.hasRoom(for: entry.count, in: snapshot.transaction) {
      return try clearLog(&state)
    }
    let key = FixedKey.version(state.version)
    if try !snapshot.append(toLog: entry, key) { try snapshot.put(.log, key, entry) }
    state.loggedBytes += entry.count
    try trimLog(&state)
  }

  /// Removes all entries, so that a full disk allows a deletion whose entry it has no space for. Sessions
  /// that are behind compare versions, as they do when the log was trimmed.
  private func clearLog(_ state: inout StoreState) throws(StorageError) {
    changes.journal.giveUp()
    try snapshot.written(mdb_drop(snapshot.transaction, snapshot.databases.log, 0))
    changes.digest[.log] = 0 &- snapshot.state.digest[.log]
    state.loggedBytes = 0
  }

  /// Whether the log may have too many entries, or some that are too old.
  private func isOverLimit(_ entries: Int, _ limits: LogLimits, _ state: StoreState) -> Bool {
    let kept = min(limits.entries, snapshot.environment.loggedEntries)
    if entries >= kept + min(kept, Self.trimmedAtOnce) || state.loggedBytes > limits.bytes {
      return true
    }
    guard let isExpired = limits.isExpired else { return false }
    var isOver = false
    snapshot.forEachRecord(.log, from: nil) { _, content in
      isOver = isExpired(content)
      return false
    }
    return isOver
  }

  private func trimLog(_ state: inout StoreState) throws(StorageError) {
    let limits = changes.logLimits
    var statistics = MDB_stat()
    mdb_stat(snapshot.transaction, snapshot.databases.log, &statistics)
    if snapshot.draft != nil {
      // A commit that trims the log is not one in the journal alone.
      let entries = Int(statistics.ms_entries) + (snapshot.journaled?.count ?? 0) + 1
      guard isOverLimit(entries, limits, state) else { return }
      try snapshot.beginOwn()
      mdb_stat(snapshot.transaction, snapshot.databases.log, &statistics)
    }
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
        changes.journal.noteTrimmedEntry(UnsafeRawBufferPointer(key))
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
