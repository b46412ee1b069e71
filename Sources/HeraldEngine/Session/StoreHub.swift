package import HeraldModel
import HeraldObservation
package import HeraldQuery
package import HeraldStorage
import Synchronization

/// What the sessions of one store share in this process: the environment, the writer's place and the
/// outbox of commit records, in the order of their versions.
package final class StoreHub: Sendable {
  package let environment: StorageEnvironment

  /// Held from the beginning of a write to the moment its session stands at the new version.
  private let writer: WriterPlace
  private let outbox = Mutex(Outbox())
  /// The numbers of classes and properties that rolled-back writes gave out.
  private let schemaNumbers = Mutex(SchemaNumbers())

  /// How many writes blocks have committed or queued, of whichever session.
  private let countOfBlockWrites = Atomic(0)

  package var writesOfBlocks: Int { countOfBlockWrites.load(ordering: .relaxed) }

  func noteWriteOfBlock() { countOfBlockWrites.add(1, ordering: .relaxed) }

  /// The schema that was read or written last, by its bytes.
  private let lastLayout = Mutex<(bytes: [UInt8], layout: Layout)?>(nil)

  /// The records that some session has still to take; the versions say which.
  private struct Outbox {
    var records: [CommitRecord] = []
    var sessions: [ObjectIdentifier: Int] = [:]
    /// How many sessions stand at each version.
    var counts: [Int: Int] = [:]
    var listeners = Listeners()

    mutating func move(_ id: ObjectIdentifier, to version: Int) {
      if let old = sessions.updateValue(version, forKey: id) { leave(old) }
      counts[version, default: 0] += 1
      trim()
    }

    mutating func remove(_ id: ObjectIdentifier) {
      if let old = sessions.removeValue(forKey: id) { leave(old) }
      trim()
    }

    private mutating func leave(_ version: Int) {
      let left = (counts[version] ?? 1) - 1
      counts[version] = left == 0 ? nil : left
    }

    mutating func trim() {
      guard let first = records.first else { return }
      let oldest = counts.keys.min() ?? .max
      if first.lastVersion <= oldest { records.removeAll { $0.lastVersion <= oldest } }
    }
  }

  private static let hubs = Mutex<[ObjectIdentifier: WeakHub]>([:])

  private struct WeakHub { weak var hub: StoreHub? }

  private init(environment: StorageEnvironment, writer: WriterPlace) {
    self.environment = environment
    self.writer = writer
  }

  /// The hub of an environment: one in a process, so that every session of a file meets the others.
  package static func hub(of environment: StorageEnvironment) -> StoreHub {
    hubs.withLock { hubs in
      hubs = hubs.filter { $0.value.hub != nil }
      let key = ObjectIdentifier(environment)
      if let hub = hubs[key]?.hub { return hub }
      let hub = StoreHub(environment: environment, writer: WriterPlace())
      hubs[key] = WeakHub(hub: hub)
      return hub
    }
  }

  /// A hub that shares nothing with this one but the writer's place, as if it were another process's:
  /// for tests of what such a process sees.
  package func apart() -> StoreHub { StoreHub(environment: environment, writer: writer) }

  /// Remembers how a schema lies in storage that a write has put into the store.
  func note(_ layout: Layout, _ bytes: [UInt8]) { lastLayout.withLock { $0 = (bytes, layout) } }

  /// How a stored schema lies in storage; nil is none. The last one is not read again.
  func layout(of bytes: [UInt8]?) throws(HeraldError) -> Layout {
    guard let bytes else { return Layout(schema: Schema()) }
    if let last = lastLayout.withLock({ $0 }), last.bytes.isEqual(to: bytes) {
      return last.layout
    }
    let layout = Layout(schema: try Session.schema(of: bytes, path: environment.path))
    note(layout, bytes)
    return layout
  }

  func moved(_ session: Session, to version: Int) {
    outbox.withLock { $0.move(ObjectIdentifier(session), to: version) }
  }

  func left(_ session: ObjectIdentifier) {
    outbox.withLock {
      $0.remove(session)
    }
  }

  /// Waits for the writer's place; false where it is taken and `waiting` is false.
  func takeWriter(waiting: Bool) -> Bool { writer.take(waiting: waiting) }

  /// Whether nobody had the writer's place a moment ago.
  var isWriterFree: Bool { writer.isFree }

  func leaveWriter() { writer.leave() }

  /// Remembers the numbers that a write gave out which was rolled back.
  func keep(_ numbers: SchemaNumbers) { schemaNumbers.withLock { $0.formUnion(numbers) } }

  /// A schema that a write is about to change: what it adds gets numbers that no write of this
  /// process gave out before.
  func continued(_ schema: Schema) -> Schema { schemaNumbers.withLock { $0 }.continued(schema) }

  func publish(_ record: CommitRecord) {
    outbox.withLock {
      $0.records.append(record)
      $0.listeners.note(record.lastVersion)
    }
  }

  /// Takes back the record of a commit that failed.
  func withdraw(version: Int) {
    outbox.withLock {
      $0.records.removeAll { $0.firstVersion == version }
      $0.listeners.forgetVersion()
    }
    announceElsewhere()
  }

  /// The records of this process that lead from a version to another, in order; those of other
  /// processes are missing.
  func records(after old: Int, through new: Int) -> [CommitRecord] {
    outbox.withLock { outbox in
      outbox.records.filter { $0.firstVersion > old && $0.lastVersion <= new }
    }
  }
}

