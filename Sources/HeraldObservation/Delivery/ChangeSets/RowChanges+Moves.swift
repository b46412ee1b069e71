import HeraldModel

extension RowChanges {
  /// Sorted rows: the fewest that, told as moved, leave all others in their order; among equally
  /// few, those with the highest old positions. `hasNewPlace` answers whether a row's sort values
  /// changed: only such rows are ever told as moved.
  func moved(hasNewPlace: (ObjectNumber) -> Bool) -> Moved {
    var changed: Set<ObjectNumber> = []
    for row in removed where newPositions[row.number] != nil && hasNewPlace(row.number) {
      changed.insert(row.number)
    }
    guard !changed.isEmpty else { return Moved() }
    // Positions of the rows that do not stay for sure, by which the others can be counted.
    let loseOld = removed.filter { newPositions[$0.number] == nil || changed.contains($0.number) }
    let loseNew = added.filter { oldPositions[$0.number] == nil || changed.contains($0.number) }
    var newRanks: [ObjectNumber: Int] = [:]
    for (index, row) in loseNew.enumerated() { newRanks[row.number] = row.position - index }
    var steady: [PlacedDelta.Row] = []
    for (index, row) in loseOld.enumerated() where changed.contains(row.number) {
      // As many steady rows ahead of it as before: it may stay.
      guard newRanks[row.number] == row.position - index, let new = newPositions[row.number]
      else { continue }
      steady.append(PlacedDelta.Row(number: row.number, position: new))
    }
    var moved = Moved(rows: changed)
    for index in LongestIncreasingSubsequence.indices(of: steady.map(\.position)) {
      moved.rows.remove(steady[index].number)
    }
    return moved
  }

  /// Rows in the order of their collection: the fewest that, told as moved, leave all others in
  /// their order; among equally few, the `displaced` ones, which the collection's own observers are
  /// told of as moved. Of some of its elements others may be fewer. O(changes log changes).
  func moved(displaced: Set<Int>, oldCount: Int) -> Moved {
    let isDisplaced = { (row: PlacedDelta.Row) in
      newPositions[row.number] != nil && displaced.contains(row.number)
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
      LongestIncreasingSubsequence.heaviestIndices(of: pieces.map(\.newPlace), weights))
    var moved = Moved()
    for (index, piece) in pieces.enumerated() where !stays.contains(index) {
      switch piece.rows {
      case .touched(let row): moved.rows.insert(row)
      case .untouched(let ranks): moved.ranks.append(ranks)
      }
    }
    return moved
  }

  /// Rows that are neighbours before and after, leaving aside those that went or came.
  private struct Piece {
    enum Rows {
      case touched(ObjectNumber)
      case untouched(Range<Int>)
    }
    var rows: Rows
    var newPlace: Int
  }

  /// All kept rows in their old order: those that were put back one by one, and the others between
  /// the places from which and to which these went.
  private func pieces(_ oldCount: Int) -> [Piece] {
    let leaving = removed.enumerated().filter { newPositions[$1.number] != nil }
    let coming = added.enumerated().filter { oldPositions[$1.number] != nil }
    // Rows stand in front of the untouched one of their rank.
    let oldRanks = leaving.map { (rank: $1.position - $0, row: $1.number) }
    let newRanks = coming.map { (rank: $1.position - $0, row: $1.number) }
    let count = oldCount - removed.count
    let cuts = Set(oldRanks.map(\.rank) + newRanks.map(\.rank) + [0]).sorted()
    var newPlaces: [ObjectNumber: Int] = [:]
    var runPlaces: [Int] = []
    var next = newRanks[...]
    for cut in cuts {
      while let first = next.first, first.rank == cut {
        newPlaces[first.row] = newPlaces.count + runPlaces.count
        next.removeFirst()
      }
      runPlaces.append(newPlaces.count + runPlaces.count)
    }
    var pieces: [Piece] = []
    next = oldRanks[...]
    for (index, cut) in cuts.enumerated() {
      while let first = next.first, first.rank == cut {
        pieces.append(Piece(rows: .touched(first.row), newPlace: newPlaces[first.row] ?? 0))
        next.removeFirst()
      }
      let end = index + 1 < cuts.count ? cuts[index + 1] : count
      if cut < end { pieces.append(Piece(rows: .untouched(cut..<end), newPlace: runPlaces[index])) }
    }
    return pieces
  }
}
