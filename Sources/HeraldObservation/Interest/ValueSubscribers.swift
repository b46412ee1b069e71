import HeraldModel
import HeraldQuery

/// The observers that a change of one value of a property may concern: found once, and kept for the next such change as
/// long as nobody begins or ends to observe anything.
///
/// It holds nothing that it names, since what it names is observed: to count references is a large part of what the
/// delivery of one change costs.
final class ValueSubscribers {
  /// No other ones of the same session ever have it; from 1 on.
  let number: Int
  let classID: ClassID
  let property: PropertyID
  /// Those that each change concerns, each once.
  private let observers: [Unmanaged<Observer>]
  /// Groups of observers of which each change concerns only some, each once.
  private let groups: [Unmanaged<PredicateIndex>]
  /// Whether there are no others. If there are, for instance observers along links, they are found by `Marking` alone.
  let areAll: Bool

  fileprivate init(
    _ number: Int, _ classID: ClassID, _ property: PropertyID, _ observers: [Observer],
    _ groups: [PredicateIndex], areAll: Bool
  ) {
    self.number = number
    self.classID = classID
    self.property = property
    self.observers = observers.unique.map(Unmanaged.passUnretained)
    self.groups = groups.unique.map(Unmanaged.passUnretained)
    self.areAll = areAll
  }

  func forEachObserver(_ body: (Observer) -> Void) {
    for observer in observers { observer._withUnsafeGuaranteedRef(body) }
  }

  func forEachGroup(_ body: (PredicateIndex) -> Void) {
    for group in groups { group._withUnsafeGuaranteedRef(body) }
  }
}

extension Interest {
  /// Calls `body` with the observers that changes may concern, and adds the tokens of folded filters to `folded`, some
  /// perhaps more than once; returns false, without any effect, unless the changes are one value and `ValueSubscribers`
  /// has all of these observers.
  ///
  /// A method of what never changes, with all that it uses as parameters: it counts no references.
  @inline(__always)
  func forEachSubscriber(
    _ changes: PendingChanges, _ reader: any ObjectReader, _ folded: inout [TokenID],
    _ body: (Observer) -> Void
  ) -> Bool {
    guard let single = changes.single, case .value(let property, let number, _) = single.kind
    else { return false }
    let subscribers = subscribers(toValueOf: property, of: single.classID)
    guard subscribers.areAll else { return false }
    changes.subscribers = subscribers.number
    if objectTokens.count > 0 {
      objectTokens.forEachObserver(of: ObjectID(single.classID, number), body)
    }
    subscribers.forEachObserver(body)
    subscribers.forEachGroup { $0.forEachConcerned(changes, reader, &folded, body) }
    return true
  }

  /// Returns the observers that a change of one value of a property concerns, but those of whole objects.
  private func subscribers(toValueOf property: PropertyID, of classID: ClassID) -> ValueSubscribers
  {
    if let last = lastValueSubscribers, last.property == property, last.classID == classID {
      return last
    }
    let key = ValueKey(classID: classID, property: property)
    let found = valueSubscribers[key] ?? findSubscribers(toValueOf: property, of: classID)
    valueSubscribers[key] = found
    lastValueSubscribers = found
    return found
  }

  private func findSubscribers(
    toValueOf property: PropertyID, of classID: ClassID
  ) -> ValueSubscribers {
    var (observers, groups): ([Observer], [PredicateIndex]) = ([], [])
    var areAll = true
    if let ofClass = classes[classID] {
      let watches = ofClass.properties[property] ?? []
      areAll =
        ofClass.hasOnlyRows
        && watches.allSatisfy { $0.isDirect && $0.objects.isEmpty }
        && ofClass.deep.allSatisfy { $0.isDirect(classID) }
      if areAll {
        observers = watches.flatMap(\.observers.members) + ofClass.deep.flatMap(\.observers.members)
        groups = watches.flatMap(\.groups) + ofClass.deep.flatMap(\.groups)
      }
    }
    valueSubscribersCount += 1
    return ValueSubscribers(
      valueSubscribersCount, classID, property, observers, groups, areAll: areAll)
  }

  /// Forgets what was found, before anything is observed in addition, or no longer.
  func forgetValueSubscribers() {
    guard lastValueSubscribers != nil else { return }
    lastValueSubscribers = nil
    valueSubscribers = [:]
  }
}

extension Interest {
  /// The kept subscribers that are not those which would be found now.
  var violationsOfValueSubscribers: [String] {
    valueSubscribers.flatMap { key, known in
      let found = findSubscribers(toValueOf: key.property, of: key.classID)
      return known.names(theSameAs: found)
        ? [] : ["other observers subscribe to property \(key.property) of class \(key.classID)"]
    }
  }
}

extension ValueSubscribers {
  fileprivate func names(theSameAs other: ValueSubscribers) -> Bool {
    areAll == other.areAll
      && Set(observers.map { $0.toOpaque() }) == Set(other.observers.map { $0.toOpaque() })
      && Set(groups.map { $0.toOpaque() }) == Set(other.groups.map { $0.toOpaque() })
  }
}
