import HeraldModel

/// The observers of a session: by token number, and by what concerns them.
struct ObserverRegistry {
  let interest: Interest
  /// Why tokens ended, until they are forgotten.
  private(set) var ends: [TokenID: TokenEnd] = [:]
  private(set) var count = 0
  private var nextID = 0

  init(_ interest: Interest) { self.interest = interest }

  /// The observer of a live token, which is made for a folded one.
  subscript(_ id: TokenID) -> Observer? { @inline(__always) get { interest.observer(id) } }

  /// Whether a token is live.
  func contains(_ id: TokenID) -> Bool {
    interest.observers.contains(id) || interest.objectTokens.contains(id)
      || interest.foldedFilters.contains(id)
  }

  /// Every live token, in order of registration.
  var ids: [TokenID] {
    (interest.observers.ids + interest.objectTokens.ids + interest.foldedFilters.ids).sorted()
  }

  /// Whether the first report of a token is pending.
  func awaitsInitial(_ id: TokenID) -> Bool { interest.observers[id]?.awaitsInitial ?? false }

  /// Every live observer, in order of registration.
  var all: [Observer] {
    interest.unfoldFilters()
    if interest.objectTokens.count == 0 { return interest.observers.all }
    return (interest.observers.all + interest.objectTokens.all).sorted { $0.id < $1.id }
  }

  /// Every live observer but those of whole objects without key paths and of folded filters, in order of registration.
  var allOfMore: [Observer] { interest.observers.all }

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
    interest.observers.insert(observer, id)
    observer.subject.register(observer, interest)
    return (id, observer)
  }

  /// Removes an observer from every list and watch, and notes why. Does nothing for one that is dead.
  mutating func end(_ observer: Observer, _ reason: TokenEnd) {
    guard observer.state != .dead else { return }
    observer.state = .dead
    ends[observer.id] = reason
    count -= 1
    if interest.observers.remove(observer.id) != nil {
      observer.subject.leave(observer, interest)
    } else {
      _ = interest.objectTokens.remove(observer.id)
    }
  }

  /// Ends a folded token, which needs no observer for it, and notes why. Returns its receiver, to be released last; nil
  /// without any effect for other tokens.
  mutating func endFolded(_ id: TokenID, _ reason: TokenEnd) -> (any ReportReceiver)? {
    let isOfObject = interest.objectTokens.isFolded(id)
    guard isOfObject || interest.foldedFilters.contains(id) else { return nil }
    ends[id] = reason
    count -= 1
    return isOfObject ? interest.objectTokens.remove(id) : interest.removeFoldedFilter(id)
  }

  /// Forgets why a token ended.
  mutating func forget(_ id: TokenID) { ends[id] = nil }
}
