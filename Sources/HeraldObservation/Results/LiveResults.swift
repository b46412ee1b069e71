import HeraldModel
import HeraldQuery

/// A view of results and the watches that say which objects to look at again.
final class LiveResults {
  let view: ResultsView
  /// The paths that the predicate reads.
  let predicateWatches: [PathWatch]
  /// The paths of sort and distinct keys.
  let keyWatches: [PathWatch]
  let rowWatch: RowWatch
  /// The others that its observer is found among, where its predicate has a span.
  var group: FilterGroup?
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

  /// Every path watch once.
  var distinctPaths: [PathWatch] {
    var seen: Set<ObjectIdentifier> = []
    return watches.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Brings the view to `reader`'s version and answers what changed. O(changes · log rows).
  func advance(_ changes: PendingChanges, _ reader: any ObjectReader) -> ChangeSet {
    let (delta, displaced) = rowDelta(changes, reader)
    guard !delta.isEmpty else {
      let positions = modifiedPositions(changes, reader)
      return ChangeSet(modifications: positions, modificationsNew: positions)
    }
    let oldCount = view.count
    let placed = view.apply(delta, reader)
    let modified = modifiedRows(changes, reader)
    if modified.isEmpty && placed.removed.isEmpty && placed.added.isEmpty { return ChangeSet() }
    let rows = RowChanges(placed)
    let order = view.order
    guard !order.sort.keys.isEmpty else {
      return rows.changeSet(
        modified: modified, rows.moved(displaced: displaced, oldCount: oldCount))
    }
    let moved = rows.moved { row in
      if displaced.contains(row) { return true }
      let object = order.object(of: row)
      let former = changes.record.formerKeyValues(of: object, order.sort, reader)
      return former != order.sort.keyValues(of: object, reader)
    }
    return rows.changeSet(modified: modified, moved)
  }

  /// The positions alone, where no row went or came.
  private func modifiedPositions(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [Int] {
    var positions: [Int] = []
    for number in rowWatch.modified(changes, reader) {
      forEachRow(of: number) { row in
        if let position = view.rows.position(of: row) { positions.append(position) }
      }
    }
    if positions.count > 1 { positions.sort() }
    return positions
  }

  private func modifiedRows(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [PlacedDelta.Row] {
    var modified: [PlacedDelta.Row] = []
    for number in rowWatch.modified(changes, reader) {
      forEachRow(of: number) { row in
        guard let position = view.rows.position(of: row) else { return }
        modified.append(PlacedDelta.Row(number: row, position: position))
      }
    }
    if modified.count > 1 { modified.sort { $0.position < $1.position } }
    return modified
  }

  private func forEachRow(of object: ObjectNumber, _ body: (Int) -> Void) {
    guard let collection = view.collection else { return body(object) }
    for row in collection.rows(of: object) { body(row) }
  }

  /// The rows to take out of the view and those to put in: of the rows that the predicate or the
  /// order may judge anew, whatever is not plainly as before; and those whose place in the
  /// collection is another.
  private func rowDelta(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> (delta: RowDelta, displaced: Set<Int>) {
    guard let collection = view.collection else { return (classDelta(changes, reader), []) }
    let change = collection.advance(changes, reader)
    var delta = RowDelta()
    delta.removed = change.removed.filter(view.holds)
    let added = Set(change.added)
    delta.added = change.added.filter { collection.isMember($0, predicate, reader) }
    var replaced = Set(change.moved)
    for number in keyWatches.roots(changes, reader) {
      replaced.formUnion(collection.rows(of: number))
    }
    replaced.subtract(added)
    for row in replaced.sorted() {
      if view.holds(row) { delta.removed.append(row) }
      if collection.isMember(row, predicate, reader) { delta.added.append(row) }
    }
    for number in predicateWatches.roots(changes, reader) {
      for row in collection.rows(of: number) where !replaced.contains(row) && !added.contains(row) {
        let wasMember = view.holds(row)
        guard wasMember != predicate.matches(number, reader) else { continue }
        if wasMember { delta.removed.append(row) } else { delta.added.append(row) }
      }
    }
    return (delta, Set(change.moved))
  }

  private func classDelta(_ changes: PendingChanges, _ reader: any ObjectReader) -> RowDelta {
    var delta = RowDelta()
    let population = changes.population(of: classID)
    if let population {
      for number in population.deleted.keys where view.holds(number) {
        delta.removed.append(number)
      }
      for number in population.created.numbers where predicate.matches(number, reader) {
        delta.added.append(number)
      }
    }
    let rekeyed = keyWatches.roots(changes, reader)
    for number in rekeyed where population?.isKept(number) ?? true {
      if view.holds(number) { delta.removed.append(number) }
      if predicate.matches(number, reader) { delta.added.append(number) }
    }
    for number in predicateWatches.roots(changes, reader)
    where population?.isKept(number) ?? true {
      if !rekeyed.isEmpty, rekeyed.containsSorted(number) { continue }
      let wasMember = view.holds(number)
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

extension LiveResults {
  /// What keeps an object out of the rows, which it is none of. O(stages · log rows).
  func absence(of object: ObjectID, _ reader: any ObjectReader) -> AbsentRow.Absence {
    guard reader.exists(object) else { return .deleted }
    let rows = view.collection.map { $0.rows(of: object.number) } ?? [object.number]
    // Of several rows of an object the one that comes furthest.
    return rows.map(view.obstacle).max { $0.stage < $1.stage }?.absence ?? .notInCollection
  }
}

extension ResultsView {
  /// The stage that does not pass a row on, which the observer does not see.
  fileprivate func obstacle(to row: Int) -> (stage: Int, absence: AbsentRow.Absence) {
    guard holds(row) else { return (-1, .notMatching) }
    for (place, stage) in stages.enumerated() {
      switch stage {
      case .ordered(let stage):
        if stage.position(of: row) == nil { return (place, .beyondLimit) }
      case .distinct(let stage):
        if !stage.passed.contains(row) { return (place, .notDistinct) }
      case .filter(let stage):
        if !stage.passed.contains(row) { return (place, .notMatching) }
      }
    }
    return (stages.count, .beyondLimit)
  }
}
