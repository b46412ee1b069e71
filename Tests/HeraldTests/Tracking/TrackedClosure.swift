import Herald
import Observation
import Synchronization

/// A closure that Observation has tracked once, and how often it was notified.
final class TrackedClosure: Sendable {
  private let notifications = Atomic(0)

  /// Calls a closure, and waits for a change of what it reads.
  init(_ read: () -> Void, then react: @escaping @Sendable () -> Void = {}) {
    withObservationTracking(read) { [self] in
      notifications.add(1, ordering: .relaxed)
      react()
    }
  }

  var count: Int { notifications.load(ordering: .relaxed) }
  var isNotified: Bool { count > 0 }
}

/// What `CommittingProcess` commits.
final class TrackedCounter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var n = 0

  override static var className: String { "Counter" }
}
