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

  /// The records that some session has still to take; the versions say which.
  private struct Outbox {
    var records: [CommitRecord] = []
    var versions: [ObjectIdentifier: Int] = [:]

    mutating func trim() {
      let oldest = versions.values.min() ?? .max
      records.removeAll { $0.lastVersion <= oldest }
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
    outbox.withLock {
      $0.versions[ObjectIdentifier(session)] = version
      $0.trim()
    }
  }

  func left(_ session: ObjectIdentifier) {
    outbox.withLock {
      $0.versions[session] = nil
      $0.trim()
    }
  }

  /// Waits for the writer's place; false where it is taken and `waiting` is false.
  func takeWriter(waiting: Bool) -> Bool {
    if waiting {
      writer.wait()
      return true
    }
    return writer.wait(timeout: .now()) == .success
  }

  var isWriterFree: Bool {
    guard takeWriter(waiting: false) else { return false }
    leaveWriter()
    return true
  }

  func leaveWriter() { writer.signal() }

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
