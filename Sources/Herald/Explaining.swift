import HeraldEngine
public import HeraldObservation

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
