import Synchronization

/// A flag that any thread can set and none can clear.
final class StopFlag: Sendable {
  private let isStopped = Atomic(false)

  var isSet: Bool { isStopped.load(ordering: .acquiring) }

  func set() { isStopped.store(true, ordering: .releasing) }
}
