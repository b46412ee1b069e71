package import HeraldModel
package import HeraldQuery

/// The rows that a query selects of the values of a collection, kept up to date over the changes of the collection.
package final class ElementRows {
  private var query: ElementQuery
  /// The value of each element by its number, which is the object of its row.
  private let values: ElementValues
  private let elements: CollectionRows
  private var view: ResultsView
  /// The groups of the selected rows; nil if they are not grouped.
  private let groups: GroupsView?

  /// Runs the query. O(elements · log elements).
  ///
  /// - Parameter grouping: what the selected rows are grouped by: then the groups are the rows that `advance` reports.
  package init(
    _ query: ElementQuery, groupedBy grouping: BoundGrouping? = nil, of values: [Value],
    _ reader: any ObjectReader
  ) {
    let query = query.with(query.query.atPresent(reader))
    self.query = query
    self.values = ElementValues(values)
    elements = CollectionRows(Array(1..<(values.count + 1)))
    let reader = query.reader(of: self.values, reader)
    view = ResultsView(query.query, of: elements, reader)
    let members = (0..<view.count).map { [view, elements] position in
      let row = view.rows.number(at: position)
      return (row, elements.object(of: row))
    }
    groups = grouping.map { GroupsView($0.atPresent(reader), of: members, reader) }
  }

  package var count: Int { groups?.count ?? view.count }

  /// Returns the columns of some of the groups.
  package func groups(in rows: Range<Int>) -> [GroupRow] {
    groups?.rows(at: rows.clamped(to: 0..<count)) ?? []
  }

  /// Returns the values of some of the selected rows. O(requested rows · log rows).
  package func values(in rows: Range<Int>) -> [Value] {
    rows.clamped(to: 0..<view.count).map { position in
      values[elements.object(of: view.rows.number(at: position))]
    }
  }

  /// Follows a change of the collection and returns the change of the selected rows. O(changes · log elements).
  ///
  /// - Parameters:
  ///   - inserted: the values of the insertions.
  ///   - modified: the values of the modifications.
  package func advance(
    _ changes: ChangeSet, inserted: [Value], modified: [Value], _ base: any ObjectReader
  ) -> ChangeSet {
    let reader = query.reader(of: values, base)
    var old = PreviousKeys(sort: view.order.sort, reader)
    let sources = Dictionary(changes.moves.map { ($0.new, $0.old) }) { first, _ in first }
    let new = zip(changes.insertions, inserted).map { index, value in
      guard let source = sources[index] else { return values.add(value) }
      let number = elements.objects.number(at: source)
      old.note(number, values[number])
      values[number] = value
      return number
    }
    let kept = changes.modifications.map(elements.objects.number(at:))
    for (number, value) in zip(kept, modified) {
      old.note(number, values[number])
      values[number] = value
    }
    let moving = Set(sources.values)
    let gone = changes.deletions.filter { !moving.contains($0) }.map(elements.objects.number(at:))
    let delta = elements.apply(changes, new)
    let rows = changes.modificationsNew.map(elements.rows.number(at:))
    let result = apply(delta, modified: rows, old, reader)
    values.remove(gone)
    return result
  }

  private func apply(
    _ delta: RowDelta, modified: [Int], _ old: PreviousKeys, _ reader: any ObjectReader
  ) -> ChangeSet {
    let oldCount = view.count
    let rows = advanceView(delta, modified: modified, reader)
    if let groups { return regroup(groups, rows, modified: modified, reader) }
    let moved =
      view.order.sort.keys.isEmpty
      ? rows.moved(displaced: delta.displaced, oldCount: oldCount)
      : rows.moved { row in
        delta.displaced.contains(row)
          || old.differ(elements.object(of: row), in: view.order.sort, reader)
      }
    let placed = modified.compactMap { row in
      view.rows.position(of: row).map { RowChanges.Row(number: row, position: $0) }
    }
    return rows.changeSet(modified: placed.sorted { $0.position < $1.position }, moved)
  }

  /// Follows a change of the elements, and of what the query reads besides them.
  private func advanceView(
    _ change: RowDelta, modified: [Int], _ reader: any ObjectReader
  ) -> RowChanges {
    var delta = change
    if !query.query.reads.allSatisfy({ $0.isCurrent(reader) }) {
      let last = query.query
      query = query.with(last.atPresent(reader))
      if last.hasSameStages(as: query.query) {
        delta = view.exchange(query.query, change, rekeyed: Set(modified), reader)
        return view.apply(delta, reader)
      }
      let old = view
      view = ResultsView(query.query, of: elements, reader)
      return view.changes(from: old, replaced: change.displaced.union(modified))
    }
    let predicate = query.query.predicate
    delta.removed = delta.removed.filter(view.holds)
    delta.added = delta.added.filter { elements.isMember($0, predicate, reader) }
    for row in delta.displaced.union(modified).sorted() {
      if view.holds(row) { delta.removed.append(row) }
      if elements.isMember(row, predicate, reader) { delta.added.append(row) }
    }
    return view.apply(delta, reader)
  }

  /// Follows a change of the selected rows and returns that of the groups.
  private func regroup(
    _ groups: GroupsView, _ rows: RowChanges, modified: [Int], _ reader: any ObjectReader
  ) -> ChangeSet {
    for row in rows.removed { groups.leave(row.number) }
    for row in rows.added { groups.enter(row.number, elements.object(of: row.number), reader) }
    for row in modified where rows.newPositions[row] == nil && view.rows.position(of: row) != nil {
      groups.leave(row)
      groups.enter(row, elements.object(of: row), reader)
    }
    let grouping = groups.grouping
    let isCurrent = grouping.reads.allSatisfy { $0.isCurrent(reader) }
    groups.endCommit(isCurrent ? nil : grouping.atPresent(reader), reader)
    return groups.changeSet(reader)
  }

  /// Removes every row: the collection does not exist any more.
  package func end() -> ChangeSet { ChangeSet(deletions: Array(0..<count)) }

  /// The invariants that do not hold in `reader`'s version, where the collection has these values. O(n log n).
  package func violations(_ expected: [Value], _ reader: any ObjectReader) -> [String] {
    var found = view.violations(query.reader(of: values, reader))
    let actual = (0..<elements.count).map { values[elements.objects.number(at: $0)] }
    if actual != expected { found.append("elements are \(actual), not \(expected)") }
    if let groups {
      let members = (0..<view.count).map { elements.object(of: view.rows.number(at: $0)) }
      found += groups.violations(members, query.reader(of: values, reader))
    }
    return found
  }
}

/// The sort values of elements before a change.
private struct PreviousKeys {
  let sort: SortOrder
  private let reader: any ObjectReader
  /// Those of the replaced elements.
  private var keys: [ObjectNumber: [Value]] = [:]
  /// The replaced links. The previous values of their objects are not known here.
  private var links: Set<ObjectNumber> = []

  init(sort: SortOrder, _ reader: any ObjectReader) {
    self.sort = sort
    self.reader = reader
  }

  /// Must come before the value is replaced.
  mutating func note(_ number: ObjectNumber, _ value: Value) {
    if sort.keys.isEmpty { return }
    if case .link = value {
      links.insert(number)
    } else {
      keys[number] = sort.keyValues(of: number, reader)
    }
  }

  /// Whether the sort values of an element may differ from those that it has in the present order.
  func differ(
    _ number: ObjectNumber, in order: SortOrder, _ reader: any ObjectReader
  ) -> Bool {
    if links.contains(number) { return true }
    let old = keys[number] ?? sort.keyValues(of: number, reader)
    return old != order.keyValues(of: number, reader)
  }
}
