import HeraldModel

/// The observers of a session: by token number, and by what concerns them.
struct ObserverRegistry {
  let interest = Interest()
  /// Why tokens ended, until they are forgotten.
  private(set) var ends: [TokenID: TokenEnd] = [:]
  private(set) var count = 0
  private var nextID = 0
  private var observers = TokenPages<Observer>()

  /// The observer of a live token; one of an object is made on demand.
  subscript(_ id: TokenID) -> Observer? { observers[id] ?? interest.objectTokens.observer(id) }

  /// Whether a token is live.
  func contains(_ id: TokenID) -> Bool {
    observers[id] != nil || interest.objectTokens.contains(id)
  }

  /// Every live token, in order of registration.
  var ids: [TokenID] { (observers.ids + interest.objectTokens.ids).sorted() }

  /// Whether the first report of a token is pending.
  func awaitsInitial(_ id: TokenID) -> Bool { observers[id]?.awaitsInitial ?? false }

  /// Every live observer, in order of registration.
  var all: [Observer] {
    if interest.objectTokens.count == 0 { return observers.all }
    return (observers.all + interest.objectTokens.all).sorted { $0.id < $1.id }
  }

  /// Every live observer but those of whole objects without key paths, in order of registration.
  var allOfMore: [Observer] { observers.all }

  /// Adds an observer and subscribes it to what concerns it; `since` is the version of the last record taken.
  /// Returns its token, and the observer, but for a token on a whole object.
  mutating func register(
    _ target: ObservedTarget, _ receiver: (any ReportReceiver)?, clock: Int, since: Int
  ) -> (id: TokenID, observer: Observer?) {
    let id = TokenID(rawValue: nextID)
    nextID += 1
    count += 1
    if case .object(let object, .everything) = target {
      interest.objectTokens.insert(id, on: object, receiver, since: since)
      return (id, nil)
    }
    let observer = Observer(id, target.subject, clock: clock)
    if let receiver { observer.receiver = receiver }
    observer.since = since
    observers.insert(observer, id)
    observer.subject.register(observer, interest)
    return (id, observer)
  }

  /// Removes an observer from every list and watch, and notes why. Does nothing for one that is dead.
  mutating func end(_ observer: Observer, _ reason: TokenEnd) {
    guard observer.state != .dead else { return }
    observer.state = .dead
    ends[observer.id] = reason
    count -= 1
    if observers.remove(observer.id) != nil {
      observer.subject.leave(observer, interest)
    } else {
      _ = interest.objectTokens.remove(observer.id)
    }
  }

  /// Ends a token on a whole object that needs no observer for it, and notes why. Returns its receiver, to be released
  /// last; nil without any effect for other tokens.
  mutating func endFolded(_ id: TokenID, _ reason: TokenEnd) -> (any ReportReceiver)? {
    guard interest.objectTokens.isFolded(id) else { return nil }
    ends[id] = reason
    count -= 1
    return interest.objectTokens.remove(id)
  }

  /// Forgets why a token ended.
  mutating func forget(_ id: TokenID) { ends[id] = nil }
}
