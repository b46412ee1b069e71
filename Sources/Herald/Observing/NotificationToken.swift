import HeraldEngine
import HeraldModel
import HeraldObservation

/// Keeps an observer alive: it ends when `invalidate` is called or the token is released, so the program must hold
/// it.
public final class NotificationToken {
  /// What the token ends; two words, since there may be many tokens.
  private enum Observer {
    case ofSession(StoreCore, TokenID)
    /// Of a property, at its assignment.
    case ofWriter(StoreCore, TokenID)
    case ended(StoreCore)
    case other(OtherObserver)
  }

  private var observer: Observer

  /// Takes over the observer of a token.
  init(_ token: ObservationToken, _ core: StoreCore) {
    let canBeSilenced = token.canBeSilenced
    let id = token.releaseID()
    observer = canBeSilenced ? .ofSession(core, id) : .ofWriter(core, id)
    core.owner.turns?.schedule()
  }

  /// An observer of an unmanaged object or, `isElsewhere`, of another session, or one that could not be registered.
  init(isElsewhere: Bool = false, onInvalidate: @escaping () -> Void) {
    observer = .other(OtherObserver(isElsewhere: isElsewhere, onInvalidate))
  }

  deinit {
    switch observer {
    case .ofSession(let core, let id), .ofWriter(let core, let id):
      // At once where that is safe, so that what the block holds is released; elsewhere at the next turn.
      if core.owner.isCurrent {
        core.session.observatory.forget(id)
      } else {
        core.session.dropped.note(id)
        core.owner.turns?.schedule()
      }
    case .ended: break
    case .other(let observer): observer.end()
    }
  }

  /// Whether the observer can still be called.
  var isLive: Bool {
    switch observer {
    case .ofSession(let core, let id), .ofWriter(let core, let id):
      !core.session.isClosed && core.session.observatory.isLive(id)
    case .ended, .other: false
    }
  }

  /// Ends the observer, also within its block: it is not called again. Has no effect on one that has ended.
  public func invalidate() {
    switch observer {
    case .ofSession(let core, let id), .ofWriter(let core, let id):
      observer = .ended(core)
      core.session.observatory.forget(id)
    case .ended: break
    case .other(let observer): observer.end()
    }
  }

  /// The token for a write that does not notify this observer; nil for one that never was notified. Errors:
  /// `foreignToken` for an observer of another session, `deadToken` for one that has ended.
  func silenced(by core: StoreCore, as name: String) throws -> ObservationToken? {
    switch observer {
    case .ofSession(let own, let id): return try silenced(id, own, core, name, canBeSilenced: true)
    case .ofWriter(let own, let id): return try silenced(id, own, core, name, canBeSilenced: false)
    case .ended(let own):
      throw own === core ? HeraldError.deadToken(name) : .foreignToken(name)
    case .other(let observer):
      if observer.isElsewhere { throw HeraldError.foreignToken(name) }
      return nil
    }
  }

  private func silenced(
    _ id: TokenID, _ own: StoreCore, _ core: StoreCore, _ name: String, canBeSilenced: Bool
  ) throws -> ObservationToken {
    guard own === core else { throw HeraldError.foreignToken(name) }
    guard isLive else { throw HeraldError.deadToken(name) }
    return ObservationToken(store: core.dynamic, sharing: id, canBeSilenced: canBeSilenced)
  }
}

/// An observer that no store calls, or one on an actor or a queue.
private final class OtherObserver {
  /// Whether the observer is called by a session of its own, on an actor or a queue.
  let isElsewhere: Bool
  private var onInvalidate: (() -> Void)?

  init(isElsewhere: Bool, _ onInvalidate: @escaping () -> Void) {
    self.isElsewhere = isElsewhere
    self.onInvalidate = onInvalidate
  }

  func end() {
    onInvalidate?()
    onInvalidate = nil
  }
}

extension NotificationToken: Hashable {
  /// Whether both are one token.
  public static func == (a: NotificationToken, b: NotificationToken) -> Bool { a === b }

  /// Distinguishes tokens.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
