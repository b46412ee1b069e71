import HeraldModel
import HeraldQuery

/// A live view of results, with the watches that find the objects to evaluate again.
final class LiveResults {
  @exclusivity(unchecked) private(set) var view: ResultsView
  @exclusivity(unchecked) var watches: ResultsWatches
  /// What the predicate is equal to, if it is no more than comparisons of numbers.
  @exclusivity(unchecked) private var keyBounds: [KeyBounds]?
  /// The index that finds the observer by the interval of its predicate; nil for a predicate without one.
  @exclusivity(unchecked) var predicateIndex: PredicateIndex?
  /// The paths to what a row of a projection shows, which must differ if it is modified; nil for other rows.
  @exclusivity(unchecked) var shown: [PropertyPath]?

  init(_ view: ResultsView, _ watches: ResultsWatches, shown: [PropertyPath]? = nil) {
    self.view = view
    self.watches = watches
    self.shown = shown
    keyBounds = view.query.predicate.keyBounds
  }

  private var classID: ClassID { view.query.classID }
  private var predicate: BoundPredicate { view.query.predicate }

  /// Advances the view to `reader`'s version and returns the report of what changed; nil for nothing. O(changes ·
  /// log rows).
  ///
  /// - Parameter query: the query with what it reads now, if that is not what it was: then O(members + changes · log rows),
  ///   and O(rows · log rows) if what follows its predicate differs.
  func report(
    _ changes: PendingChanges, _ reader: any ObjectReader, _ query: BoundQuery? = nil
  ) -> Report? {
    let found = watches.found(changes, reader)
    if query != nil {
      let step = step(found, changes, reader, query)
      let changeSet = changeSet(of: step, found, changes, reader)
      return changeSet.isEmpty ? nil : .update(changeSet, ownerDeleted: false)
    }
    if view.isPlain, shown == nil, let only = found.only, only.classID == classID {
      defer { watches.forgetShared() }
      return report(only, found, changes, reader)
    }
    let delta = rowDelta(found, changes, reader)
    if let rows = view.creationRows, let number = delta.only,
      found.modified.hasNothing(but: number)
    {
      return report(toggling: number, in: rows, found, reader)
    }
    guard delta.isEmpty else {
      let changeSet = changeSet(of: advance(by: delta, reader), found, changes, reader)
      return changeSet.isEmpty ? nil : .update(changeSet, ownerDeleted: false)
    }
    if found.modified.count == 1, view.collection == nil, shown == nil {
      return view.rows.position(of: found.modified[0]).map { changes.modification(of: $0) }
    }
    let modified = modifiedRows(found, changes, reader)
    return modified.isEmpty ? nil : changes.modification(of: modified.map { $0.position })
  }

  /// What a change did to the rows of the view.
  private struct Step {
    var rows: RowChanges
    let displaced: Set<ObjectNumber>
    let oldCount: Int
    /// The order in which the rows were before.
    let oldSort: SortOrder
  }

  private func advance(by delta: RowDelta, _ reader: any ObjectReader) -> Step {
    let oldCount = view.count
    let rows = view.apply(delta, reader)
    return Step(
      rows: rows, displaced: delta.displaced, oldCount: oldCount, oldSort: view.order.sort)
  }

  private func step(
    _ found: ResultsWatches.Found, _ changes: PendingChanges, _ reader: any ObjectReader,
    _ query: BoundQuery?
  ) -> Step {
    query.map { step(to: $0, found, changes, reader) }
      ?? advance(by: rowDelta(found, changes, reader), reader)
  }

