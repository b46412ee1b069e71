import HeraldEngine
import HeraldModel
public import HeraldObservation

/// Keeps one observer alive: it stops when `invalidate` is called or when nothing holds the token.
public final class ObservationToken {
  /// The session that calls the block; nil for an object that is not in a store.
  let store: Store?
  let id: TokenID
  /// The block of an observer of a new object, until it stops.
  private(set) var detached: ((PropertyEvent) throws -> Void)?
  private let object: NewObject?

  /// False for observers of properties: they are told at the assignment, before there is a commit to
  /// be silent about.
  public let canBeSilenced: Bool

  init(store: Store, id: TokenID, canBeSilenced: Bool) {
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

  /// Stops the observer, also in the midst of a delivery. Twice does nothing.
  public func invalidate() {
    store?.session.invalidate(id)
    detached = nil
  }

  /// Whether the first call, which tells the rows there are, is still to come.
  public var awaitsInitial: Bool { store?.session.awaitsInitial(id) ?? false }

  public var isLive: Bool {
    guard let store else { return detached != nil }
    return !store.isClosed && store.session.isLive(id)
  }
}

extension ObservationToken {
  /// Why the last commit did, or did not, reach the token: answered by what decided it, also for a
  /// token that is dead. Of several commits that were told as one, it is the last alone that counts.
  public func why() throws -> DeliveryReason {
    guard let store else { return isLive ? .observedLater : .ended(.invalidated) }
    return try store.session.why(id)
  }

  /// The view behind the token, what that depends on, and what it has cost; nil once it is dead.
  public func explanation() throws -> TokenExplanation? {
    try store?.session.explanation(id)
  }
}
