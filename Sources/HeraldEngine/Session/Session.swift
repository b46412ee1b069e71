import Glibc
package import HeraldModel
package import HeraldObservation
package import HeraldQuery
import HeraldStorage

/// One thread's view of a store, at one version: reads, writes, and the pending changes of its observers.
///
/// What changes is of three parts, each with its states and transitions: the version that it reads (`position`), its write
/// (`writing`), and the deliveries to its observers (`delivery`). It ends with `close`, after which it only reads.
///
/// Every member belongs to the session's thread; only `dropped` may be used from others.
package final class Session {
  package let hub: StoreHub
  let position: SessionPosition
  package let writing: SessionWriting
  let delivery = SessionDelivery()
  /// The addresses of values that were read, for later reads.
  package let addresses = SessionAddresses()
  package let observatory = Observatory()
  /// Tokens that were released, until the session's thread invalidates them.
  package let dropped = DroppedTokens()
  /// Whether it was opened read-only; other sessions of the file may write.
  private let readsOnly: Bool
  package var autorefresh = true {
    // The session stays at the version that is the newest now.
    didSet { if !autorefresh { resumeOnUse() } }
  }
  /// What the log says about who commits.
  @exclusivity(unchecked) private(set) var writer = CommitWriter(
    session: "", process: processNumber)
  /// The last frozen session, shared by everything frozen at that version.
  weak var lastFrozen: Session?
  /// The last frozen session of an earlier version.
  weak var lastPast: Session?
  @exclusivity(unchecked) var repeatedInsertions = RepeatedInsertions()
  /// The primary keys of objects that commits of the log deleted, as far as it was searched for them.
  @exclusivity(unchecked) var loggedKeys = LoggedKeys()
  @exclusivity(unchecked) package private(set) var isClosed = false

  /// Opens the store at `path`, whose first commit makes the file if there is none; nil creates one in memory.
  /// `fileMode` applies to new files, `sizeLimit` is in bytes.
  package convenience init(
    path: String?, readOnly: Bool, fileMode: UInt32 = 0o600, sizeLimit: Int? = nil
  ) throws {
    let environment = try stored { () throws(StorageError) in
      try StorageEnvironment.open(
        path.map { .file($0) } ?? .memory, readOnly: readOnly, mapSize: sizeLimit,
        permissions: fileMode)
    }
    try self.init(StoreHub.hub(of: environment), readsOnly: readOnly)
  }

  package init(_ hub: StoreHub, readsOnly: Bool = false) throws {
    self.hub = hub
    self.readsOnly = readsOnly
    let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
    let layout = try hub.layout(of: transaction.metadata(schemaName))
    position = SessionPosition(
      .live, at: transaction.version, TransactionReader(transaction, layout: layout),
      addresses.epoch)
    writing = SessionWriting(addresses.epoch)
    observatory.nanoseconds = {
      // Called twice per report: Dispatch's clock, which reads the same source, costs several times more.
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
    position.enter(hub)
  }

  /// Creates a frozen session at the version of `reader`, or at the earlier one of a frozen session over it.
  init(frozen mode: SessionPosition.Mode, at version: Int, _ reader: SharedReader, _ hub: StoreHub)
  {
    self.hub = hub
    readsOnly = false
    position = SessionPosition(mode, at: version, reader.reader, addresses.epoch)
    writing = SessionWriting(addresses.epoch)
  }

  deinit {
    if let write = writing.open {
      write.abandon(hub)
      endWrite()
      leaveWriterLock(of: write)
    }
    position.leave(hub)
  }

  /// Returns another session of the same store, for another thread.
  package func sibling() throws -> Session {
    try checkOpen()
    return try Session(hub, readsOnly: readsOnly)
  }

  /// Returns another session of the same store that only reads.
  package func readingSibling() throws -> Session {
    try checkOpen()
    return try Session(hub, readsOnly: true)
  }

  /// Returns a session that shares no more with the others than one of another process would: for tests.
  package func apart() throws -> Session { try Session(hub.apart()) }

  /// Sets the minimum number of entries that this process leaves in the log when it commits.
  package func keepLog(entries: Int) { hub.environment.keepLog(entries: entries) }

  /// Calls `wake`, on any thread, after each commit that is not this session's own, as long as the returned
  /// object is held.
  package func subscribeToCommits(_ wake: @escaping @Sendable () -> Void) throws
    -> CommitSubscription
  {
    try checkOpen()
    return CommitSubscription(hub, try hub.listen(besides: ObjectIdentifier(self), wake))
  }

  /// Returns whether this process has the file at `path` open as a store, or as the lock file of one.
  package static func isOpen(fileAt path: String) -> Bool {
    StorageEnvironment.isOpen(fileAt: path)
  }

  package var path: String? { hub.environment.path }
  /// Whether the store has a file: one that was not there gets it with its first commit.
  package var hasFile: Bool { hub.environment.hasFile }
  /// The maximum memory of a write transaction of this process, in bytes.
  package var writeLimit: Int {
    get { hub.environment.writeLimit }
    set { hub.environment.writeLimit = newValue }
  }
  /// Whether each commit of this process is on the disk when it returns.
  package var syncsEveryCommit: Bool {
    get { hub.environment.syncsEveryCommit }
    set { hub.environment.syncsEveryCommit = newValue }
  }
  package var isReadOnly: Bool { readsOnly || hub.environment.isReadOnly }
  package var isInWrite: Bool { writing.reference != nil }
  package var isDelivering: Bool { delivery.isRunning }
  /// Whether the session stays at its version, and every thread can read it.
  package var isFrozen: Bool { position.isFrozen }
  /// Whether others read the session's version, too.
  package var isShared: Bool { position.isShared }
  /// Whether the session is frozen at an earlier version than the one that its file had then.
  package var isPast: Bool { position.previous != nil }
  /// The committed version that the session is at.
  package var version: Int { position.version }
  /// The name that the list of readers shows for the session's version.
  package var name: String {
    get { writer.session }
    set {
      guard newValue != name else { return }
      writer = CommitWriter(session: newValue, process: processNumber)
      position.rename(newValue)
    }
  }
  /// Stops queries, first scans and changes of many objects.
  package var interruption: Interruption? {
    get { observatory.interruption }
    set { observatory.interruption = newValue }
  }

  /// The reader of the session's version; resumes a session that rests.
  package var snapshot: TransactionReader {
    @inline(__always) get {
      if position.isResting { resumeOnUse() }
      return position.reader
    }
  }

  /// The session's version with the open write's changes so far.
  package var reader: any ObjectReader {
    if let reader = writing.reader { reader } else { standing }
  }

  /// The committed version that the session is at.
  package var standing: any ObjectReader {
    if let previous = position.previous { return previous }
    return position.shared ?? snapshot
  }

  /// Calls `body` with the committed version, under a lock if something frozen shares it; for an earlier
  /// version with the one that changes are undone of.
  @inline(__always)
  func standing<R>(_ body: (TransactionReader) throws -> R) rethrows -> R {
    if let shared = position.shared { return try shared.reading(body) }
    return try body(snapshot)
  }

  package func exists(_ object: ObjectID) -> Bool {
    if let exists = notedPresence(of: object) { return exists }
    if let reader = writing.reader { return reader.exists(object) }
    if let previous = position.previous { return previous.exists(object) }
    return standing { reader in
      defer { addresses.notePresence(of: object, in: reader.storage) }
      return reader.exists(object)
    }
  }

  package var schema: Schema {
    if let reader = writing.reader { return reader.layout.schema }
    return position.previous?.schema ?? snapshot.layout.schema
  }

  package func classSchema(named name: String) -> ClassSchema? {
    if let reader = writing.reader { return reader.layout.schema.classSchema(named: name) }
    return (position.previous?.schema ?? snapshot.layout.schema).classSchema(named: name)
  }

  /// Closes the session: its tokens stop without a notification, an open write is rolled back.
  package func close() {
    guard !isClosed else { return }
    if isInWrite { try? rollback() }
    observatory.invalidateAll()
    let queued = delivery.emptyQueue()
    isClosed = true
    addresses.epoch.block(.closed)
    for write in queued { write.onEnd?(HeraldError.closed) }
  }

  package func checkOpen() throws(HeraldError) {
    if isClosed { throw .closed }
  }

  /// Throws if the session is closed, or frozen and so read-only.
  package func checkLive() throws(HeraldError) {
    if isClosed { throw .closed }
    if isFrozen { throw .frozen }
  }

  static func schema(of bytes: [UInt8]?, path: String?) throws(HeraldError) -> Schema {
    guard let bytes else { return Schema() }
    do {
      return try Schema(encoded: bytes)
    } catch {
      throw .damaged(path: path ?? "", reason: "its schema cannot be read")
    }
  }
}

/// The name of the schema's entry in a store's metadata.
package let schemaName = "schema"
