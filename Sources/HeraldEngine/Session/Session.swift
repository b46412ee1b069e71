import Glibc
package import HeraldModel
package import HeraldObservation
package import HeraldQuery
import HeraldStorage
import Synchronization

/// One thread's view of a store, at one version: reads, writes, and what its observers are owed.
///
/// Every member belongs to the session's thread; `dropped` alone may be reached from others.
package final class Session {
  package let hub: StoreHub
  /// The committed version that the session stands at: its number, and what there is to read.
  package internal(set) var version: Int
  /// While the session rests, a reader without a version: to be used through `snapshot`.
  var held: TransactionReader<ReadTransaction>
  /// The version is released while nobody uses the session (`rest`).
  var isResting = false
  /// Why the session could not take a version again.
  var resumeFailure: (any Error)?
  /// Set where frozen things hold the session's version: they read `snapshot` too, each in its turn.
  var pinned: SharedReader?
  /// Whether the session stays at its version for good, and can be read by every thread.
  package let isFrozen: Bool
  /// Whether it was opened for reading only; others of the same file may write.
  private let readsOnly: Bool
  /// The frozen session that was made last, for others of the same version.
  weak var lastFrozen: Session?
  var writing = WriteState.none
  let observatory = Observatory()
  /// Tokens that nothing holds any more, until the session's thread invalidates them.
  package let dropped = DroppedTokens()
  package var autorefresh = true
  /// Stops questions, first scans and changes of many objects.
  package var interruption: Interruption? {
    get { observatory.interruption }
    set { observatory.interruption = newValue }
  }
  /// What ended all observers, until a delivery throws it.
  var failure: (any Error)?
  /// What others find by the session's version in the list of readers.
  package var name = "" {
    didSet { if name != oldValue { labelVersion() } }
  }
  var queue: [QueuedWrite] = []
  /// How many blocks have written in a row, each because of what the one before had written.
  var chain = 0
  /// A queued write is running.
  var isRunningQueue = false
  /// How many writes were committed or queued inside of blocks.
  var writesOfBlocks = 0 {
    didSet { hub.noteWriteOfBlock() }
  }
  /// Rounds of delivery under way, one inside the other.
  var deliveryDepth = 0
  /// Writes that were begun by hand inside deliveries of one another.
  var nestedBegins = 0
  /// Commits whose store tokens are being told, one in the block of the other.
  var nestedCommits = 0
  /// What property observers are owed of the write under way.
  var tellings = OwedTellings()
  /// Primary keys of objects that were deleted in what is being delivered.
  var graveyard: [ObjectID: Value] = [:]
  package private(set) var isClosed = false

  /// Whether a write is open, and what it has done so far.
  enum WriteState {
    case none
    /// The blocks that are owed something are being called before the write's first statement.
    case beginning
    case open(OpenWrite)
  }

  package struct QueuedWrite {
    let silencing: [TokenID]
    /// The length of the chain that it goes on.
    let chain: Int
    let body: () throws -> Void
  }

  /// Opens or creates the store at `path`; nil makes a new one in memory. `fileMode` is that of new
  /// files, `sizeLimit` in bytes.
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
    let transaction = try stored { () throws(StorageError) in try hub.environment.beginRead() }
    let layout = try hub.layout(of: transaction.metadata(schemaName))
    version = transaction.version
    held = TransactionReader(transaction, layout: layout)
    observatory.nanoseconds = {
      // Asked twice for each report: Dispatch's clock, which reads the same one, costs a few times more.
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
    hub.moved(self, to: version)
  }

  /// A session that stands at one version for good.
  init(frozen reader: SharedReader, _ hub: StoreHub) {
    self.hub = hub
    isFrozen = true
    readsOnly = false
    version = reader.version
    held = reader.reader
    pinned = reader
  }

  deinit {
    if case .open(let write) = writing {
      write.abandon(hub)
      hub.leaveWriter()
    }
    hub.left(ObjectIdentifier(self))
  }

  /// Another session of the same store, for another thread.
  package func sibling() throws -> Session {
    try checkOpen()
    return try Session(hub, readsOnly: readsOnly)
  }

  /// A session that knows of the others no more than one of another process would: for tests.
  package func apart() throws -> Session { try Session(hub.apart()) }

  /// How many entries this process leaves in the change log when it commits, at least.
  package func keepLog(entries: Int) { hub.environment.keepLog(entries: entries) }

  /// Calls `wake` after each commit that is not this session's own, from whichever thread, for
  /// as long as the answer is held.
  package func listenForCommits(_ wake: @escaping @Sendable () -> Void) throws -> CommitListening {
    try checkOpen()
    return CommitListening(hub, try hub.listen(besides: ObjectIdentifier(self), wake))
  }

  /// Whether this process has the file at `path` open as a store, or as the lock file of one.
  package static func isOpen(fileAt path: String) -> Bool {
    StorageEnvironment.isOpen(fileAt: path)
  }

  package var path: String? { hub.environment.path }
  /// The bytes of memory that a write transaction of this process may need.
  package var writeLimit: Int {
    get { hub.environment.writeLimit }
    set { hub.environment.writeLimit = newValue }
  }
  package var isReadOnly: Bool { readsOnly || hub.environment.isReadOnly }
  package var isInWrite: Bool { if case .open = writing { true } else { false } }
  package var isDelivering: Bool { deliveryDepth > 0 }

  /// What is read of the session's version; takes one again where the session rests.
  var snapshot: TransactionReader<ReadTransaction> {
    @inline(__always) get {
      if isResting { resumeOnUse() }
      return held
    }
    set { held = newValue }
  }

  /// The version that the session stands at, with the open write's changes so far.
  package var reader: any ObjectReader {
    if case .open(let write) = writing { write.reader } else { standing }
  }

  /// The committed version that the session stands at.
  var standing: any ObjectReader { pinned ?? snapshot }

  /// What `body` reads of the committed version; where frozen things hold it, alone.
  @inline(__always)
  func standing<R>(_ body: (TransactionReader<ReadTransaction>) throws -> R) rethrows -> R {
    if let pinned { return try pinned.reading(body) }
    return try body(snapshot)
  }

  package func exists(_ object: ObjectID) -> Bool {
    if case .open(let write) = writing { return write.reader.exists(object) }
    return standing { $0.exists(object) }
  }

  package var schema: Schema {
    if case .open(let write) = writing {
      write.reader.layout.schema
    } else {
      held.layout.schema
    }
  }

  package func classSchema(named name: String) -> ClassSchema? {
    if case .open(let write) = writing {
      write.reader.layout.schema.classSchema(named: name)
    } else {
      held.layout.schema.classSchema(named: name)
    }
  }

  /// Ends the session: its tokens stop silently, an open write is rolled back.
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

  /// What is frozen can be read, and nothing else.
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

/// The name of the schema's entry among a store's metadata.
let schemaName = "schema"

/// Where a token's end is noted from any thread, for its session to act on.
package final class DroppedTokens: Sendable {
  private let tokens = Mutex<[TokenID]>([])

  package func note(_ token: TokenID) { tokens.withLock { $0.append(token) } }

  func take() -> [TokenID] {
    tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
  }
}
