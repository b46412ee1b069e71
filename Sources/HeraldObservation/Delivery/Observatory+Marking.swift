import HeraldModel
import HeraldQuery

extension Observatory {
  /// Marks the tokens that changes may concern as pending since record `number`.
  func mark(_ changes: PendingChanges, _ number: Int, _ reader: any ObjectReader) {
    let stamp = changes.stamp
    Marking(changes, interest, reader).forEachConcerned { observer, watch in
      if let watch { observer.subject.mark(watch.path) }
      observer.markedBy = stamp
      queue.mark(observer, number)
    }
  }

  /// Marks property observers, unless the writer has notified them. Those of a deleted object end, those
  /// of its deletion are marked.
  func markProperties(
    _ changes: PendingChanges, _ number: Int, isOwn: Bool, _ reader: any ObjectReader
  ) {
    guard hasPropertyObservers else { return }
    for (classID, change) in changes.record.classes where !change.deleted.isEmpty {
      guard let observed = interest.classes[classID]?.observedProperties else { continue }
      change.deleted.forEachCommon(observed.members) { _, observers in
        for observer in observers where isOwn || observer.subject.observedProperty != nil {
          end(observer, .objectDeleted(isSilenced: false))
        }
      }
    }
    if isOwn { return }
    Marking(changes, interest, reader).forEachPropertyObserver { observer, _ in
      observer.markedBy = changes.stamp
      queue.mark(observer, number)
    }
  }
}
