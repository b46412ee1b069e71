import HeraldModel
import HeraldObservation
import HeraldQuery

extension ModelObserver {
  /// Checks what is delivered of results against their rows before and after. `displaced` are rows
  /// that have another position in their collection.
  func compare(
    _ report: Report?, _ query: ModelQuery, _ filter: RowFilter, _ oldRows: [ModelRow],
    _ newRows: [ModelRow], displaced: Set<ModelRow> = []
  ) -> String? {
    let told: ChangeSet
    switch report {
    case nil: told = ChangeSet()
    case .collection(.update(let changes, ownerDeleted: false))?: told = changes
    default: return "\(query): told \(text(report))"
    }
    if report != nil && told.isEmpty { return "\(query): an empty update" }
    var moved: Set<ModelRow>?
    if !displaced.isEmpty {
      // Which of them an operation moved is the list's matter: any will do that make up the rows.
      moved = Set(told.moves.map { oldRows[$0.old] })
      if let problem = mismatch(told, query, oldRows, newRows, displaced) { return problem }
    }
    let expected = expectation(oldRows, newRows, query, filter, moved: moved)
    if told == expected { return nil }
    return "\(query) \(filter): rows \(oldRows) -> \(newRows): told \(told), not \(expected)"
  }

  /// Whether the rows that were reported as moved may be, and lead to the new rows.
  private func mismatch(
    _ told: ChangeSet, _ query: ModelQuery, _ oldRows: [ModelRow], _ newRows: [ModelRow],
    _ displaced: Set<ModelRow>
  ) -> String? {
    var rows = oldRows
    for index in told.deletions.reversed() { rows.remove(at: index) }
    for index in told.insertions { rows.insert(newRows[index], at: index) }
    guard rows == newRows else { return "\(query): replay of \(told): \(oldRows) -> \(newRows)" }
    for move in told.moves {
      let row = oldRows[move.old]
      guard newRows[move.new] == row else { return "\(query): a move of another row" }
      let isRekeyed =
        query.keys(of: row.number, span.start) != query.keys(of: row.number, span.end)
      guard isRekeyed || displaced.contains(row) else { return "\(query): \(row) need not move" }
    }
    return query.isSorted || told.moves.count == fewestMoves(oldRows, newRows)
      ? nil : "\(query): \(told.moves) are not the fewest moves: \(oldRows) -> \(newRows)"
  }

  /// How many of the rows that are in both must move: all but the longest chain that stays.
  private func fewestMoves(_ oldRows: [ModelRow], _ newRows: [ModelRow]) -> Int {
    let places = oldRows.compactMap { newRows.firstIndex(of: $0) }
    var chains: [Int] = []
    for (index, place) in places.enumerated() {
      chains.append(1 + ((0..<index).filter { places[$0] < place }.map { chains[$0] }.max() ?? 0))
    }
    return places.count - (chains.max() ?? 0)
  }

  private func expectation(
    _ oldRows: [ModelRow], _ newRows: [ModelRow], _ query: ModelQuery, _ filter: RowFilter,
    moved: Set<ModelRow>?
  ) -> ChangeSet {
    let oldIndices = Dictionary(uniqueKeysWithValues: oldRows.enumerated().map { ($1, $0) })
    let newIndices = Dictionary(uniqueKeysWithValues: newRows.enumerated().map { ($1, $0) })
    let kept = oldRows.filter { newIndices[$0] != nil }
    let changed = kept.filter {
      query.keys(of: $0.number, span.start) != query.keys(of: $0.number, span.end)
    }
    let moved = moved ?? movedRows(kept, Set(changed), newIndices)
    var changes = ChangeSet()
    for (index, row) in oldRows.enumerated() {
      guard let newIndex = newIndices[row] else {
        changes.deletions.append(index)
        continue
      }
      if moved.contains(row) {
        changes.deletions.append(index)
        changes.moves.append(ChangeSet.Move(old: index, new: newIndex))
      } else if isModified(ObjectID(query.query.classID, row.number), filter) {
        changes.modifications.append(index)
        changes.modificationsNew.append(newIndex)
      }
    }
    for (index, row) in newRows.enumerated()
    where oldIndices[row] == nil || moved.contains(row) {
      changes.insertions.append(index)
    }
    return changes
  }

  /// Of all ways to keep rows in order that keep the unchanged ones: the most rows, and of these
  /// the one with the lowest old positions; tried one by one.
  private func movedRows(
    _ kept: [ModelRow], _ changed: Set<ModelRow>, _ newIndices: [ModelRow: Int]
  ) -> Set<ModelRow> {
    let free = kept.filter(changed.contains)
    var best: [Int]?
    for choice in 0..<(1 << free.count) {
      let stays = free.indices.filter { choice & (1 << $0) != 0 }
      if let best, stays.count < best.count { continue }
      if let best, stays.count == best.count, !stays.lexicographicallyPrecedes(best) { continue }
      let staying = Set(stays.map { free[$0] })
      let rows = kept.filter { !changed.contains($0) || staying.contains($0) }
      let isInOrder = zip(rows, rows.dropFirst()).allSatisfy {
        newIndices[$0, default: 0] < newIndices[$1, default: 0]
      }
      if isInOrder { best = stays }
    }
    return changed.subtracting((best ?? []).map { free[$0] })
  }

  // MARK: Results of collections

  func checkResults(
    _ report: Report?, _ owner: ObjectID, _ property: PropertyID, _ query: ModelQuery,
    _ filter: RowFilter
  ) -> String? {
    let newRows = query.rows(of: owner, property, span.end)
    guard isBegun else {
      isBegun = true
      return report == .initial(count: newRows.count) ? nil : "initial: \(text(report))"
    }
    let oldRows = query.rows(of: owner, property, span.start)
    guard span.end[owner] != nil else {
      isLive = false
      let all = ChangeSet(deletions: Array(oldRows.indices))
      return report == .update(all, ownerDeleted: true)
        ? nil : "owner of results deleted: \(text(report))"
    }
    let before = span.start.rows(of: owner, property)
    let after = span.end.rows(of: owner, property)
    let (old, new) = (Set(before), Set(after))
    let isReordered = before.filter(new.contains) != after.filter(old.contains)
    let problem = compare(
      report, query, filter, oldRows, newRows,
      displaced: isReordered ? old.intersection(new) : [])
    return problem.map { "results of \(owner).\(property): \($0)" }
  }
}
