import Synchronization

/// The opening of a store that `Realm.asyncOpen` began.
public final class AsyncOpenTask: Sendable {
  private let state = Atomic<Bool>(false)

  var isCancelled: Bool { state.load(ordering: .relaxed) }

  /// Keeps the callback from being called, if the store is not open yet.
  public func cancel() { state.store(true, ordering: .relaxed) }
}
