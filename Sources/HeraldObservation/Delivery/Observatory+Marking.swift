import HeraldModel
import HeraldQuery

extension Observatory {
  /// Marks the tokens that a record may concern as pending.
  func mark(_ changes: PendingChanges, _ number: Int, _ reader: any ObjectReader) {
    var found = Concerned(number: number)
    for (classID, change) in changes.record.classes {
      guard let interest = interest.classes[classID] else { continue }
      let isPopulationChanged = !change.created.isEmpty || !change.deleted.isEmpty
      if isPopulationChanged {
        markPending(interest.rows, number)
        for group in interest.groups.values { found.note(group) }
      }
      if isPopulationChanged || !change.transientLinks.isEmpty {
        for watch in interest.origins { found.note(watch) }
      }
      change.forEachProperty { property in
        for watch in interest.properties[property] ?? [] { found.note(watch) }
      }
      if !change.modifiesNothing {
        for watch in interest.deep { markPending(watch.observers, number) }
        found.deep += interest.deep
      }
      mark(interest.objects, change, number)
      mark(collections: interest.collections, change, number)
      for (property, observed) in interest.backlinks {
        mark(backlinks: observed, through: classID, property, changes, number, reader)
      }
    }
    interest.noteEvaluated(found.watches, found.deep)
    for watch in found.watches {
      markPending(watch.observers, number)
      for group in watch.groups { found.note(group) }
    }
    for watch in found.deep {
      for group in watch.groups { found.note(group) }
    }
    for group in found.groups {
      group.forEachConcerned(changes, reader) { markPending($0, number) }
    }
    markPaths(found.watches, changes, number, reader)
  }

  /// Marks observers of objects without a filter, and all observers of deleted objects.
  private func mark(
    _ objects: [ObjectNumber: ObservedObject], _ change: ClassChange, _ number: Int
  ) {
    guard !objects.isEmpty else { return }
    forEachCommon(change.deleted, objects) { _, object in
      for observer in object.observers { markPending(observer, number) }
    }
    for values in change.columns.values {
      forEachCommon(values, objects) { _, object in markUnfiltered(object, number) }
    }
    for lists in change.lists.values {
      forEachCommon(lists, objects) { list, object in
        if list.differs { markUnfiltered(object, number) }
      }
    }
    for sets in change.sets.values {
      forEachCommon(sets, objects) { _, object in markUnfiltered(object, number) }
    }
    for maps in change.maps.values {
      forEachCommon(maps, objects) { _, object in markUnfiltered(object, number) }
    }
  }

  private func markUnfiltered(_ object: ObservedObject, _ number: Int) {
    for observer in object.observers {
      if case .object(let subject) = observer.subject, case .everything = subject.filter {
        markPending(observer, number)
      }
    }
  }

  private func mark(
    collections observed: ObserversByObject, _ change: ClassChange, _ number: Int
  ) {
    guard !observed.isEmpty else { return }
    forEachCommon(change.deleted, observed.members) { _, observers in
      for observer in observers { markPending(observer, number) }
    }
    for (property, values) in change.columns { mark(values, observed, property, number) }
    for (property, lists) in change.lists { mark(lists, observed, property, number) }
    for (property, sets) in change.sets { mark(sets, observed, property, number) }
    for (property, maps) in change.maps { mark(maps, observed, property, number) }
    for (property, insides) in change.insides { mark(insides, observed, property, number) }
  }

  /// Marks the observers of one property among those of an object's collections.
  private func mark<Change>(
    _ changes: [ObjectNumber: Change], _ observed: ObserversByObject, _ property: PropertyID,
    _ number: Int
  ) {
    forEachCommon(changes, observed.members) { _, observers in
      for observer in observers where observer.collectionProperty == property {
        markPending(observer, number)
      }
    }
  }

  private func mark(
    backlinks observed: ObserversByObject, through classID: ClassID, _ property: PropertyID,
    _ changes: PendingChanges, _ number: Int, _ reader: any ObjectReader
  ) {
    for target in changes.record.backlinkChanges(through: classID, property, reader) {
      for observer in observed[target.number] where observer.collectionOwner == target {
        markPending(observer, number)
      }
    }
  }

