package import HeraldModel
import HeraldObservation
package import HeraldStorage
import Synchronization

/// What the sessions of one store share in this process: the environment, the writer lock and the outbox
/// of commit records, in the order of their versions.
package final class StoreHub: Sendable {
  package let environment: StorageEnvironment

  /// Held from the beginning of a write until its session is at the new version.
  package let writer: SessionWriterLock
  private let outbox = Mutex(Outbox())
  /// The log of a store in memory.
  private let log = Mutex(MemoryLog())
  /// What the next write transaction has to keep of the log of a file, if its number is this one.
  private let knownRetention = Mutex<(transaction: UInt64, retention: LogRetention)?>(nil)
  let clock = CommitClock()
  /// The numbers of classes and properties that rolled-back writes have used.
  private let schemaNumbers = Mutex(SchemaNumbers())

  /// Appends commits to the stream that the store follows, if this process has opened it.
  private let knownReplicator = Mutex<(any CommitReplicator)?>(nil)

  package var replicator: (any CommitReplicator)? {
    get { knownReplicator.withLock { $0 } }
    set {
      knownReplicator.withLock { replicator in
        replicator = newValue
        isReplicating.store(newValue != nil, ordering: .releasing)
      }
    }
  }

  private let isReplicating = Atomic(false)

  /// Whether there is a replicator: without a lock, since every write reads it.
  var hasReplicator: Bool { isReplicating.load(ordering: .acquiring) }

  /// How many writes the blocks of all sessions have committed or queued.
  private let countOfBlockWrites = Atomic(0)

  package var writesOfBlocks: Int { countOfBlockWrites.load(ordering: .relaxed) }

  func countWriteOfBlock() { countOfBlockWrites.add(1, ordering: .relaxed) }

  /// The layout of the schema that was last read or written, with its encoded bytes.
  private let lastLayout = Mutex<(bytes: [UInt8], layout: Layout)?>(nil)

  /// The records that some session has not taken yet, with the version of each session.
  private struct Outbox {
    var records: [CommitRecord] = []
    var sessions = SessionVersions()
    var subscriptions = CommitSubscriptions()

    mutating func trim() {
      let oldest = sessions.oldest
      guard let first = records.first, first.lastVersion <= oldest else { return }
      if records[records.count - 1].lastVersion <= oldest {
        records.removeAll(keepingCapacity: records.count < 16)
      } else {
        records.removeAll { $0.lastVersion <= oldest }
      }
    }
  }

  private static let hubs = Mutex<[ObjectIdentifier: WeakHub]>([:])

  private struct WeakHub { weak var hub: StoreHub? }

  private init(environment: StorageEnvironment, writer: SessionWriterLock) {
    self.environment = environment
    self.writer = writer
  }

  /// Returns the hub of an environment: one per process, which all sessions of a file share.
  package static func hub(of environment: StorageEnvironment) -> StoreHub {
    hubs.withLock { hubs in
      hubs = hubs.filter { $0.value.hub != nil }
      let key = ObjectIdentifier(environment)
      if let hub = hubs[key]?.hub { return hub }
      let hub = StoreHub(environment: environment, writer: SessionWriterLock())
      hubs[key] = WeakHub(hub: hub)
      return hub
    }
  }

  /// Returns a hub that shares only the environment and the writer lock with this one, like that of
  /// another process: for tests.
  package func apart() -> StoreHub { StoreHub(environment: environment, writer: writer) }

  /// Caches the layout of a schema that was read or written.
  func note(_ layout: Layout, _ bytes: [UInt8]) { lastLayout.withLock { $0 = (bytes, layout) } }

  /// Returns the layout of an encoded schema; nil is an empty one. The last one is cached.
  package func layout(of bytes: [UInt8]?) throws(HeraldError) -> Layout {
    guard let bytes else { return Layout(schema: Schema()) }
    if let last = lastLayout.withLock({ $0 }), last.bytes.isEqual(to: bytes) {
      return last.layout
    }
    let layout = Layout(schema: try Session.schema(of: bytes, path: environment.path))
    note(layout, bytes)
    return layout
  }

  /// Moves a session to a version; `place` is its own, nil for one that has none yet.
  func move(_ place: inout Int?, to version: Int) {
    outbox.withLock { outbox in
      if let place {
        outbox.sessions.move(place, to: version)
      } else {
        place = outbox.sessions.add(version)
      }
      outbox.trim()
    }
  }

  /// Whether this process has at most one session of the store.
  var isAlone: Bool { outbox.withLock { $0.sessions.count <= 1 } }

  func leave(_ place: inout Int?) {
    guard let lastPlace = place.take() else { return }
    outbox.withLock { outbox in
      outbox.sessions.remove(lastPlace)
      outbox.trim()
    }
  }

  /// Records the numbers that a rolled-back write has used.
  func keep(_ numbers: SchemaNumbers) { schemaNumbers.withLock { $0.formUnion(numbers) } }

  /// Returns a schema that a write is about to change: its next numbers are ones that no write of this
  /// process has used before.
  func continued(_ schema: Schema) -> Schema { schemaNumbers.withLock { $0 }.continued(schema) }

  /// Makes the record of a commit known to the other sessions and, in memory, to the log.
  func publish(_ commit: PreparedCommit) {
    let record = commit.record
    if environment.isInMemory {
      log.withLock { log in
        if commit.message == nil, commit.reversal == nil, let single = record.single {
          log.append(single, version: record.lastVersion, at: commit.time, by: commit.writer)
        } else {
          log.append(LoggedCommit(info: commit.info, record: record))
        }
      }
    }
    outbox.withLock {
      // Nobody else needs it, and in memory the log has it for a session that is just being made.
      if $0.sessions.count > 1 || !environment.isInMemory { $0.records.append(record) }
      $0.subscriptions.note(record.lastVersion)
    }
  }

  /// Withdraws the record of a commit that failed.
  func withdraw(version: Int) {
    log.withLock { $0.removeLast(version: version) }
    outbox.withLock {
      $0.records.removeAll { $0.firstVersion == version }
      $0.subscriptions.forgetVersion()
    }
    announceElsewhere()
  }

  /// Returns this process's records between two versions, in order; those of other processes are missing.
  func records(after old: Int, through new: Int) -> [CommitRecord] {
    let records = outbox.withLock { outbox in
      let later = outbox.records[outbox.records.partitionPoint { $0.firstVersion <= old }...]
      return Array(later.prefix { $0.lastVersion <= new })
    }
    if !environment.isInMemory || records.count >= new - old { return records }
    let logged = log.withLock { log in (old + 1...new).map { log.commit($0)?.record } }
    return logged.allSatisfy { $0 != nil } ? logged.compactMap(\.self) : records
  }
}

