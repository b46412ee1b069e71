import HeraldModel
import HeraldQuery

extension Observatory {
  /// Whether changes by themselves concern an observer that was told of them together with earlier
  /// ones. `reader` stands at their version.
  func isConcerned(
    _ observer: Observer, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    switch observer.subject {
    case .store: true
    case .property(let subject): subject.isTouched(changes)
    case .object(let subject): isConcerned(subject, changes, reader)
    case .projection(let subject): isConcerned(subject, changes, reader)
    case .results(let subject): isConcerned(subject, changes, reader)
    case .collection(let subject): isConcerned(subject, changes, reader)
    }
  }

  private func isConcerned(
    _ subject: ObjectSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard case .keyPaths = subject.filter else {
      return ObjectSubject(subject.object, .everything, []).report(changes, reader) != nil
    }
    if subject.watches.reach(subject.object, changes, reader) { return true }
    guard subject.isSharing else { return false }
    let others = interest.classes[subject.object.classID]?.objects[subject.object.number]
    return others?.observers.contains { other in
      guard case .object(let other) = other.subject, other.isSharing else { return false }
      return other.watches.reach(subject.object, changes, reader)
    } ?? false
  }

  /// A projection tells of no value that is equal before and after.
  private func isConcerned(
    _ subject: ProjectionSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    let alone = ProjectionSubject(subject.object, subject.fields, subject.watches)
    for watch in subject.watches where [watch].reach(subject.object, changes, reader) {
      alone.matches.insert(watch.path)
    }
    return alone.report(changes, reader) != nil
  }

  /// The rows as they were before the changes are brought up to date with them. O(rows · log rows).
  private func isConcerned(
    _ subject: ResultsSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard let live = subject.live else { return false }
    let former = FormerReader(reader, before: changes.record)
    let rows = live.view.collection.map { CollectionRows($0.place, former) }
    let alone = LiveResults(
      ResultsView(subject.query, of: rows, former), predicateWatches: live.predicateWatches,
      keyWatches: live.keyWatches, rowWatch: live.rowWatch)
    return !alone.advance(changes, reader).isEmpty
  }

  private func isConcerned(
    _ subject: CollectionSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard let live = subject.live else { return false }
    if live.isTold(changes, reader) { return true }
    let modified = live.rowWatch?.modifiedObjects(changes, reader) ?? []
    return modified.contains { live.isRow($0, reader) }
  }
}

extension [PathWatch] {
  /// Whether something along one of the paths changed as seen from an object.
  fileprivate func reach(
    _ object: ObjectID, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    contains { $0.path.root == object.classID && $0.roots(changes, reader).contains(object.number) }
  }
}

extension CollectionSubject.Live {
  /// Whether rows came, went, moved or were given another value.
  fileprivate func isTold(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    if let origin = place.origin {
      return changes.record.backlinkChanges(through: origin.classID, origin.property, reader)
        .contains(place.owner)
    }
    let (property, number) = (place.property, place.owner.number)
    guard let change = changes.change(of: place.owner.classID) else { return false }
    if case .inside(let view) = view {
      return view.isToldOfLast && change.inside(property, number) != nil
    }
    return change.lists[property]?[number] != nil || change.sets[property]?[number] != nil
      || change.maps[property]?[number] != nil
  }
}
