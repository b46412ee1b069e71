import HeraldModel

extension RowChanges {
  /// Returns the moved rows of sorted results: the smallest set without which all others keep their
  /// order; among equals, that with the highest old positions. Only rows whose sort values changed, for
  /// which `hasNewKeys` returns true, are reported as moved.
  func moved(hasNewKeys: (ObjectNumber) -> Bool) -> Moved {
    var changed: Set<ObjectNumber> = []
    for row in removed where isKept(row.number) && hasNewKeys(row.number) {
      changed.insert(row.number)
    }
    guard !changed.isEmpty else { return Moved() }
    // The rows that may not stay; the ranks among the others follow from their positions.
    let looseOld = removed.filter { !isKept($0.number) || changed.contains($0.number) }
    let looseNew = added.filter { !isKept($0.number) || changed.contains($0.number) }
    var newRanks: [ObjectNumber: Int] = [:]
    for (index, row) in looseNew.enumerated() { newRanks[row.number] = row.position - index }
    var steady: [Row] = []
    for (index, row) in looseOld.enumerated() where changed.contains(row.number) {
      // It may stay if the number of steady rows before it is the same.
      guard newRanks[row.number] == row.position - index, let new = newPositions[row.number]
      else { continue }
      steady.append(Row(number: row.number, position: new))
    }
    var moved = Moved(rows: changed)
    for index in LongestIncreasingSubsequence.indices(of: steady.map(\.position)) {
      moved.rows.remove(steady[index].number)
    }
    return moved
  }

  /// Returns the moved rows of results in the order of their collection: the smallest set without which
  /// all others keep their order; among equals, the `displaced` ones, which the collection's own
  /// observers receive as moved. For a subset of the elements, a smaller set may do. O(changes · log
  /// changes).
  func moved(displaced: Set<Int>, oldCount: Int) -> Moved {
    let isDisplaced = { (row: Row) in
      isKept(row.number) && displaced.contains(row.number)
    }
    guard removed.contains(where: isDisplaced) else { return Moved() }
    let pieces = self.pieces(oldCount)
    let weights = pieces.map { piece in
      switch piece.rows {
      case .touched(let row):
        LongestIncreasingSubsequence.Weight(count: 1, preferred: displaced.contains(row) ? 0 : 1)
      case .untouched(let ranks):
        LongestIncreasingSubsequence.Weight(count: ranks.count, preferred: ranks.count)
      }
    }
    let stays = Set(
      LongestIncreasingSubsequence.heaviestIndices(of: pieces.map(\.newIndex), weights))
    var moved = Moved()
    for (index, piece) in pieces.enumerated() where !stays.contains(index) {
      switch piece.rows {
      case .touched(let row): moved.rows.insert(row)
      case .untouched(let ranks): moved.ranks.append(ranks)
      }
    }
    return moved
  }

  /// Rows that are adjacent before and after, without regard to deleted and inserted ones.
  private struct Piece {
    enum Rows {
      case touched(ObjectNumber)
      case untouched(Range<Int>)
    }
    var rows: Rows
    var newIndex: Int
  }

  /// Returns all kept rows in their old order: reinserted rows one by one, and the others as runs between
  /// the old and new positions of these.
  private func pieces(_ oldCount: Int) -> [Piece] {
    let reinsertedOld = removed.enumerated().filter { isKept($1.number) }
    let reinsertedNew = added.enumerated().filter { isKept($1.number) }
    // Each row is before the untouched row of its rank.
    let oldRanks = reinsertedOld.map { (rank: $1.position - $0, row: $1.number) }
    let newRanks = reinsertedNew.map { (rank: $1.position - $0, row: $1.number) }
    let count = oldCount - removed.count
    let cuts = Set(oldRanks.map(\.rank) + newRanks.map(\.rank) + [0]).sorted()
    var newIndices: [ObjectNumber: Int] = [:]
    var runs: [Int] = []
    var next = newRanks[...]
    for cut in cuts {
      while let first = next.first, first.rank == cut {
        newIndices[first.row] = newIndices.count + runs.count
        next.removeFirst()
      }
      runs.append(newIndices.count + runs.count)
    }
    var pieces: [Piece] = []
    next = oldRanks[...]
    for (index, cut) in cuts.enumerated() {
      while let first = next.first, first.rank == cut {
        pieces.append(Piece(rows: .touched(first.row), newIndex: newIndices[first.row] ?? 0))
        next.removeFirst()
      }
      let end = index + 1 < cuts.count ? cuts[index + 1] : count
      if cut < end { pieces.append(Piece(rows: .untouched(cut..<end), newIndex: runs[index])) }
    }
    return pieces
  }
}
