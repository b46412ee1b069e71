import HeraldModel
import HeraldQuery

/// Observed results: the question, and, once the first call was made, the live view.
final class ResultsSubject {
  struct Live {
    let view: ResultsView
    /// The paths that the predicate reads.
    let predicateWatches: [PathWatch]
    /// The paths of sort and distinct keys.
    let keyWatches: [PathWatch]
    let rowWatch: RowWatch
  }

  let query: BoundQuery
  let filter: RowFilter
  var live: Live?

  init(_ query: BoundQuery, _ filter: RowFilter) {
    self.query = query
    self.filter = filter
  }

  /// Brings the view to `reader`'s version and answers what changed. O(changes · log rows).
  func advance(_ changes: PendingChanges, _ reader: any ObjectReader) -> ChangeSet {
    guard let live else { return ChangeSet() }
    let delta = rowDelta(live, changes, reader)
    let placed = delta.isEmpty ? PlacedDelta() : live.view.apply(delta, reader)
    var modified: [PlacedDelta.Row] = []
    for number in live.rowWatch.modified(changes, reader) {
      guard let position = live.view.rows.position(of: number) else { continue }
      modified.append(PlacedDelta.Row(number: number, position: position))
    }
    if modified.isEmpty && placed.removed.isEmpty && placed.added.isEmpty { return ChangeSet() }
    modified.sort { $0.position < $1.position }
    let sort = live.view.sort
    return RowChanges(placed).changeSet(modified: modified) { number in
      guard !sort.keys.isEmpty else { return false }
      let former = changes.record.formerKeyValues(of: number, sort, reader)
      return former != sort.keyValues(of: number, reader)
    }
  }

  /// The objects to take out of the view and those to put in: of the objects that the predicate or
  /// the order may judge anew, whatever is not plainly as before.
  private func rowDelta(
    _ live: Live, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> RowDelta {
    var delta = RowDelta()
    let change = changes.change(of: query.classID)
    let rekeyed = live.keyWatches.roots(changes, reader)
    let judged = live.predicateWatches.roots(changes, reader)
    if let change {
      for number in change.deleted.keys where live.view.isMember(number) {
        delta.removed.append(number)
      }
      for number in change.created.numbers where query.predicate.matches(number, reader) {
        delta.added.append(number)
      }
    }
    for number in rekeyed where change.isModification(of: number) {
      if live.view.isMember(number) { delta.removed.append(number) }
      if query.predicate.matches(number, reader) { delta.added.append(number) }
    }
    for number in judged where change.isModification(of: number) {
      if !rekeyed.isEmpty, rekeyed.containsSorted(number) { continue }
      switch (live.view.isMember(number), query.predicate.matches(number, reader)) {
      case (true, false): delta.removed.append(number)
      case (false, true): delta.added.append(number)
      case (true, true), (false, false): break
      }
    }
    return delta
  }
}

extension ClassChange? {
  /// Whether an object was there before and is there now.
  fileprivate func isModification(of number: ObjectNumber) -> Bool {
    guard let self else { return true }
    return !self.created.contains(number) && self.deleted[number] == nil
  }
}

extension [ObjectNumber] {
  fileprivate func containsSorted(_ number: ObjectNumber) -> Bool {
    let place = lowerBound { $0 < number }
    return place < count && self[place] == number
  }
}
