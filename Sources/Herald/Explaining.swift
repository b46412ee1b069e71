import HeraldEngine
public import HeraldObservation

extension ObservationToken {
  /// Why the last commit did, or did not, reach the token: answered by what decided it, also for a
  /// token that is dead. The commits that one advance of the session took together count as one.
  public func why() throws -> DeliveryReason {
    guard let store else { return isLive ? .observedLater : .ended(.invalidated) }
    return try store.session.why(id)
  }

  /// The view behind the token, what that depends on, and what it has cost; nil once it is dead.
  public func explanation() throws -> TokenExplanation? {
    try store?.session.explanation(id)
  }
}
