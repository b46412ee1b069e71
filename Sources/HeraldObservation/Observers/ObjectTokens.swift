import HeraldModel

/// The tokens that observe one object without key paths, which may be many: about 100 bytes each.
///
/// Such a token is folded, a record without an `Observer`, until something concerns it or asks about it. When there are
/// many observers, a commit that finds nothing pending ends them, and keeps only what was delivered.
final class ObjectTokens {
  private struct Record {
    let object: ObjectID
    let receiver: (any ReportReceiver)?
    /// The version of the last commit record taken when it was registered.
    let since: Int
  }

  private let records = TokenPages<Record>()
  @exclusivity(unchecked) private(set) var count = 0
  /// One token of each observed object.
  @exclusivity(unchecked) private var firsts: [ClassID: [ObjectNumber: Int]] = [:]
  /// The others, of objects with several.
  @exclusivity(unchecked) private var others: [ObjectID: Set<Int>] = [:]
  /// The observers of tokens that are not folded.
  @exclusivity(unchecked) private var observers: [TokenID: Observer] = [:]
  /// What was delivered to folded tokens.
  @exclusivity(unchecked) private var accounts: [TokenID: DeliveryAccount] = [:]

  /// Adds a token.
  func insert(
    _ id: TokenID, on object: ObjectID, _ receiver: (any ReportReceiver)?, since: Int
  ) {
    records.insert(Record(object: object, receiver: receiver, since: since), id)
    count += 1
    if firsts[object.classID]?[object.number] == nil {
      firsts[object.classID, default: [:]][object.number] = id.rawValue
    } else {
      others[object, default: []].insert(id.rawValue)
    }
  }

  /// Removes a token, and returns what its receiver holds, to be released last.
  func remove(_ id: TokenID) -> (any ReportReceiver)? {
    guard let record = records.remove(id) else { return nil }
    count -= 1
    observers[id] = nil
    accounts[id] = nil
    let object = record.object
    if others[object]?.remove(id.rawValue) == nil {
      // The first one; another takes its place.
      firsts[object.classID]?[object.number] = others[object]?.popFirst()
    }
    if others[object]?.isEmpty ?? false { others[object] = nil }
    return record.receiver
  }

  func contains(_ id: TokenID) -> Bool { records.contains(id) }

  /// Whether a token is of this table and has no observer.
  func isFolded(_ id: TokenID) -> Bool { observers[id] == nil && contains(id) }

  /// Returns the observer of a token, which it makes of a folded one; nil for other tokens.
  func observer(_ id: TokenID) -> Observer? {
    if let known = observers[id] { return known }
    guard let record = records[id] else { return nil }
    let observer = Observer(id, ObjectSubject(record.object, .everything), clock: 0)
    if let receiver = record.receiver { observer.receiver = receiver }
    observer.since = record.since
    if let account = accounts.removeValue(forKey: id) { observer.account = account }
    observers[id] = observer
    return observer
  }

  /// The observers of the tokens that are not folded.
  var unfolded: some Sequence<Observer> { observers.values }

  /// The observers of all tokens, in the order of registration.
  var all: [Observer] { ids.compactMap(observer) }

  var ids: [TokenID] { records.ids }

  /// The number of tokens that have an observer.
  var unfoldedCount: Int { observers.count }

  /// Folds every token, none of which has anything pending.
  func fold() {
    let idle = observers
    observers = [:]
    for (id, observer) in idle {
      // Withheld reports are for an observer.
      if observer.silenceHandler != nil {
        observers[id] = observer
      } else if observer.account.count > 0 {
        accounts[id] = observer.account
      }
    }
  }

  /// Calls `body` with the observers of one object.
  func forEachObserver(of object: ObjectID, _ body: (Observer) -> Void) {
    guard let first = firsts[object.classID]?[object.number],
      let observer = observer(TokenID(rawValue: first))
    else { return }
    body(observer)
    if !others.isEmpty { forEachOther(of: object, body) }
  }

  private func forEachOther(of object: ObjectID, _ body: (Observer) -> Void) {
    for other in others[object] ?? [] { observer(TokenID(rawValue: other)).map(body) }
  }

  /// Calls `body` with the observers of deleted objects, and of those with a property that differs.
  func forEachConcerned(by change: ClassChange, of classID: ClassID, _ body: (Observer) -> Void) {
    guard let firsts = firsts[classID], !firsts.isEmpty else { return }
    func find(_ first: Int) {
      guard let observer = observer(TokenID(rawValue: first)) else { return }
      body(observer)
      if let object = observer.subject.observedObject { forEachOther(of: object, body) }
    }
    change.deleted.forEachCommon(firsts) { find($1) }
    for delta in change.properties.values {
      delta.forEachEntry(in: firsts) { first, isDifferent in
        if isDifferent { find(first) }
      }
    }
  }
}

extension ObjectTokens {
  /// The invariants of the tables that do not hold. O(tokens).
  var violations: [String] {
    var found: [String] = []
    var listed: [ObjectID: Set<Int>] = others
    for (classID, firsts) in firsts {
      for (number, first) in firsts {
        if !listed[ObjectID(classID, number), default: []].insert(first).inserted {
          found.append("token \(first) is listed twice")
        }
      }
    }
    for id in ids {
      guard let object = records[id]?.object, listed[object]?.remove(id.rawValue) != nil else {
        found.append("token \(id.rawValue) is not listed at its object")
        continue
      }
    }
    if listed.values.contains(where: { !$0.isEmpty }) { found.append("an object has a dead token") }
    if ids.count != count { found.append("\(ids.count) object tokens, but the count is \(count)") }
    for id in observers.keys where records[id] == nil {
      found.append("token \(id.rawValue) has an observer but no record")
    }
    for id in accounts.keys where records[id] == nil || observers[id] != nil {
      found.append("token \(id.rawValue) has two accounts")
    }
    return found
  }
}
