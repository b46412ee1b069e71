import HeraldEngine
import Synchronization

/// Ends the turns of a store on its executor: after an `observe`, a commit of its own or one elsewhere.
///
/// `@unchecked Sendable`: `core` is set once, before the scheduler is shared, and used on the executor alone.
final class TurnScheduler: @unchecked Sendable {
  private let enqueue: @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
  private let isScheduled = Atomic(false)
  private weak var core: StoreCore?
  private var listener: CommitListener?

  init(_ enqueue: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void) {
    self.enqueue = enqueue
  }

  /// Begins to end the turns of a store after commits elsewhere.
  func attach(_ core: StoreCore) {
    self.core = core
    guard !core.dynamic.isFrozen else { return }
    // Without threads or file watches, the store still ends turns after its own commits.
    listener = try? core.dynamic.onCommitElsewhere { [weak self] in self?.schedule() }
  }

  /// Requests a turn, from any thread, unless one is requested already.
  func schedule() {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    enqueue { [weak self] in self?.takeTurn() }
  }

  private func takeTurn() {
    isScheduled.store(false, ordering: .releasing)
    guard let core, !core.session.isClosed else { return }
    // Observers of a lost store receive its error.
    _ = try? core.dynamic.endTurn()
    core.deliverFailedObservers()
  }
}
