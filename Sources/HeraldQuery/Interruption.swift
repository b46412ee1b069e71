import Synchronization

/// Stops the questions that a store is being asked, from any thread.
///
///     store.interruption = interruption
///     interruption.request()      // elsewhere: the question throws `HeraldError.interrupted`
///
/// It stays requested until `clear`.
public final class Interruption: Sendable {
  private let flag = Atomic(false)

  public init() {}

  /// May be called from a signal handler.
  public func request() { flag.store(true, ordering: .relaxed) }

  public func clear() { flag.store(false, ordering: .relaxed) }

  public var isRequested: Bool { flag.load(ordering: .relaxed) }
}
