import HeraldEngine
import HeraldModel
public import HeraldObservation

/// Keeps one observer alive, which ends when `invalidate` is called or the token is released.
public final class ObservationToken {
  /// The session that calls the block; nil for a new object.
  let store: DynamicStore?
  let id: TokenID
  /// The block of an observer of a new object, until it ends.
  private(set) var detached: ((PropertyEvent) throws -> Void)?
  private let object: NewObject?

  /// Whether a transaction can exclude the observer with `write(without:)`. False for observers of
  /// properties, which are notified at the assignment, before the commit.
  public let canBeSilenced: Bool

  init(store: DynamicStore, id: TokenID, canBeSilenced: Bool) {
    self.store = store
    self.id = id
    self.canBeSilenced = canBeSilenced
    object = nil
  }

  init(of object: NewObject, _ block: @escaping (PropertyEvent) throws -> Void) {
    store = nil
    id = TokenID(rawValue: -1)
    canBeSilenced = false
    detached = block
    self.object = object
  }

  deinit { store?.session.dropped.note(id) }

  /// Ends the observer, also during a delivery: its block is not called again. Has no effect on an
  /// observer that has ended.
  public func invalidate() {
    store?.session.observatory.invalidate(id)
    detached = nil
  }

  /// Whether the first call, with `initial`, is pending.
  public var awaitsInitial: Bool { store?.session.observatory.awaitsInitial(id) ?? false }

  /// Whether the observer can still be called: false after its last delivery, after `invalidate`, and
  /// after its session was closed.
  public var isLive: Bool {
    guard let store else { return detached != nil }
    return !store.isClosed && store.session.observatory.isLive(id)
  }
}

extension ObservationToken {
  /// Returns why the last commit did, or did not, reach the token, which may be dead. Of several commits
  /// that were delivered as one change, only the last is considered.
  public func why() throws -> DeliveryReason {
    guard let store else { return isLive ? .observedLater : .ended(.invalidated) }
    return try store.session.why(id)
  }

  /// Returns the live view behind the token, what it depends on, and what it has cost; nil for a dead
  /// token.
  public func explanation() throws -> TokenExplanation? {
    try store?.session.explanation(id)
  }
}
