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
      mark(interest.collections, change, number)
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

  /// Marks the observers of deleted objects, and those that observe a property that changed.
  private func mark(_ observed: ObserversByObject, _ change: ClassChange, _ number: Int) {
    guard !observed.isEmpty else { return }
    change.deleted.forEachCommon(observed.members) { _, observers in
      for observer in observers { queue.mark(observer, number) }
    }
    func mark(_ observers: [Observer], _ property: PropertyID, isDifferent: Bool) {
      for observer in observers
      where observer.subject.observes(property, isDifferent: isDifferent) {
        queue.mark(observer, number)
      }
    }
    for (property, delta) in change.properties {
      delta.forEachEntry(in: observed.members) { mark($0, property, isDifferent: $1) }
    }
    for (property, insides) in change.insides {
      insides.forEachCommon(observed.members) { mark($1, property, isDifferent: false) }
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
        for observer in observers where isOwn || observer.subject.observedProperty != nil {
          end(observer, .objectDeleted(isSilenced: false))
        }
      }
      if !isOwn { mark(observed, change, number) }
    }
  }

  /// Marks observers of objects with key paths, and those that share their matches.
  private func markPaths(
    _ watches: [PathWatch], _ changes: PendingChanges, _ number: Int, _ reader: any ObjectReader
  ) {
    var shared: [ObjectID: [PathWatch]] = [:]
    for watch in watches where !watch.objects.isEmpty {
      let isChanged = watch.path.backlinksFilter(changes, reader)
      for root in watch.roots(changes, reader) where isChanged(root) {
        for observer in watch.objects[root] ?? [] {
          observer.subject.mark(watch.path)
          queue.mark(observer, number)
          guard observer.subject.isSharing else { continue }
          let object = ObjectID(watch.path.root, root)
          if shared[object]?.last !== watch { shared[object, default: []].append(watch) }
        }
      }
    }
    for (object, watches) in shared {
      for observer in interest.classes[object.classID]?.objects[object.number] ?? []
      where observer.subject.isSharing {
        for watch in watches { observer.subject.mark(watch.path) }
        queue.mark(observer, number)
      }
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
