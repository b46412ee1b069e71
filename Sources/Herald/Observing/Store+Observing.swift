import HeraldObservation

extension Store {
  /// What an observer of a store receives.
  public enum Notification: Hashable, Sendable {
    /// A transaction was committed, and the store is at its version.
    case didChange
    /// Others have committed, and the store does not advance by itself since `autorefresh` is off.
    case refreshRequired
    /// The store cannot be followed: it is frozen or closed, or was lost or damaged. The observer is not called again.
    case error(HeraldError)
  }

  /// Observes every commit, of any session or process, without details of what changed. There is no initial call.
  ///
  ///     token = store.observe { notification, store in updateUI() }
  public func observe(
    _ block: @escaping (Notification, Store) -> Void
  ) -> NotificationToken {
    core.observe {
      try core.dynamic.observe { [weak core] change in
        guard let core else { return }
        switch change {
        case .changed: block(.didChange, core.facade)
        case .refreshRequired: block(.refreshRequired, core.facade)
        case .error(let error): block(.error(error), core.facade)
        }
      }
    } onError: { [weak core] error in
      guard let core else { return }
      block(.error(error as? HeraldError ?? .cannotObserve("the store")), core.facade)
    }
  }
}
