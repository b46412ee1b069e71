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
    case .projection(let subject): subject.watches.reach(subject.object, changes, reader)
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

  private func isConcerned(
    _ subject: ResultsSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard let live = subject.live else { return false }
    let lookedAt = live.lookedAt(changes, reader)
    guard let place = live.view.collection?.place else {
      return lookedAt.contains { live.isRow($0) || live.departed.contains($0) }
    }
    return place.isChanged(changes, reader) || lookedAt.contains(where: live.isRow)
      || (!live.departed.isEmpty && !lookedAt.isEmpty)
  }

  private func isConcerned(
    _ subject: CollectionSubject, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Bool {
    guard let live = subject.live else { return false }
    if live.place.isChanged(changes, reader) { return true }
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

extension CollectionPlace {
  /// Whether what the collection holds changed.
  fileprivate func isChanged(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    if let origin {
      return changes.record.backlinkChanges(through: origin.classID, origin.property, reader)
        .contains(owner)
    }
    var isFound = false
    changes.change(of: owner.classID)?.forEachObject(changing: property) {
      if $0 == owner.number { isFound = true }
    }
    return isFound
  }
}