  /// Marks property observers. Those of a deleted object end, those of its deletion are marked.
  func markProperties(_ record: CommitRecord, _ number: Int, _ isOwn: Bool) {
    for (classID, change) in record.classes {
      guard let observed = interest.classes[classID]?.observedProperties, !observed.isEmpty
      else { continue }
      forEachCommon(change.deleted, observed.members) { _, observers in
        for observer in observers {
          if isOwn || observer.observedProperty != nil {
            end(observer, .objectDeleted(isSilenced: false))
          } else {
            markPending(observer, number)
          }
        }
      }
      guard !isOwn else { continue }
      change.forEachProperty { property in
        change.forEachObject(changing: property) { object in
          for observer in observed[object] where observer.observedProperty == property {
            markPending(observer, number)
          }
        }
      }
    }
  }

  /// Marks observers of objects with key paths, and those that share their matches.
  private func markPaths(
    _ watches: [PathWatch], _ changes: PendingChanges, _ number: Int, _ reader: any ObjectReader
  ) {
    var sharing: [ObjectID: ObservedObject] = [:]
    for watch in watches where !watch.objects.isEmpty {
      guard let step = watch.path.steps.first?.kind else { continue }
      for root in watch.roots(changes, reader) {
        for observer in watch.objects[root] ?? [] {
          switch observer.subject {
          case .projection(let subject):
            subject.matches.insert(watch.path)
            markPending(observer, number)
          case .object(let subject):
            subject.matches.insert(step)
            markPending(observer, number)
            guard subject.isSharing,
              let object = interest.classes[subject.object.classID]?.objects[root]
            else { continue }
            object.sharedMatches.insert(step)
            sharing[subject.object] = object
          case .store, .results, .collection, .property: break
          }
        }
      }
    }
    for object in sharing.values {
      for observer in object.observers {
        guard case .object(let subject) = observer.subject, subject.isSharing else { continue }
        subject.matches.formUnion(object.sharedMatches)
        markPending(observer, number)
      }
      object.sharedMatches = []
    }
  }

  private func markPending(_ list: ObserverList, _ number: Int) {
    for observer in list.members { markPending(observer, number) }
  }

  func markPending(_ observer: Observer, _ number: Int) {
    guard observer.state == .idle else { return }
    observer.state = .pending(record: number, since: clock)
    if case .property = observer.subject {
      pendingProperties.insert(observer.id.rawValue)
    } else {
      pendingTokens.insert(observer.id.rawValue)
    }
  }
}

extension Observer {
  fileprivate var observedProperty: PropertyID? {
    if case .property(let subject) = subject { subject.property } else { nil }
  }

  fileprivate var collectionOwner: ObjectID? {
    switch subject {
    case .collection(let subject): subject.owner
    case .results(let subject): subject.source?.owner
    case .store, .object, .property, .projection: nil
    }
  }

  fileprivate var collectionProperty: PropertyID? {
    switch subject {
    case .collection(let subject): subject.property
    case .results(let subject): subject.source?.property
    case .store, .object, .property, .projection: nil
    }
  }
}

/// The watches and groups that a record concerns, without duplicates.
private struct Concerned {
  let number: Int
  var watches: [PathWatch] = []
  var deep: [DeepWatch] = []
  var groups: [PredicateIndex] = []

  init(number: Int) { self.number = number }

  mutating func note(_ watch: PathWatch) {
    guard watch.markedBy != number else { return }
    watch.markedBy = number
    watches.append(watch)
  }

  mutating func note(_ group: PredicateIndex) {
    guard group.markedBy != number else { return }
    group.markedBy = number
    groups.append(group)
  }
}

extension ClassChange {
  /// Calls `body` with each property of which some object's value may differ, once, since a property has
  /// one shape.
  fileprivate func forEachProperty(_ body: (PropertyID) -> Void) {
    for property in columns.keys { body(property) }
    for property in lists.keys { body(property) }
    for property in sets.keys { body(property) }
    for property in maps.keys { body(property) }
  }
}

/// Calls `body` with the values of each common key. O(smaller count).
private func forEachCommon<Key, A, B>(
  _ a: [Key: A], _ b: [Key: B], _ body: (A, B) -> Void
) {
  if a.count <= b.count {
    for (key, value) in a {
      if let other = b[key] { body(value, other) }
    }
  } else {
    for (key, other) in b {
      if let value = a[key] { body(value, other) }
    }
  }
}
