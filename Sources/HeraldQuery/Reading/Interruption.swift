import Synchronization

/// Interrupts an operation of a store, from any thread.
///
///     store.interruption = interruption
///     interruption.request()      // on another thread: the store throws `HeraldError.interrupted`
///
/// It stays requested until `clear`.
public final class Interruption: Sendable {
  private static let never = Int.max

  /// The number of checks left until it counts as requested; `never` if it was not requested.
  private let remaining = Atomic(Interruption.never)

  /// An interruption that nobody has requested.
  public init() {}

  /// Requests the interruption. Safe to call from a signal handler.
  public func request() { remaining.store(0, ordering: .relaxed) }

  /// Requests the interruption after a number of checks: makes the moment deterministic for tests.
  package func request(afterChecks count: Int) { remaining.store(count, ordering: .relaxed) }

  /// Forgets a request.
  public func clear() { remaining.store(Interruption.never, ordering: .relaxed) }

  /// Whether the read is to end.
  public var isRequested: Bool {
    let left = remaining.load(ordering: .relaxed)
    return left != Interruption.never && countDown(left)
  }

  /// The number of checks left until it counts as requested.
  package var remainingChecks: Int { remaining.load(ordering: .relaxed) }

  private func countDown(_ left: Int) -> Bool {
    if left <= 0 { return true }
    remaining.store(left - 1, ordering: .relaxed)
    return false
  }
}
