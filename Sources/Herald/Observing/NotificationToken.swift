import HeraldModel

/// Keeps an observer alive: it ends when `invalidate` is called or the token is released, so the program must hold
/// it.
public final class NotificationToken {
  private var token: ObservationToken?
  private let core: StoreCore?
  private var onInvalidate: (() -> Void)?
  private var hasEnded = false
  /// Whether the observer is called by a session of its own, on an actor or a queue.
  private let isElsewhere: Bool

  init(_ token: ObservationToken?, _ core: StoreCore?) {
    self.token = token
    self.core = core
    isElsewhere = false
    core?.owner.turns?.schedule()
  }

  /// An observer of an unmanaged object or, `isElsewhere`, of another session, or one that could not be registered.
  init(isElsewhere: Bool = false, onInvalidate: @escaping () -> Void) {
    core = nil
    self.isElsewhere = isElsewhere
    self.onInvalidate = onInvalidate
  }

  deinit {
    onInvalidate?()
    guard let core, token != nil else { return }
    // At once where that is safe, so that what the block holds is released; elsewhere at the next turn.
    if core.owner.isCurrent {
      token?.invalidate()
    } else {
      token = nil
      core.owner.turns?.schedule()
    }
  }

  /// Whether the observer can still be called.
  var isLive: Bool { token?.isLive ?? false }

  /// Ends the observer, also within its block: it is not called again. Has no effect on one that has ended.
  public func invalidate() {
    hasEnded = hasEnded || token != nil
    token?.invalidate()
    token = nil
    onInvalidate?()
    onInvalidate = nil
  }

  /// The token for a write that does not notify this observer; nil for one that never was notified. Errors:
  /// `foreignToken` for an observer of another session, `deadToken` for one that has ended.
  func silenced(by core: StoreCore, as name: String) throws -> ObservationToken? {
    if isElsewhere || self.core.map({ $0 !== core }) ?? false {
      throw HeraldError.foreignToken(name)
    }
    if hasEnded || token.map({ !$0.isLive }) ?? false { throw HeraldError.deadToken(name) }
    return token
  }
}

extension NotificationToken: Hashable {
  /// Whether both are one token.
  public static func == (a: NotificationToken, b: NotificationToken) -> Bool { a === b }

  /// Distinguishes tokens.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
