import Dispatch
import HeraldObservation
package import HeraldStorage
import Synchronization

/// What the sessions of one store share in this process: the environment, the writer's place and the
/// outbox of commit records, in the order of their versions.
package final class StoreHub: Sendable {
  package let environment: StorageEnvironment

  /// Held from the beginning of a write to the moment its session stands at the new version.
  private let writer = DispatchSemaphore(value: 1)
  private let outbox = Mutex(Outbox())

  /// Whether somebody has the writer's place: to look at, not to act on.
  private let isWriterTaken = Atomic(false)

  /// The records that some session has still to take; the versions say which.
  private struct Outbox {
    var records: [CommitRecord] = []
    var sessions: [(id: ObjectIdentifier, version: Int)] = []

    mutating func move(_ id: ObjectIdentifier, to version: Int) {
      if let place = sessions.firstIndex(where: { $0.id == id }) {
        sessions[place].version = version
      } else {
        sessions.append((id, version))
      }
      trim()
    }

    mutating func trim() {
      guard let first = records.first else { return }
      var oldest = Int.max
      for session in sessions { oldest = min(oldest, session.version) }
      if first.lastVersion <= oldest { records.removeAll { $0.lastVersion <= oldest } }
    }
  }

  private static let hubs = Mutex<[ObjectIdentifier: WeakHub]>([:])

  private struct WeakHub { weak var hub: StoreHub? }

  private init(environment: StorageEnvironment) { self.environment = environment }

  /// The hub of an environment: one in a process, so that every session of a file meets the others.
  package static func hub(of environment: StorageEnvironment) -> StoreHub {
    hubs.withLock { hubs in
      hubs = hubs.filter { $0.value.hub != nil }
      let key = ObjectIdentifier(environment)
      if let hub = hubs[key]?.hub { return hub }
      let hub = StoreHub(environment: environment)
      hubs[key] = WeakHub(hub: hub)
      return hub
    }
  }

  func moved(_ session: Session, to version: Int) {
    outbox.withLock { $0.move(ObjectIdentifier(session), to: version) }
  }

  func left(_ session: ObjectIdentifier) {
    outbox.withLock {
      $0.sessions.removeAll { $0.id == session }
      $0.trim()
    }
  }

  /// Waits for the writer's place; false where it is taken and `waiting` is false.
  func takeWriter(waiting: Bool) -> Bool {
    if waiting {
      writer.wait()
    } else if writer.wait(timeout: .now()) != .success {
      return false
    }
    isWriterTaken.store(true, ordering: .relaxed)
    return true
  }

  /// Whether nobody had the writer's place a moment ago.
  var isWriterFree: Bool { !isWriterTaken.load(ordering: .relaxed) }

  func leaveWriter() {
    isWriterTaken.store(false, ordering: .relaxed)
    writer.signal()
  }

  func publish(_ record: CommitRecord) { outbox.withLock { $0.records.append(record) } }

  /// Takes back the record of a commit that failed.
  func withdraw(version: Int) {
    outbox.withLock { $0.records.removeAll { $0.firstVersion == version } }
  }

  /// The records of this process that lead from a version to another, in order; those of other
  /// processes are missing.
  func records(after old: Int, through new: Int) -> [CommitRecord] {
    outbox.withLock { outbox in
      outbox.records.filter { $0.firstVersion > old && $0.lastVersion <= new }
    }
  }
}
