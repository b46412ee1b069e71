import HeraldModel

/// Keeps an observer alive: it ends when `invalidate` is called or the token is released, so the program must hold
/// it.
public final class NotificationToken {
  private var token: ObservationToken?
  private let core: StoreCore?
  private var onInvalidate: (() -> Void)?

  init(_ token: ObservationToken?, _ core: StoreCore?) {
    self.token = token
    self.core = core
    core?.owner.turns?.schedule()
  }

  /// An observer that is called elsewhere, or that could not be registered.
  init(onInvalidate: @escaping () -> Void) {
    core = nil
    self.onInvalidate = onInvalidate
  }

  deinit { onInvalidate?() }

  /// Whether the observer can still be called.
  var isLive: Bool { token?.isLive ?? false }

  /// Ends the observer, also within its block: it is not called again. Has no effect on one that has ended.
  public func invalidate() {
    token?.invalidate()
    token = nil
    onInvalidate?()
    onInvalidate = nil
  }

  /// The token for a write that does not notify this observer; nil for one that has ended. Errors:
  /// `foreignToken` for an observer of another session.
  func silenced(by core: StoreCore) throws -> ObservationToken? {
    guard let token, token.isLive else { return nil }
    guard self.core === core else { throw HeraldError.foreignToken("#\(token.id.rawValue)") }
    return token
  }
}