// MARK: Waking

extension StoreHub {
  /// Calls `wake` after every commit that is not the session's own, of this process or another, from
  /// whichever thread; perhaps once for several, and perhaps when nothing is new. It must not block.
  func listen(
    besides session: ObjectIdentifier, _ wake: @escaping @Sendable () -> Void
  ) throws -> Int {
    let (number, isFirst) = outbox.withLock { outbox in
      (outbox.listeners.add(session, wake), outbox.listeners.count == 1)
    }
    guard isFirst else { return number }
    do {
      let watch = try stored { () throws(StorageError) in
        try environment.watchCommits { [weak self] in self?.announceElsewhere() }
      }
      outbox.withLock { $0.listeners.keep(watch) }
    } catch {
      ignore(number)
      throw error
    }
    // What was committed before the watch began was not heard by it.
    announceElsewhere()
    return number
  }

  func ignore(_ listener: Int) {
    // The watch ends with the last who wants to be told, outside of the lock.
    let ended = outbox.withLock { $0.listeners.remove(listener) }
    withExtendedLifetime(ended) {}
  }

  /// A session of this process has committed.
  func announce(by session: ObjectIdentifier) {
    for wake in outbox.withLock({ $0.listeners.wakes(besides: session) }) { wake() }
  }

  /// The store's file was touched: by another process, unless the newest version is known. Where that
  /// cannot be told any more, everybody is to find out why.
  private func announceElsewhere() {
    let newest = try? environment.committedVersion()
    for wake in outbox.withLock({ $0.listeners.wakes(newest: newest) }) { wake() }
  }
}

/// Who wants to be told of commits, and of which versions they were.
private struct Listeners {
  private var wakes: [Int: (session: ObjectIdentifier, wake: @Sendable () -> Void)] = [:]
  private var nextNumber = 0
  /// Versions up to this one need no announcement any more.
  private var known = 0
  /// Whether the newest version could not be told when it was asked for last.
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
    wakes.values.filter { $0.session != session }.map(\.wake)
  }

  mutating func wakes(newest: Int?) -> [@Sendable () -> Void] {
    let wasLost = isLost
    isLost = newest == nil
    guard newest.map({ $0 > known }) ?? !wasLost else { return [] }
    known = newest ?? known
    return wakes.values.map(\.wake)
  }
}

extension StoreHub {
  /// Copies the newest version into a new file, from any thread; returns the version.
  package func backup(
    to path: String, interruption: Interruption?, _ progress: (Int, Int) -> Void
  ) throws(HeraldError) -> Int {
    try stored { () throws(StorageError) in
      try environment.backup(to: path) { done, total in
        progress(done, total)
        return interruption?.isRequested != true
      }
    }
  }

  /// Brings a backup that is at `old` to the newest version, which is returned, from any thread.
  package func update(
    backup path: String, since old: Int, interruption: Interruption?,
    _ progress: (Int, Int) -> Void
  ) throws(HeraldError) -> Int {
    let backup = try stored { () throws(StorageError) in try environment.openBackup(path) }
    let others = StoreHub.hub(of: backup)
    guard others.takeWriter(waiting: false) else { throw .locked(path: path) }
    defer { others.leaveWriter() }
    return try stored { () throws(StorageError) in
      try environment.update(backup, since: old) { done, total in
        progress(done, total)
        return interruption?.isRequested != true
      }.version
    }
  }
}
