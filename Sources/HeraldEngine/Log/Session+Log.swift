package import HeraldModel
import HeraldObservation
package import HeraldStorage

// The log of commits: in memory the hub has it, a file has it in LMDB.

extension Session {
  /// The oldest version that can be read: the one before the oldest commit that the log keeps. Without a log
  /// the session's own.
  package var oldestVersion: Int {
    get throws {
      try checkOpen()
      return (try oldestLogVersion).map { $0 - 1 } ?? version
    }
  }

  /// The version that the oldest commit of the log made; nil for an empty log.
  package var oldestLogVersion: Int? {
    get throws {
      if hub.environment.isInMemory { return hub.oldestLogVersion }
      let reader = logReader
      return keptEntries(reader.storage.oldestLogVersion, try retention, reader)
    }
  }

  /// The reader whose version's log is read: that of the open write, to which nobody can add.
  var logReader: TransactionReader { writing.reader ?? snapshot }

  /// Returns the first of the log's entries that the limit allows; entries are removed some at a time.
  private func keptEntries(
    _ oldest: Int?, _ retention: LogRetention, _ reader: TransactionReader
  ) -> Int? {
    guard var oldest else { return nil }
    switch retention {
    case .all, .bytes: break
    case .commits(let count): oldest = max(oldest, version - count + 1)
    case .seconds(let seconds):
      let first = Timestamp.now.seconds - seconds
      // Most often none of them has expired since the last commit.
      var step = 1
      var end = oldest
      func isExpired(_ version: Int) -> Bool {
        (reader.storage.withLogEntry(version, CommitInfo.time(ofEntry:)) ?? nil)
          .map { $0.seconds < first } ?? false
      }
      while end < version, isExpired(end) {
        oldest = end + 1
        end = min(version, end + step)
        step *= 2
      }
      oldest = (oldest..<end).partitionPoint(isExpired)
    }
    return oldest
  }

  /// Returns a commit of the log.
  ///
  /// Errors: `noSuchVersion`, `versionNotKept`.
  package func loggedCommit(_ version: Int) throws -> LoggedCommit {
    try checkOpen()
    try check(version, isCommit: true)
    if let commit = try commitIfLogged(version) { return commit }
    throw HeraldError.versionNotKept(version, oldest: try oldestIntactCommit())
  }

  /// Returns what the log says about a commit besides its changes, which are not decoded. Errors: those of
  /// `loggedCommit`.
  func loggedInfo(_ version: Int) throws -> CommitInfo {
    try check(version, isCommit: true)
    let entry = hub.environment.isInMemory ? nil : logReader.storage.logEntry(version)
    guard let entry else { return try loggedCommit(version).info }
    let info = try decoding(version) { () throws(DamagedBytes) in try CommitInfo(ofEntry: entry) }
    return try info ?? loggedCommit(version).info
  }

  /// Throws if the store cannot be read at a version.
  ///
  /// Errors: `noSuchVersion`, `versionNotKept`, `closed`.
  package func checkKept(_ version: Int) throws {
    try checkOpen()
    try check(version)
  }

  /// Throws if the log does not reach a version. `isCommit`: whether the commit itself is needed, and not only
  /// the version that it made.
  func check(_ wanted: Int, isCommit: Bool = false) throws {
    guard wanted >= 0, wanted <= version else {
      throw HeraldError.noSuchVersion(wanted, newest: version)
    }
    if isCommit, wanted == 0 { throw HeraldError.noSuchVersion(0, newest: version) }
    let oldest = (try oldestLogVersion ?? version + 1) - (isCommit ? 0 : 1)
    if wanted < oldest { throw HeraldError.versionNotKept(wanted, oldest: oldest) }
  }

  /// Returns the oldest of the newest commits that can all be read.
  private func oldestIntactCommit() throws -> Int {
    var version = version
    while version > 0, try commitIfLogged(version) != nil { version -= 1 }
    return version + 1
  }

  /// Returns a commit of the log; nil if the log does not have it.
  func commitIfLogged(_ version: Int) throws -> LoggedCommit? {
    if hub.environment.isInMemory { return hub.loggedCommit(version) }
    return try logReader.storage.logEntry(version).flatMap { try commit(of: $0, version) }
  }

