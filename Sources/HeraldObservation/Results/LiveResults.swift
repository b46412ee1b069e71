import HeraldModel
import HeraldQuery

/// A live view of results, with the watches that find the objects to evaluate again.
final class LiveResults {
  let view: ResultsView
  /// The watches of the paths that the predicate reads.
  let predicateWatches: [PathWatch]
  /// The watches of the paths of sort and distinct keys.
  let keyWatches: [PathWatch]
  let rowWatch: RowWatch
  /// The index that finds the observer by the interval of its predicate; nil for a predicate without one.
  var predicateIndex: PredicateIndex?
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

  /// Every path watch, once for each registered use.
  var watches: [PathWatch] { predicateWatches + keyWatches + rowWatch.paths }

  /// What finds the changes that concern the observer, where it is in no predicate index.
  var everyWatch: RowWatch { RowWatch(paths: watches, deep: rowWatch.deep) }

  /// Every path watch, without duplicates.
  var distinctPaths: [PathWatch] {
    var seen: Set<ObjectIdentifier> = []
    return watches.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Advances the view to `reader`'s version and returns what changed. O(changes · log rows).
  func advance(_ changes: PendingChanges, _ reader: any ObjectReader) -> ChangeSet {
    if let number = onlyCandidate(changes, reader) { return advance(number, changes, reader) }
    let delta = rowDelta(changes, reader)
    guard !delta.isEmpty else {
      let positions = modifiedRows(changes, reader).map(\.position)
      return ChangeSet(modifications: positions, modificationsNew: positions)
    }
    let oldCount = view.count
    let rows = view.apply(delta, reader)
    let modified = modifiedRows(changes, reader)
    if modified.isEmpty && rows.isEmpty { return ChangeSet() }
    let order = view.order
    guard !order.sort.keys.isEmpty else {
      return rows.changeSet(
        modified: modified, rows.moved(displaced: delta.displaced, oldCount: oldCount))
    }
    let moved = rows.moved { row in
      if delta.displaced.contains(row) { return true }
      let object = order.object(of: row)
      let old = changes.record.previousKeyValues(of: object, order.sort, reader)
      return old != order.sort.keyValues(of: object, reader)
    }
    return rows.changeSet(modified: modified, moved)
  }

  /// Returns the only object that the changes, of one value, may concern; nil where there may be more, and for a view
  /// whose positions depend on more than the order of its rows.
  private func onlyCandidate(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> ObjectNumber? {
    guard let single = changes.single, single.classID == classID, view.isPlain,
      case .value(_, let number, _) = single.kind
    else { return nil }
    func isOnly(_ found: [ObjectNumber]) -> Bool {
      found.isEmpty || found.count == 1 && found[0] == number
    }
    for watch in keyWatches where !isOnly(watch.roots(changes, reader)) { return nil }
    for watch in predicateWatches where !isOnly(watch.roots(changes, reader)) { return nil }
    return isOnly(rowWatch.modified(changes, reader)) ? number : nil
  }

  /// Advances the view over changes of one object.
  private func advance(
    _ number: ObjectNumber, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> ChangeSet {
    let rows = view.rows.rows
    let isRekeyed = keyWatches.contains { !$0.roots(changes, reader).isEmpty }
    let mayMatchAnew =
      isRekeyed || predicateWatches.contains { !$0.roots(changes, reader).isEmpty }
    let wasRow = rows.contains(number)
    let isRow = mayMatchAnew ? predicate.matches(number, reader) : wasRow
    switch (wasRow, isRow) {
    case (false, false): return ChangeSet()
    case (true, false): return ChangeSet(deletions: rows.remove(number).map { [$0] } ?? [])
    case (false, true): return ChangeSet(insertions: [rows.insert(number, reader)])
    case (true, true):
      let old = isRekeyed ? rows.remove(number) : rows.position(of: number)
      guard let old else { return ChangeSet() }
      let new = isRekeyed ? rows.insert(number, reader) : old
      // All other rows are where they were: only other sort values can have moved this one.
      if old != new {
        return ChangeSet(
          deletions: [old], insertions: [new], moves: [ChangeSet.Move(old: old, new: new)])
      }
      if rowWatch.modified(changes, reader).isEmpty { return ChangeSet() }
      return ChangeSet(modifications: [old], modificationsNew: [old])
    }
  }

  /// Advances the view as `advance` does, for who needs to know which rows are affected, and not where.
  func advanceMembers(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> (left: [Int], entered: [(member: Int, object: ObjectNumber)]) {
    let delta = rowDelta(changes, reader)
    var (left, entered): ([Int], [Int]) = ([], [])
    if !delta.isEmpty {
      let rows = view.apply(delta, reader)
      (left, entered) = (rows.removed.map(\.number), rows.added.map(\.number))
    }
    let new = Set(entered)
    for row in modifiedRows(changes, reader) where !new.contains(row.number) {
      left.append(row.number)
      entered.append(row.number)
    }
    return (left, entered.map { ($0, object(of: $0)) })
  }

  /// The rows with their objects.
  var members: [(member: Int, object: ObjectNumber)] {
    (0..<view.count).map { position in
      let row = view.rows.number(at: position)
      return (row, object(of: row))
    }
  }

  private func object(of row: Int) -> ObjectNumber { view.collection?.object(of: row) ?? row }

  private func modifiedRows(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [RowChanges.Row] {
    var modified: [RowChanges.Row] = []
    for number in rowWatch.modified(changes, reader) {
      forEachRow(of: number) { row in
        guard let position = view.rows.position(of: row) else { return }
        modified.append(RowChanges.Row(number: row, position: position))
      }
    }
    if modified.count > 1 { modified.sort { $0.position < $1.position } }
    return modified
  }

  private func forEachRow(of object: ObjectNumber, _ body: (Int) -> Void) {
    guard let collection = view.collection else { return body(object) }
    for row in collection.rows(of: object) { body(row) }
  }

  /// The rows to remove from the view and those to insert: the rows whose match or sort values may have
  /// changed, and the displaced rows.
  private func rowDelta(_ changes: PendingChanges, _ reader: any ObjectReader) -> RowDelta {
    guard let collection = view.collection else { return classDelta(changes, reader) }
    var delta = collection.advance(changes, reader)
    let added = Set(delta.added)
    var replaced = delta.displaced
    delta.removed = delta.removed.filter(view.holds)
    delta.added = delta.added.filter { collection.isMember($0, predicate, reader) }
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
    return delta
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
