import HeraldEngine
import HeraldModel
package import HeraldObservation

/// Keeps one observer alive, which ends when `invalidate` is called or the token is released.
package final class ObservationToken {
  /// What calls the block; two words, since there may be many tokens.
  private enum Caller {
    case session(DynamicStore, TokenID)
    /// Of a property, at its assignment.
    case writer(DynamicStore, TokenID)
    // The same for tokens that do not end the observer.
    case sessionOfOther(DynamicStore, TokenID)
    case writerOfOther(DynamicStore, TokenID)
    case object(DetachedObserver)
  }

  private var caller: Caller

  init(store: DynamicStore, id: TokenID, canBeSilenced: Bool) {
    caller = canBeSilenced ? .session(store, id) : .writer(store, id)
  }

  /// Another token of an observer, which the first one ends.
  init(store: DynamicStore, sharing id: TokenID, canBeSilenced: Bool) {
    caller = canBeSilenced ? .sessionOfOther(store, id) : .writerOfOther(store, id)
  }

  init(of object: NewObject, _ block: @escaping (PropertyEvent) throws -> Void) {
    caller = .object(DetachedObserver(object, block))
  }

  deinit {
    switch caller {
    case .session(let store, let id), .writer(let store, let id): store.session.dropped.note(id)
    case .sessionOfOther, .writerOfOther, .object: break
    }
  }

  /// Returns the identifier of an observer that will not end with this token.
  func releaseID() -> TokenID {
    switch caller {
    case .session(let store, let id): caller = .sessionOfOther(store, id)
    case .writer(let store, let id): caller = .writerOfOther(store, id)
    case .sessionOfOther, .writerOfOther, .object: break
    }
    return id
  }

  /// The session that calls the block; nil for a new object.
  var store: DynamicStore? {
    switch caller {
    case .session(let store, _), .writer(let store, _), .sessionOfOther(let store, _),
      .writerOfOther(let store, _):
      store
    case .object: nil
    }
  }

  var id: TokenID {
    switch caller {
    case .session(_, let id), .writer(_, let id), .sessionOfOther(_, let id),
      .writerOfOther(_, let id):
      id
    case .object: TokenID(rawValue: -1)
    }
  }

  /// The block of an observer of a new object, until it ends.
  var detached: ((PropertyEvent) throws -> Void)? {
    if case .object(let observer) = caller { observer.block } else { nil }
  }

  /// Whether a transaction can exclude the observer with `write(without:)`. False for observers of
  /// properties, which are notified at the assignment, before the commit.
  package var canBeSilenced: Bool {
    switch caller {
    case .session, .sessionOfOther: true
    case .writer, .writerOfOther, .object: false
    }
  }

  /// Ends the observer, also during a delivery: its block is not called again. Has no effect on an
  /// observer that has ended.
  package func invalidate() {
    if case .object(let observer) = caller { observer.block = nil }
    store?.session.observatory.invalidate(id)
  }

  /// Whether the first call, with `initial`, is pending.
  package var awaitsInitial: Bool { store?.session.observatory.awaitsInitial(id) ?? false }

  /// Whether the observer can still be called: false after its last delivery, after `invalidate`, and
  /// after its session was closed.
  package var isLive: Bool {
    guard let store else { return detached != nil }
    return !store.isClosed && store.session.observatory.isLive(id)
  }
}

/// The observer of a new object.
private final class DetachedObserver {
  /// Nil once it has ended.
  var block: ((PropertyEvent) throws -> Void)?
  private let object: NewObject

  init(_ object: NewObject, _ block: @escaping (PropertyEvent) throws -> Void) {
    self.object = object
    self.block = block
  }
}

extension ObservationToken {
  /// Returns why the last commit did, or did not, reach the token, which may be dead. Of several commits
  /// that were delivered as one change, only the last is considered.
  package func why() throws -> DeliveryReason {
    guard let store else { return isLive ? .observedLater : .ended(.invalidated) }
    return try store.session.why(id)
  }

  /// Returns the live view behind the token, what it depends on, and what it has cost; nil for a dead
  /// token.
  package func explanation() throws -> TokenExplanation? {
    try store?.session.explanation(id)
  }
}
