import Synchronization

/// Stops what a store is asked or told to do, from any thread.
///
///     store.interruption = interruption
///     interruption.request()      // elsewhere: the store throws `HeraldError.interrupted`
///
/// It stays requested until `clear`.
public final class Interruption: Sendable {
  private static let never = Int.max

  /// How often it is asked until it counts as requested; `never` while nobody has requested it.
  private let patience = Atomic(Interruption.never)

  public init() {}

  /// May be called from a signal handler.
  public func request() { patience.store(0, ordering: .relaxed) }

  /// Counts as requested once it has been asked so many times: for tests, to which the moment is then
  /// no accident.
  package func request(afterQuestions count: Int) { patience.store(count, ordering: .relaxed) }

  public func clear() { patience.store(Interruption.never, ordering: .relaxed) }

  public var isRequested: Bool {
    let left = patience.load(ordering: .relaxed)
    return left != Interruption.never && countDown(left)
  }

  /// How many questions are left until it counts as requested.
  package var questionsLeft: Int { patience.load(ordering: .relaxed) }

  private func countDown(_ left: Int) -> Bool {
    if left <= 0 { return true }
    patience.store(left - 1, ordering: .relaxed)
    return false
  }
}
