import HeraldModel
import HeraldQuery

/// Finds the observers that changes may concern: a function of the changes and the subscriptions.
struct Marking {
  /// Receives an observer, and the watch that found it where it observes one object along paths. An
  /// observer may be found more than once.
  typealias Body = (Observer, PathWatch?) -> Void

  private let changes: PendingChanges
  private let interest: Interest
  private let reader: any ObjectReader
  /// The folded filters that were found, for which `forEachConcerned` makes no observers.
  private(set) var folded: [TokenID] = []

  init(_ changes: PendingChanges, _ interest: Interest, _ reader: any ObjectReader) {
    self.changes = changes
    self.interest = interest
    self.reader = reader
  }

  /// Calls `body` with the observers of everything but single properties, and adds to `folded`.
  mutating func forEachConcerned(_ body: Body) {
    if interest.forEachSubscriber(changes, reader, &folded, { body($0, nil) }) { return }
    var found = Concerned(stamp: changes.stamp)
    for (classID, change) in changes.record.classes {
      interest.objectTokens.forEachConcerned(by: change, of: classID) { body($0, nil) }
      guard let interest = interest.classes[classID] else { continue }
      note(change, interest, &found, body)
      forEachObserver(in: interest.objects, change, body)
      forEachObserver(in: interest.collections, change, body)
      for (property, observed) in interest.backlinks {
        forEachObserver(ofBacklinks: observed, through: classID, property, body)
      }
    }
    forEachConcerned(found, body)
  }

  /// Calls `body` with the observers of watches and groups.
  private mutating func forEachConcerned(_ concerned: consuming Concerned, _ body: Body) {
    var found = concerned
    interest.noteEvaluated(found.watches, found.deep)
    for watch in found.watches {
      for observer in watch.observers.members { body(observer, nil) }
      for group in watch.groups { found.note(group) }
    }
    for watch in found.deep {
      for group in watch.groups { found.note(group) }
    }
    for group in found.groups {
      group.forEachConcerned(changes, reader, &folded) { body($0, nil) }
    }
    forEachObserver(along: found.watches, body)
  }

  /// Calls `body` with the observers of single properties of objects that still exist.
  func forEachPropertyObserver(_ body: Body) {
    for (classID, change) in changes.record.classes {
      guard let observed = interest.classes[classID]?.observedProperties, !observed.isEmpty
      else { continue }
      forEachObserver(in: observed, change, body)
    }
  }

  /// Adds the watches and groups that a change of a class concerns, and calls `body` with the observers
  /// that any such change concerns.
  private func note(
    _ change: ClassChange, _ interest: Interest.ClassInterest, _ found: inout Concerned,
    _ body: Body
  ) {
    let isPopulationChanged = !change.created.isEmpty || !change.deleted.isEmpty
    if isPopulationChanged {
      for observer in interest.rows.members { body(observer, nil) }
      for group in interest.groups.values { found.note(group) }
    }
    if isPopulationChanged || !change.relinked.isEmpty {
      for watch in interest.origins { found.note(watch) }
    }
    for property in change.properties.keys {
      for watch in interest.properties[property] ?? [] { found.note(watch) }
    }
    if change.properties.isEmpty { return }
    for watch in interest.deep {
      for observer in watch.observers.members { body(observer, nil) }
    }
    if found.deep.isEmpty { found.deep = interest.deep } else { found.deep += interest.deep }
  }

  /// The observers of deleted objects, and those that observe a property that changed.
  private func forEachObserver(
    in observed: ObserversByObject, _ change: ClassChange, _ body: Body
  ) {
    guard !observed.isEmpty else { return }
    change.deleted.forEachCommon(observed.members) { _, observers in
      for observer in observers { body(observer, nil) }
    }
    func mark(_ observers: [Observer], _ property: PropertyID, isDifferent: Bool) {
      for observer in observers
      where observer.subject.observes(property, isDifferent: isDifferent) {
        body(observer, nil)
      }
    }
    for (property, delta) in change.properties {
      delta.forEachEntry(in: observed.members) { mark($0, property, isDifferent: $1) }
    }
  }

  private func forEachObserver(
    ofBacklinks observed: ObserversByObject, through classID: ClassID, _ property: PropertyID,
    _ body: Body
  ) {
    for target in changes.record.backlinkChanges(through: classID, property, reader) {
      for observer in observed[target.number]
      where observer.subject.observedProperty?.object == target {
        body(observer, nil)
      }
    }
  }

  /// Observers of objects with key paths, and those that share their matches.
  private func forEachObserver(along watches: [PathWatch], _ body: Body) {
    var shared: [ObjectID: [PathWatch]] = [:]
    for watch in watches where !watch.objects.isEmpty {
      let isChanged = watch.path.backlinksFilter(changes, reader)
      for root in watch.roots(changes, reader) where isChanged(root) {
        for observer in watch.objects[root] {
          body(observer, watch)
          guard observer.subject.isSharing else { continue }
          let object = ObjectID(watch.path.root, root)
          if shared[object]?.last !== watch { shared[object, default: []].append(watch) }
        }
      }
    }
    for (object, watches) in shared {
      for observer in interest.classes[object.classID]?.objects[object.number] ?? []
      where observer.subject.isSharing {
        for watch in watches { body(observer, watch) }
      }
    }
  }
}

/// The watches and groups that changes concern, without duplicates.
private struct Concerned {
  let stamp: Int
  var watches: [PathWatch] = []
  var deep: [DeepWatch] = []
  var groups: [PredicateIndex] = []

  init(stamp: Int) { self.stamp = stamp }

  mutating func note(_ watch: PathWatch) {
    guard watch.markedBy != stamp else { return }
    watch.markedBy = stamp
    watches.append(watch)
  }

  mutating func note(_ group: PredicateIndex) {
    guard group.markedBy != stamp else { return }
    group.markedBy = stamp
    groups.append(group)
  }
}

extension PropertyPath {
  /// Returns, for a path that is one backlinks step, whether the links to an object changed in number: a
  /// link that moved from one key of a map to another leaves the step's value equal (observation 7.3).
  fileprivate func backlinksFilter(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> (ObjectNumber) -> Bool {
    guard steps.count == 1, case .backlinks(let origin, let property) = steps[0].kind else {
      return { _ in true }
    }
    let targets = changes.record.backlinkChanges(through: origin, property, reader, isNet: true)
    return { targets.contains(ObjectID(root, $0)) }
  }
}