  /// Advances the view to its query as it was bound again.
  private func step(
    to query: BoundQuery, _ found: ResultsWatches.Found, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> Step {
    let delta = view.collection?.advance(changes, reader) ?? RowDelta()
    var rekeyed: Set<Int> = []
    for number in found.rekeyed { forEachRow(of: number) { rekeyed.insert($0) } }
    defer { keyBounds = query.predicate.keyBounds }
    if view.query.hasSameStages(as: query) {
      return advance(by: view.exchange(query, delta, rekeyed: rekeyed, reader), reader)
    }
    let old = view
    view = ResultsView(query, of: old.collection, reader)
    return Step(
      rows: view.changes(from: old, replaced: rekeyed.union(delta.displaced)),
      displaced: delta.displaced, oldCount: old.count, oldSort: old.order.sort)
  }

  /// Advances the view as `report` does and returns what changed; of rows in sections, whose key is the first of the order.
  ///
  /// - Parameter separated: returns the rows that are in another section than before.
  func changeSet(
    ofSections changes: PendingChanges, _ reader: any ObjectReader, _ query: BoundQuery?,
    _ separated: (RowChanges) -> Set<ObjectNumber>
  ) -> ChangeSet {
    let found = watches.found(changes, reader)
    var step = step(found, changes, reader, query)
    step.rows.separated = separated(step.rows)
    return changeSet(of: step, isInSections: true, found, changes, reader)
  }

  /// - Parameter isInSections: whether the first key of the order is that of the sections, within which the rows move.
  private func changeSet(
    of step: Step, isInSections: Bool = false, _ found: ResultsWatches.Found,
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> ChangeSet {
    func ofRows(_ order: SortOrder) -> SortOrder {
      isInSections ? SortOrder(keys: Array(order.keys.dropFirst())) : order
    }
    let (oldSort, sort) = (ofRows(step.oldSort), ofRows(view.order.sort))
    let rows = step.rows
    let modified = modifiedRows(found, changes, reader)
    if modified.isEmpty && rows.isEmpty { return ChangeSet() }
    guard !sort.keys.isEmpty else {
      return rows.changeSet(
        modified: modified, rows.moved(displaced: step.displaced, oldCount: step.oldCount))
    }
    let moved = rows.moved { row in
      if step.displaced.contains(row) { return true }
      let object = object(of: row)
      let old = changes.record.previousKeyValues(of: object, oldSort, reader)
      return old != sort.keyValues(of: object, reader)
    }
    return rows.changeSet(modified: modified, moved)
  }

  /// Advances the view over changes of one object, as `report` does.
  private func report(
    _ object: ObjectID, _ found: ResultsWatches.Found, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> Report? {
    if let rows = view.creationRows { return report(object, in: rows, found, changes, reader) }
    guard let rows = view.sortedRows else { return nil }
    let number = object.number
    let isRekeyed = found.isRekeyed
    // A row with other sort values is removed while its position can still be found.
    let old =
      isRekeyed
      ? rows.remove(number, previousKey(of: rows, changes), reader) : rows.position(of: number)
    let isRow = found.isMatching ? matches(object, found, reader) : old != nil
    guard let old else {
      guard isRow else { return nil }
      return .update(ChangeSet(insertions: [rows.insert(number, reader)]), ownerDeleted: false)
    }
    guard isRow else {
      if !isRekeyed { rows.remove(number) }
      return .update(ChangeSet(deletions: [old]), ownerDeleted: false)
    }
    let new = isRekeyed ? rows.insert(number, reader) : old
    // All other rows are where they were: only other sort values can have moved this one.
    if old != new {
      let moved = ChangeSet(
        deletions: [old], insertions: [new], moves: [ChangeSet.Move(old: old, new: new)])
      return .update(moved, ownerDeleted: false)
    }
    return found.isModified ? changes.modification(of: old) : nil
  }

  /// The value of the first sort key that one change replaced; nil if it changed something else.
  private func previousKey(of rows: SortedRows, _ changes: PendingChanges) -> Value? {
    guard let single = changes.single, case .value(let property, _, let old) = single.kind,
      rows.isFirstKey(property)
    else { return nil }
    return old
  }

  /// The same for rows in order of creation.
  private func report(
    _ object: ObjectID, in rows: CreationRows, _ found: ResultsWatches.Found,
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Report? {
    let old = rows.position(of: object.number, &found.shared)
    switch found.outcome(at: old, matches: { matches(object, found, reader) }) {
    case .nothing: return nil
    case .modified(let position): return changes.modification(of: position)
    case .enters, .leaves: return report(toggling: object.number, in: rows, found, reader)
    }
  }

  /// Inserts a row, or removes it.
  private func report(
    toggling number: ObjectNumber, in rows: CreationRows, _ found: ResultsWatches.Found,
    _ reader: any ObjectReader
  ) -> Report {
    let count = rows.count
    let position = rows.toggle(number, &found.shared, reader)
    let changes =
      rows.count > count ? ChangeSet(insertions: [position]) : ChangeSet(deletions: [position])
    return .update(changes, ownerDeleted: false)
  }

  private func matches(
    _ object: ObjectID, _ found: ResultsWatches.Found, _ reader: any ObjectReader
  ) -> Bool {
    if let keyBounds { return found.isOnly(within: keyBounds, object, reader) }
    return view.query.predicate.matches(object.number, reader, found.known)
  }

  /// Advances the view as `report` does, for who needs to know which rows are affected, and not where.
  func advanceMembers(
    _ changes: PendingChanges, _ reader: any ObjectReader, _ query: BoundQuery? = nil
  ) -> (left: [Int], entered: [(member: Int, object: ObjectNumber)]) {
    let found = watches.found(changes, reader)
    let step = step(found, changes, reader, query)
    let left = step.rows.removed.map(\.number)
    let entered = step.rows.added.map(\.number)
    return members(left, entered, modifiedRows(found, changes, reader))
  }

  /// Adds the rows that count as modified: they leave, and enter again.
  private func members(
    _ gone: [Int], _ new: [Int], _ modified: [RowChanges.Row]
  ) -> (left: [Int], entered: [(member: Int, object: ObjectNumber)]) {
    var (left, entered) = (gone, new)
    let new = Set(entered)
    for row in modified where !new.contains(row.number) {
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

  func object(of row: Int) -> ObjectNumber { view.collection?.object(of: row) ?? row }

  private func modifiedRows(
    _ found: ResultsWatches.Found, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [RowChanges.Row] {
    var modified: [RowChanges.Row] = []
    let differences =
      found.isModified
      ? shown.map { ShownChanges($0, watches.rows.paths, changes, reader) } : nil
    for number in found.modified {
      let first = modified.count
      forEachRow(of: number) { row in
        guard let position = view.rows.position(of: row) else { return }
        modified.append(RowChanges.Row(number: row, position: position))
      }
      if let differences, modified.count > first, !differences.differ(of: number) {
        modified.removeSubrange(first...)
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
  private func rowDelta(
    _ found: ResultsWatches.Found, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> RowDelta {
    guard let collection = view.collection else { return classDelta(found, changes, reader) }
    var delta = collection.advance(changes, reader)
    let added = Set(delta.added)
    var replaced = delta.displaced
    delta.removed = delta.removed.filter(view.holds)
    delta.added = delta.added.filter { collection.isMember($0, predicate, reader) }
    for number in found.rekeyed {
      replaced.formUnion(collection.rows(of: number))
    }
    replaced.subtract(added)
    for row in replaced.sorted() {
      if view.holds(row) { delta.removed.append(row) }
      if collection.isMember(row, predicate, reader) { delta.added.append(row) }
    }
    for number in found.matching {
      for row in collection.rows(of: number) where !replaced.contains(row) && !added.contains(row) {
        let wasMember = view.holds(row)
        guard wasMember != predicate.matches(number, reader, found.known) else { continue }
        if wasMember { delta.removed.append(row) } else { delta.added.append(row) }
      }
    }
    return delta
  }

  private func classDelta(
    _ found: ResultsWatches.Found, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> RowDelta {
    var delta = RowDelta()
    let population = changes.population(of: classID)
    if let population {
      for number in population.deleted.keys where view.holds(number) {
        delta.removed.append(number)
      }
      for number in population.created.numbers
      where predicate.matches(number, reader, found.known) {
        delta.added.append(number)
      }
    }
    let rekeyed = found.rekeyed
    for number in rekeyed where population?.isKept(number) ?? true {
      if view.holds(number) { delta.removed.append(number) }
      if predicate.matches(number, reader, found.known) { delta.added.append(number) }
    }
    for number in found.matching where population?.isKept(number) ?? true {
      if !rekeyed.isEmpty, rekeyed.containsSorted(number) { continue }
      let wasMember = view.holds(number)
      guard wasMember != predicate.matches(number, reader, found.known) else { continue }
      if wasMember { delta.removed.append(number) } else { delta.added.append(number) }
    }
    return delta
  }
}
