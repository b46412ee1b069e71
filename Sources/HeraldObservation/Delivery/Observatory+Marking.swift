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
        queue.mark(interest.rows, number)
        for group in interest.groups.values { found.note(group) }
      }
      if isPopulationChanged || !change.transientLinks.isEmpty {
        for watch in interest.origins { found.note(watch) }
      }
      for property in change.properties.keys {
        for watch in interest.properties[property] ?? [] { found.note(watch) }
      }
      if !change.properties.isEmpty {
        for watch in interest.deep { queue.mark(watch.observers, number) }
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
      queue.mark(watch.observers, number)
      for group in watch.groups { found.note(group) }
    }
    for watch in found.deep {
      for group in watch.groups { found.note(group) }
    }
    for group in found.groups {
      group.forEachConcerned(changes, reader) { queue.mark($0, number) }
    }
    markPaths(found.watches, changes, number, reader)
  }

  /// Marks observers of objects without a filter, and all observers of deleted objects.
  private func mark(
    _ objects: [ObjectNumber: ObservedObject], _ change: ClassChange, _ number: Int
  ) {
    guard !objects.isEmpty else { return }
    change.deleted.forEachCommon(objects) { _, object in
      for observer in object.observers { queue.mark(observer, number) }
    }
    for delta in change.properties.values {
      delta.forEachEntry(in: objects) { object, isDifferent in
        guard isDifferent else { return }
        for observer in object.observers where observer.subject.isUnfiltered {
          queue.mark(observer, number)
        }
      }
    }
  }

  private func mark(
    collections observed: ObserversByObject, _ change: ClassChange, _ number: Int
  ) {
    guard !observed.isEmpty else { return }
    change.deleted.forEachCommon(observed.members) { _, observers in
      for observer in observers { queue.mark(observer, number) }
    }
    for (property, delta) in change.properties {
      delta.forEachEntry(in: observed.members) { observers, _ in
        mark(observers, of: property, number)
      }
    }
    for (property, insides) in change.insides {
      insides.forEachCommon(observed.members) { _, observers in
        mark(observers, of: property, number)
      }
    }
  }

  /// Marks the observers of one property among those of an object.
  private func mark(_ observers: [Observer], of property: PropertyID, _ number: Int) {
    for observer in observers where observer.subject.observedProperty?.property == property {
      queue.mark(observer, number)
    }
  }

  private func mark(
    backlinks observed: ObserversByObject, through classID: ClassID, _ property: PropertyID,
    _ changes: PendingChanges, _ number: Int, _ reader: any ObjectReader
  ) {
    for target in changes.record.backlinkChanges(through: classID, property, reader) {
      for observer in observed[target.number]
      where observer.subject.observedProperty?.object == target {
        queue.mark(observer, number)
      }
    }
  }

  /// Marks property observers. Those of a deleted object end, those of its deletion are marked.
  func markProperties(_ record: CommitRecord, _ number: Int, _ isOwn: Bool) {
    for (classID, change) in record.classes {
      guard let observed = interest.classes[classID]?.observedProperties, !observed.isEmpty
      else { continue }
      change.deleted.forEachCommon(observed.members) { _, observers in
        for observer in observers {
          if isOwn || observer.subject.observedProperty != nil {
            end(observer, .objectDeleted(isSilenced: false))
          } else {
            queue.mark(observer, number)
          }
        }
      }
      guard !isOwn else { continue }
      for (property, delta) in change.properties {
        delta.forEachEntry(in: observed.members) { observers, isDifferent in
          if isDifferent { mark(observers, of: property, number) }
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
      for root in watch.roots(changes, reader) {
        for observer in watch.objects[root] ?? [] {
          observer.subject.mark(watch.path)
          queue.mark(observer, number)
          guard observer.subject.isSharing,
            let object = interest.classes[watch.path.root]?.objects[root]
          else { continue }
          object.sharedMarks.insert(watch.path)
          sharing[ObjectID(watch.path.root, root)] = object
        }
      }
    }
    for object in sharing.values {
      for observer in object.observers where observer.subject.isSharing {
        for path in object.sharedMarks { observer.subject.mark(path) }
        queue.mark(observer, number)
      }
      object.sharedMarks = []
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