// MARK: The log of a store in memory

extension StoreHub {
  func loggedCommit(_ version: Int) -> LoggedCommit? { log.withLock { $0.commit(version) } }

  func loggedSize(_ version: Int) -> Int { log.withLock { $0.size(of: version) } }

  /// The version of the oldest commit in the log.
  var oldestLogVersion: Int? { log.withLock { $0.oldest } }

  var retention: LogRetention { log.withLock { $0.retention } }

  /// The retention of a file's log for a write transaction with this number; nil unless it follows a commit of this
  /// process, which has read it.
  func retention(ofTransaction number: UInt64) -> LogRetention? {
    knownRetention.withLock { $0?.transaction == number ? $0?.retention : nil }
  }

  /// Notes the retention of a committed transaction with this number, which has not changed it.
  func note(_ retention: LogRetention, ofTransaction number: UInt64) {
    knownRetention.withLock { $0 = (number + 1, retention) }
  }

  func keep(_ retention: LogRetention) {
    log.withLock {
      $0.retention = retention
      $0.trim(at: .now)
    }
  }
}

// MARK: Waking

extension StoreHub {
  /// Calls `wake`, on any thread, after every commit of this process or another that is not the session's
  /// own; possibly once for several commits, and possibly when nothing is new. It must not block.
  func listen(
    besides session: ObjectIdentifier, _ wake: @escaping @Sendable () -> Void
  ) throws -> Int {
    let (number, isFirst) = outbox.withLock { outbox in
      (outbox.subscriptions.add(session, wake), outbox.subscriptions.count == 1)
    }
    guard isFirst else { return number }
    do {
      let watch = try stored { () throws(StorageError) in
        try environment.watchCommits { [weak self] in self?.announceElsewhere() }
      }
      outbox.withLock { $0.subscriptions.keep(watch) }
    } catch {
      ignore(number)
      throw error
    }
    // The watch missed commits that were made before it began.
    announceElsewhere()
    return number
  }

  func ignore(_ number: Int) {
    // The watch ends with the last subscription, and must be released outside of the lock.
    let ended = outbox.withLock { $0.subscriptions.remove(number) }
    withExtendedLifetime(ended) {}
  }

  /// Wakes the other sessions after a session of this process has committed.
  func announce(by session: ObjectIdentifier) {
    for wake in outbox.withLock({ $0.subscriptions.wakes(besides: session) }) { wake() }
  }

  /// Wakes every session after commits of other machines.
  package func announceReplay() { announceElsewhere() }

  /// Wakes every session after another process has touched the store's file, unless the newest version is
  /// known already. If that version cannot be read, every session is woken once to find out why.
  private func announceElsewhere() {
    let newest = try? environment.committedVersion()
    for wake in outbox.withLock({ $0.subscriptions.wakes(newest: newest) }) { wake() }
  }
}

/// The subscriptions to commits, and the newest version that they were woken for.
private struct CommitSubscriptions {
  private var wakes: [Int: (session: ObjectIdentifier, wake: @Sendable () -> Void)] = [:]
  private var nextNumber = 0
  /// The newest version that needs no announcement any more.
  private var known = 0
  /// Whether the last attempt to read the newest version failed.
  private var isLost = false
  private var watch: CommitWatch?

  var count: Int { wakes.count }

  mutating func add(
    _ session: ObjectIdentifier, _ wake: @escaping @Sendable () -> Void
  ) -> Int {
    nextNumber += 1
    wakes[nextNumber] = (session, wake)
    return nextNumber
  }

  mutating func keep(_ new: CommitWatch?) { if !wakes.isEmpty { watch = new } }

  mutating func remove(_ number: Int) -> CommitWatch? {
    wakes[number] = nil
    return wakes.isEmpty ? watch.take() : nil
  }

  mutating func note(_ version: Int) { known = max(known, version) }

  mutating func forgetVersion() { known = 0 }

  func wakes(besides session: ObjectIdentifier) -> [@Sendable () -> Void] {
    wakes.isEmpty ? [] : wakes.values.filter { $0.session != session }.map(\.wake)
  }

  mutating func wakes(newest: Int?) -> [@Sendable () -> Void] {
    let wasLost = isLost
    isLost = newest == nil
    guard newest.map({ $0 > known }) ?? !wasLost else { return [] }
    known = newest ?? known
    return wakes.values.map(\.wake)
  }
}
