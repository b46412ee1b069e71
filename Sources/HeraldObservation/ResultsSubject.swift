import HeraldModel
import HeraldQuery

/// Observed results: the question, and, once the first call was made, what keeps it live.
final class ResultsSubject {
  let query: BoundQuery
  let filter: RowFilter
  var live: LiveResults?

  init(_ query: BoundQuery, _ filter: RowFilter) {
    self.query = query
    self.filter = filter
  }
}

/// A view of results and the watches that say which objects to look at again.
final class LiveResults {
  let view: ResultsView
  /// The paths that the predicate reads.
  let predicateWatches: [PathWatch]
  /// The paths of sort and distinct keys.
  let keyWatches: [PathWatch]
  let rowWatch: RowWatch
  private let classID: ClassID
  private let predicate: BoundPredicate

  init(
    _ view: ResultsView, predicateWatches: [PathWatch], keyWatches: [PathWatch],
    rowWatch: RowWatch
  ) {
    self.view = view
    self.predicateWatches = predicateWatches
    self.keyWatches = keyWatches
    self.rowWatch = rowWatch
    classID = view.query.classID
    predicate = view.query.predicate
  }

  /// Every path watch once for each use that was registered.
  var watches: [PathWatch] {
    switch rowWatch {
    case .deep: predicateWatches + keyWatches
    case .paths(let watches): predicateWatches + keyWatches + watches
    }
  }

  /// Brings the view to `reader`'s version and answers what changed. O(changes · log rows).
  func advance(_ changes: PendingChanges, _ reader: any ObjectReader) -> ChangeSet {
    let delta = rowDelta(changes, reader)
    let placed = delta.isEmpty ? PlacedDelta() : view.apply(delta, reader)
    let modified = modifiedRows(changes, reader)
    if modified.isEmpty && placed.removed.isEmpty && placed.added.isEmpty { return ChangeSet() }
    let sort = view.sort
    return RowChanges(placed).changeSet(modified: modified) { number in
      guard !sort.keys.isEmpty else { return false }
      let former = changes.record.formerKeyValues(of: number, sort, reader)
      return former != sort.keyValues(of: number, reader)
    }
  }

  private func modifiedRows(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [PlacedDelta.Row] {
    var modified: [PlacedDelta.Row] = []
    for number in rowWatch.modified(changes, reader) where view.members.contains(number) {
      guard let position = view.rows.position(of: number) else { continue }
      modified.append(PlacedDelta.Row(number: number, position: position))
    }
    modified.sort { $0.position < $1.position }
    return modified
  }

  /// The objects to take out of the view and those to put in: of the objects that the predicate or
  /// the order may judge anew, whatever is not plainly as before.
  private func rowDelta(_ changes: PendingChanges, _ reader: any ObjectReader) -> RowDelta {
    var delta = RowDelta()
    let population = changes.population(of: classID)
    if let population {
      for number in population.deleted.keys where view.members.contains(number) {
        delta.removed.append(number)
      }
      for number in population.created.numbers where predicate.matches(number, reader) {
        delta.added.append(number)
      }
    }
    let rekeyed = keyWatches.roots(changes, reader)
    for number in rekeyed where population?.isKept(number) ?? true {
      if view.members.contains(number) { delta.removed.append(number) }
      if predicate.matches(number, reader) { delta.added.append(number) }
    }
    for number in predicateWatches.roots(changes, reader)
    where population?.isKept(number) ?? true {
      if !rekeyed.isEmpty, rekeyed.containsSorted(number) { continue }
      let wasMember = view.members.contains(number)
      guard wasMember != predicate.matches(number, reader) else { continue }
      if wasMember { delta.removed.append(number) } else { delta.added.append(number) }
    }
    return delta
  }
}

extension [ObjectNumber] {
  fileprivate func containsSorted(_ number: ObjectNumber) -> Bool {
    let place = lowerBound { $0 < number }
    return place < count && self[place] == number
  }
}
