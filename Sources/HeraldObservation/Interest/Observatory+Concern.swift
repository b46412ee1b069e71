import HeraldModel
import HeraldQuery

extension Observatory {
  /// Whether changes concern an observer on their own, when it was notified of them together with earlier
  /// ones. `reader` is at their version.
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

  /// A projection does not report values that are equal before and after.
  private func isConcerned(
    _ subject: ProjectionSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    let alone = ProjectionSubject(subject.object, subject.fields, subject.watches)
    for watch in subject.watches where [watch].reach(subject.object, changes, reader) {
      alone.matches.insert(watch.path)
    }
    return alone.report(changes, reader) != nil
  }

  /// Rebuilds the view at the version before the changes and advances it. O(rows · log rows).
  private func isConcerned(
    _ subject: ResultsSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard let live = subject.live else { return false }
    let before = PreviousReader(reader, before: changes.record)
    let rows = live.view.collection.map { CollectionRows($0.location, before) }
    let alone = LiveResults(
      ResultsView(subject.query, of: rows, before), predicateWatches: live.predicateWatches,
      keyWatches: live.keyWatches, rowWatch: live.rowWatch)
    return !alone.advance(changes, reader).isEmpty
  }

  private func isConcerned(
    _ subject: CollectionSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard let live = subject.live else { return false }
    if live.hasChangedRows(changes, reader) { return true }
    let modified = live.rowWatch?.modifiedObjects(changes, reader) ?? []
    return modified.contains { live.isRow($0, reader) }
  }
}

extension [PathWatch] {
  /// Whether something changed along one of the paths from an object.
  fileprivate func reach(
    _ object: ObjectID, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    contains { $0.path.root == object.classID && $0.roots(changes, reader).contains(object.number) }
  }
}

extension CollectionSubject.Live {
  /// Whether rows were inserted, deleted, moved or given another value.
  fileprivate func hasChangedRows(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    if let origin = location.origin {
      return changes.record.backlinkChanges(through: origin.classID, origin.property, reader)
        .contains(location.owner)
    }
    let (property, number) = (location.property, location.owner.number)
    guard let change = changes.change(of: location.owner.classID) else { return false }
    if case .inside(let view) = view {
      return view.isChangedByLastCommit && change.inside(property, number) != nil
    }
    return change.lists[property]?[number] != nil || change.sets[property]?[number] != nil
      || change.maps[property]?[number] != nil
  }
}
