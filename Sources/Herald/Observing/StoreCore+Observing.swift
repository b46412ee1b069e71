import Dispatch
import HeraldEngine
import HeraldModel
import HeraldObservation

extension StoreCore {
  /// Registers an observer. Errors: those of `register`.
  func token(_ register: () throws -> ObservationToken) throws -> NotificationToken {
    checkOwner()
    if dynamic.core == nil { dynamic.core = self }
    return NotificationToken(try register(), self)
  }

  /// Registers an observer. An error reaches the observer as its first and last call.
  func observe(
    _ register: () throws -> ObservationToken, onError: @escaping (any Error) -> Void
  ) -> NotificationToken {
    do {
      return try token(register)
    } catch {
      return .failed(error, self, onError)
    }
  }

  /// Calls the observers that could not be registered.
  func deliverFailedObservers() {
    guard !session.isDelivering else { return }
    while !failedObservers.isEmpty { failedObservers.removeFirst().call() }
  }
}

extension NotificationToken {
  /// The token of an observer of something in a store, or in none. An error reaches the block as its first and last
  /// change.
  static func observing<Change: FailableChange>(
    _ core: StoreCore?, _ block: @escaping (Change) -> Void,
    _ register: () throws -> NotificationToken
  ) -> NotificationToken {
    do {
      return try register()
    } catch {
      return .failed(error, core, block)
    }
  }

  /// The token of an observer that could not be registered, whose block receives the error.
  static func failed<Change: FailableChange>(
    _ error: any Error, _ core: StoreCore?, _ block: @escaping (Change) -> Void
  ) -> NotificationToken {
    failed(error, core) { block(.error($0)) }
  }

  /// The token of an observer that could not be registered: it is notified at the next turn of its store or, if what it
  /// observes is in none, soon.
  static func failed(
    _ error: any Error, _ core: StoreCore?, _ onError: @escaping (any Error) -> Void
  ) -> NotificationToken {
    let call = FailedObserver(error, onError)
    if let core, !core.session.isFrozen {
      core.failedObservers.append(call)
      core.owner.turns?.schedule()
    } else {
      // Of what is frozen, at the next turn of the live store if that is sooner.
      if let origin = core?.origin, origin.owner.isCurrent { origin.failedObservers.append(call) }
      call.callSoon()
    }
    return NotificationToken { call.cancel() }
  }
}

/// An observer that could not be registered, until it is notified.
final class FailedObserver {
  private let error: any Error
  private var block: ((any Error) -> Void)?

  init(_ error: any Error, _ block: @escaping (any Error) -> Void) {
    self.error = error
    self.block = block
  }

  func call() {
    let block = block
    self.block = nil
    block?(error)
  }

  func cancel() { block = nil }

  /// Calls the observer of what is in no store, or in a frozen one: at the main queue's next turn, or at once
  /// on another thread.
  func callSoon() {
    guard SessionOwner.isMain else { return call() }
    let unchecked = UncheckedObserver(self)
    DispatchQueue.main.async { unchecked.observer.call() }
  }

  /// `@unchecked Sendable`: made and used on the main thread.
  private struct UncheckedObserver: @unchecked Sendable {
    let observer: FailedObserver
    init(_ observer: FailedObserver) { self.observer = observer }
  }
}
