import Dispatch
import Glibc
package import HeraldModel
package import HeraldObservation
package import HeraldQuery
import HeraldStorage

/// One thread's view of a store, at one version: reads, writes, and the pending changes of its observers.
///
/// Every member belongs to the session's thread; only `dropped` may be used from others.
package final class Session {
  package let hub: StoreHub
  /// The committed version that the session is at.
  @exclusivity(unchecked) package internal(set) var version: Int
  /// The reader of that version, without one while the session rests: used through `snapshot`.
  @exclusivity(unchecked) var held: TransactionReader {
    didSet {
      heldStorage = Unmanaged.passUnretained(held.storage)
      noteReader(before: oldValue)
    }
  }
  /// The storage of `held`, which each delivery checks for damage, without counting references.
  @exclusivity(unchecked) private(set) var heldStorage: Unmanaged<StorageSnapshot>
  /// The session's index in the hub's `SessionVersions`; nil while it has none.
  @exclusivity(unchecked) var place: Int?
  /// Whether the version is released because nobody uses the session (`rest`).
  @exclusivity(unchecked) var isResting = false { didSet { noteReadability() } }
  /// The error with which the session failed to resume.
  @exclusivity(unchecked) var resumeFailure: (any Error)? { didSet { noteReadability() } }
  /// Set while something frozen holds the session's version: it reads `snapshot` too, under a lock.
  @exclusivity(unchecked) var pinned: SharedReader? { didSet { attachEpoch() } }
  /// The addresses of values that were read, for later reads.
  package let addresses = SessionAddresses()
  /// The reader of an earlier version that a frozen session has, over `pinned`, and the session of `pinned`.
  let past: PreviousReader?
  /// Whether the session is frozen at an earlier version than the one that its file had then.
  package var isPast: Bool { past != nil }
  let base: Session?
  /// The last frozen session of an earlier version.
  weak var lastPast: Session?
  /// Whether the session stays at its version, and every thread can read it.
  package let isFrozen: Bool
  /// Whether it was opened read-only; other sessions of the file may write.
  private let readsOnly: Bool
  /// The last frozen session, shared by everything frozen at that version.
  weak var lastFrozen: Session?
  @exclusivity(unchecked) var writing = WriteState.none {
    didSet {
      openReference =
        if case .open(let write) = writing { Unmanaged.passUnretained(write) } else { nil }
      noteReadability()
    }
  }
  /// The open write, if there is one: for each assignment, without counting references.
  @exclusivity(unchecked) private(set) var openReference: Unmanaged<OpenWrite>?
  /// The last write, if another one can begin with its memory. It reads through `held`.
  @exclusivity(unchecked) var spareWrite: OpenWrite?
  /// The reader of the session's version while its write is in a group of commits, and reads what is not committed yet.
  @exclusivity(unchecked) var readerBeforeGroup: TransactionReader?
  /// The error of the group that the open write had joined.
  @exclusivity(unchecked) var groupFailure: (any Error)?
  /// Whether the session's last write was so short that others can wait for the next one.
  @exclusivity(unchecked) var isBrief = false
  /// When the open write of a file has begun.
  @exclusivity(unchecked) var writeStart = DispatchTime(uptimeNanoseconds: 1)
  package let observatory = Observatory()
  /// Tokens that were released, until the session's thread invalidates them.
  package let dropped = DroppedTokens()
  package var autorefresh = true {
    // The session stays at the version that is the newest now.
    didSet { if !autorefresh { resumeOnUse() } }
  }
  /// Stops queries, first scans and changes of many objects.
  package var interruption: Interruption? {
    get { observatory.interruption }
    set { observatory.interruption = newValue }
  }
  /// The error that ended all observers, until a delivery throws it.
  @exclusivity(unchecked) var failure: (any Error)?
  /// The name that the list of readers shows for the session's version.
  package var name = "" {
    didSet {
      guard name != oldValue else { return }
      label = ReaderLabel(name)
      writer = CommitWriter(session: name, process: processNumber)
      labelVersion()
    }
  }
  /// What the log says about who commits.
  @exclusivity(unchecked) private(set) var writer = CommitWriter(
    session: "", process: processNumber)
  /// The name in the form of the table of readers.
  @exclusivity(unchecked) private(set) var label = ReaderLabel("")
  @exclusivity(unchecked) var queue: [QueuedWrite] = []
  @exclusivity(unchecked) var repeatedInsertions = RepeatedInsertions()
  /// How many statements of writes there were.
  @exclusivity(unchecked) var statements = 0
  /// How many blocks have written in a row, each in reaction to the previous one's write.
  @exclusivity(unchecked) var chain = 0
  /// Whether a queued write is running.
  @exclusivity(unchecked) var isRunningQueue = false
  /// How many writes blocks have committed or queued.
  var writesOfBlocks = 0 {
    didSet { hub.noteWriteOfBlock() }
  }
  /// The number of nested rounds of delivery.
  @exclusivity(unchecked) var deliveryDepth = 0
  /// The number of writes begun explicitly within nested deliveries.
  @exclusivity(unchecked) var nestedBegins = 0
  /// The number of nested commits whose store tokens are being notified.
  @exclusivity(unchecked) var nestedCommits = 0
  /// The pending notifications of property observers in the open write.
  @exclusivity(unchecked) var pendingPropertyReports = PendingPropertyReports()
  /// The primary keys of objects deleted in the changes being delivered.
  @exclusivity(unchecked) var deletedKeys: [ObjectID: Value] = [:]
  /// The primary keys of objects that commits of the log deleted, as far as it was searched for them.
  @exclusivity(unchecked) var loggedKeys = LoggedKeys()
  @exclusivity(unchecked) package private(set) var isClosed = false { didSet { noteReadability() } }

  /// The state of the session's write.
  enum WriteState {
    case none
    /// Blocks with pending changes are being called before the write's first statement.
    case beginning
    case open(OpenWrite)
  }

  package struct QueuedWrite {
    let silencing: [TokenID]
    let message: String?
    /// The length of the chain that it continues.
    let chain: Int
    let body: () throws -> Void
  }

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
    isFrozen = false
    (past, base) = (nil, nil)
    let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
    let layout = try hub.layout(of: transaction.metadata(schemaName))
    version = transaction.version
    held = TransactionReader(transaction, layout: layout)
    heldStorage = Unmanaged.passUnretained(transaction)
    observatory.nanoseconds = {
      // Called twice per report: Dispatch's clock, which reads the same source, costs several times more.
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
    hub.moved(&place, to: version)
    attachEpoch()
  }

  /// Creates a frozen session.
  init(frozen reader: SharedReader, _ hub: StoreHub) {
    self.hub = hub
    isFrozen = true
    readsOnly = false
    (past, base) = (nil, nil)
    version = reader.version
    held = reader.reader
    heldStorage = Unmanaged.passUnretained(held.storage)
    pinned = reader
  }

  /// Creates a frozen session at an earlier version than the frozen session `base`, whose reader is `reader`.
  init(past: PreviousReader, at version: Int, over base: Session, _ reader: SharedReader) {
    hub = base.hub
    isFrozen = true
    readsOnly = false
    self.past = past
    self.base = base
    self.version = version
    held = reader.reader
    heldStorage = Unmanaged.passUnretained(held.storage)
    pinned = reader
  }

  deinit {
    if case .open(let write) = writing {
      write.abandon(hub)
      restoreReader()
      leaveWriterLock(of: write)
    }
    hub.left(&place)
  }

  /// Returns another session of the same store, for another thread.
  package func sibling() throws -> Session {
    try checkOpen()
    return try Session(hub, readsOnly: readsOnly)
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
  package var isInWrite: Bool { openReference != nil }
  package var isDelivering: Bool { deliveryDepth > 0 }

  /// The reader of the session's version; resumes a session that rests.
  var snapshot: TransactionReader {
    @inline(__always) get {
      if isResting { resumeOnUse() }
      return held
    }
    set { held = newValue }
  }

  /// The session's version with the open write's changes so far.
  package var reader: any ObjectReader {
    if case .open(let write) = writing { write.reader } else { standing }
  }

  /// The committed version that the session is at.
  var standing: any ObjectReader {
    if let past { return past }
    return pinned ?? snapshot
  }

  /// Calls `body` with the committed version, under a lock if something frozen shares it; for an earlier
  /// version with the one that `past` undoes changes of.
  @inline(__always)
  func standing<R>(_ body: (TransactionReader) throws -> R) rethrows -> R {
    if let pinned { return try pinned.reading(body) }
    return try body(snapshot)
  }

  package func exists(_ object: ObjectID) -> Bool {
    if let exists = notedPresence(of: object) { return exists }
    if case .open(let write) = writing { return write.reader.exists(object) }
    if let past { return past.exists(object) }
    return standing { reader in
      defer { addresses.notePresence(of: object, in: reader.storage) }
      return reader.exists(object)
    }
  }

  package var schema: Schema {
    if case .open(let write) = writing {
      write.reader.layout.schema
    } else {
      past?.schema ?? snapshot.layout.schema
    }
  }

  package func classSchema(named name: String) -> ClassSchema? {
    if case .open(let write) = writing {
      write.reader.layout.schema.classSchema(named: name)
    } else {
      (past?.schema ?? snapshot.layout.schema).classSchema(named: name)
    }
  }

  /// Closes the session: its tokens stop without a notification, an open write is rolled back.
  package func close() {
    guard !isClosed else { return }
    if isInWrite { try? rollback() }
    observatory.invalidateAll()
    queue = []
    isClosed = true
  }

  package func checkOpen() throws(HeraldError) {
    if isClosed { throw .closed }
  }

  /// Throws if the session is closed, or frozen and so read-only.
  func checkLive() throws(HeraldError) {
    try checkOpen()
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
