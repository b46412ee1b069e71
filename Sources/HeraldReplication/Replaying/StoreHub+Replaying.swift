import HeraldEngine
import HeraldMaintenance
import HeraldModel
import HeraldStorage

// A store that follows a stream takes the commits of other machines from it. Its sessions read them from the
// log, as they do those of other processes.

extension StoreHub {
  /// Makes this process follow a stream, to which `replicator` appends commits; returns false if it does already.
  func follow(with replicator: any CommitReplicator) -> Bool {
    if self.replicator != nil { return false }
    self.replicator = replicator
    return true
  }

  /// The position and the version of the store in a file; nil if it follows no stream.
  static func position(
    ofFileAt path: String
  ) throws -> (position: StreamPosition, version: Int)? {
    try stored { () throws(StorageError) in
      let reader = try StorageEnvironment.open(.file(path), readOnly: true).beginRead()
      return StreamPosition(in: reader).map { ($0, reader.version) }
    }
  }

  /// The path of the store's file.
  var path: String? { environment.path }

  /// The number of the newest version.
  var newestVersion: Int {
    get throws { try stored { () throws(StorageError) in try environment.committedVersion() } }
  }

  /// Makes a new store follow a stream from its beginning; does nothing if it follows it already.
  ///
  /// Errors: `otherStream` if it follows another one, or has commits of its own.
  func begin(stream: String, named name: String) throws {
    try following { try beginAlone(stream, name) }
  }

  private func beginAlone(_ stream: String, _ name: String) throws {
    if let position = try position {
      if position.stream == stream { return }
      // While a stream is being made it may be replaced by that of another machine.
      guard position.sequence == 0 else { throw otherStream(name) }
    }
    guard try newestVersion == 0 else { throw otherStream(name) }
    try stored { () throws(StorageError) in
      let write = try environment.beginWrite()
      write.keepVersion()
      try write.setMetadata(
        StreamPosition.name, StreamPosition(stream: stream, sequence: 0).encoded)
      _ = try write.commit()
    }
  }

  private func otherStream(_ name: String) -> HeraldError {
    .otherStream(path: environment.path ?? "", stream: name)
  }

  /// Commits what other machines have committed, in one transaction and as the versions that they made; those
  /// that the store has already are skipped. Returns the newest position.
  ///
  /// Errors, after which nothing has changed: `damaged` if a commit does not fit the store.
  func replay(_ commits: ReceivedCommits) throws -> StreamPosition {
    try following { try replayAlone(commits) }
  }

  private func replayAlone(_ commits: ReceivedCommits) throws -> StreamPosition {
    let transaction = try stored { () throws(StorageError) in try environment.beginWrite() }
    guard let old = StreamPosition(in: transaction.snapshot) else { throw HeraldError.closed }
    var last = old.sequence
    var layout = try layout(of: transaction.snapshot.metadata(schemaName))
    let limits = LogLimits(of: Session.retention(in: transaction.snapshot), at: .now)
    let held = HeldRecords()
    transaction.hold(held)
    // Several commits may be in one message, and have its number.
    let buffer = MessageCompression.Buffer()
    try commits.forEach(after: old.sequence) { message, sequence in
      if last != old.sequence {
        try stored { () throws(StorageError) in try transaction.endVersion() }
      }
      do {
        let commit = try StreamCommit(message, in: buffer)
        try replay(commit, transaction, held, layout, limits)
        if commit.schemaChanged {
          layout = try self.layout(of: transaction.snapshot.metadata(schemaName))
        }
      } catch is DamagedBytes {
        throw damaged(
          "message \(sequence) of its stream cannot be read, or belongs to another version")
      }
      last = sequence
    }
    if last == old.sequence { return old }
    let position = StreamPosition(stream: old.stream, sequence: last)
    try stored { () throws(StorageError) in
      try transaction.setMetadata(StreamPosition.name, position.encoded)
      try transaction.endReplay(held)
      _ = try transaction.commit()
    }
    announceReplay()
    return position
  }

  private func replay(
    _ commit: StreamCommit, _ transaction: borrowing WriteTransaction, _ held: HeldRecords,
    _ layout: Layout, _ limits: LogLimits
  ) throws {
    guard commit.version == transaction.nextVersion else { throw DamagedBytes() }
    if commit.schemaChanged {
      try stored { () throws(StorageError) in try transaction.put(held) }
    }
    if commit.needsPreviousValues { transaction.prepareReading() }
    let storage = transaction.snapshot
    let entry = try commit.entry { TransactionReader(storage, layout: layout) }
    transaction.setLogEntry(entry, limits)
    try stored { () throws(StorageError) in try transaction.replay(commit.changes, held) }
  }

  /// Opens a copy that no session uses.
  static func open(fileAt path: String) throws -> StoreHub {
    hub(of: try stored { () throws(StorageError) in try StorageEnvironment.open(.file(path)) })
  }

  /// Replaces the content of the store, without its settings, by that of a copy at a newer version.
  func overwrite(with copy: StoreHub) throws {
    try following {
      try stored { () throws(StorageError) in
        try copy.environment.overwrite(
          environment, keeping: [retentionName, programSchemaVersionName])
      }
      announceReplay()
    }
  }

  private func damaged(_ reason: String) -> HeraldError {
    .damaged(path: environment.path ?? "", reason: reason)
  }
}
