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
    try snapshot.put(.log, .version(state.version), entry)
    state.loggedBytes += entry.count
    try trimLog(&state)
  }

  /// Removes all entries, so that a full disk allows a deletion whose entry it has no space for. Sessions
  /// that are behind compare versions, as they do when the log was trimmed.
  private func clearLog(_ state: inout StoreState) throws(StorageError) {
    try snapshot.beginOwn()
    try snapshot.written(mdb_drop(snapshot.transaction, snapshot.databases.log, 0))
    changes.digest[.log] = 0 &- snapshot.state.digest[.log]
    state.loggedBytes = 0
  }

  private func trimLog(_ state: inout StoreState) throws(StorageError) {
    let limits = changes.logLimits
    let kept = min(limits.entries, snapshot.environment.loggedEntries)
    let limit = kept + min(kept, Self.trimmedAtOnce)
    // Counting takes a search for each entry of the overlay.
    let mayBeFull = snapshot.largestRecordCount(.log) >= limit || state.loggedBytes > limits.bytes
    guard mayBeFull || limits.isExpired != nil else { return }
    var left = snapshot.recordCount(.log)
    let isFull = left >= limit || state.loggedBytes > limits.bytes
    guard isFull || limits.isExpired != nil else { return }
    // Trims below the limit by a batch; otherwise every commit would have to remove entries.
    let keptBytes = state.loggedBytes > limits.bytes ? limits.bytes / 16 * 15 : limits.bytes
    var (trimmed, loggedBytes) = ([FixedKey](), state.loggedBytes)
    snapshot.forEachWholeRecord(.log, from: nil) { key, record in
      guard left > 1, let fixed = FixedKey(key) else { return false }
      let isOver = isFull && (left > kept || loggedBytes > keptBytes)
      guard isOver || limits.isExpired?(record.withoutTrailer) ?? false else { return false }
      trimmed.append(fixed)
      loggedBytes -= record.withoutTrailer.count
      left -= 1
      return true
    }
    for key in trimmed { try snapshot.delete(.log, key) }
    state.loggedBytes = loggedBytes
  }
}