  /// The size of a commit in the log, in bytes: of its entry in a file, or an estimate in memory.
  package func loggedSize(_ version: Int) -> Int {
    hub.environment.isInMemory
      ? hub.loggedSize(version) : logReader.storage.withLogEntry(version) { $0.count } ?? 0
  }

  /// Decodes an entry; nil for one in the format of another version.
  func commit(of bytes: [UInt8], _ version: Int) throws -> LoggedCommit? {
    try decoding(version) { () throws(DamagedBytes) in try LoggedCommit(encoded: bytes) }
  }

  private func decoding<R>(
    _ version: Int, _ body: () throws(DamagedBytes) -> R
  ) throws -> R {
    do {
      return try body()
    } catch {
      throw HeraldError.damaged(path: path ?? "", reason: "log entry \(version) cannot be read")
    }
  }

  /// Returns the last version that was committed at a time or before; one of several, if the clock was set back by more
  /// than a minute. O(log of the distance from the newest version).
  ///
  /// Errors: `timeNotKept` if that is before the oldest version.
  package func version(at time: Timestamp) throws -> Int {
    try checkOpen()
    let oldest = try oldestVersion
    func isLater(_ version: Int) -> Bool {
      let committed: Timestamp? =
        if hub.environment.isInMemory {
          hub.loggedCommit(version)?.info.time
        } else {
          logReader.storage.withLogEntry(version, CommitInfo.time(ofEntry:)) ?? nil
        }
      return committed.map { $0 > time } ?? true
    }
    // The oldest version has no commit in the log.
    var (found, later, step) = (oldest, version + 1, 1)
    while found == oldest, later - found > 1 {
      let candidate = max(oldest + 1, later - step)
      if isLater(candidate) { later = candidate } else { found = candidate }
      step *= 2
    }
    found = (found + 1..<later).partitionPoint { !isLater($0) } - 1
    if found > oldest { return found }
    if oldest > 0 { throw HeraldError.timeNotKept(time, oldest: oldest) }
    return 0
  }

  // MARK: Retention

  /// How much of the log the store keeps.
  package var retention: LogRetention {
    get throws {
      try checkOpen()
      if hub.environment.isInMemory { return hub.retention }
      // A setting makes no version, so the session's own may lack it.
      return try stored { () throws(StorageError) in
        try Self.retention(in: hub.environment.beginRead())
      }
    }
  }

  package static func retention(in storage: StorageSnapshot) -> LogRetention {
    guard let bytes = storage.metadata(retentionName) else { return .standard }
    return LogRetention(String(decoding: bytes, as: UTF8.self)) ?? .standard
  }

  /// Sets how much of the log the store keeps, in a transaction of its own that makes no version. What is over
  /// the limit is removed by the next commits.
  ///
  /// Errors: `writeInProgress`, `writerBusy`, `readOnly`, `frozen`, `closed`.
  package func keep(_ retention: LogRetention) throws {
    try checkLive()
    guard !isReadOnly else { throw HeraldError.readOnly }
    guard writing.isNone else { throw HeraldError.writeInProgress }
    if hub.environment.isInMemory { return hub.keep(retention) }
    guard hub.writer.take(waiting: false) else { throw HeraldError.writerBusy }
    defer { hub.writer.leave() }
    try stored { () throws(StorageError) in
      let write = try hub.environment.beginWrite()
      write.keepVersion()
      try write.setMetadata(retentionName, Array(retention.description.utf8))
      _ = try write.commit()
    }
  }

}

extension LogLimits {
  /// The limits for an entry that is added at a time.
  package init(of retention: LogRetention, at now: Timestamp) {
    switch retention {
    case .all: self.init()
    case .commits(let count): self.init(entries: count)
    case .bytes(let bytes): self.init(bytes: bytes)
    case .seconds(let seconds):
      let first = now.seconds - seconds
      self.init { entry in CommitInfo.time(ofEntry: entry).map { $0.seconds < first } ?? true }
    }
  }
}

/// The name of the retention's entry in a store's metadata.
package let retentionName = "log"
