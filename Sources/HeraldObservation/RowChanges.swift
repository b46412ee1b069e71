import HeraldModel

/// The rows that changed between two states of results, as a change set tells them.
struct RowChanges {
  private var removed: [PlacedDelta.Row]
  private var added: [PlacedDelta.Row]
  private var oldPositions: [ObjectNumber: Int] = [:]
  private var newPositions: [ObjectNumber: Int] = [:]

  init(_ delta: PlacedDelta) {
    removed = delta.removed
    added = delta.added
    for row in removed { oldPositions[row.number] = row.position }
    for row in added { newPositions[row.number] = row.position }
  }

  /// What is told. `modified` are new rows with a change of their own: numbers and new positions,
  /// ascending by position. `hasNewPlace` answers whether a row's sort values changed: only such
  /// rows are ever told as moved, and of these the fewest.
  func changeSet(
    modified: [PlacedDelta.Row], hasNewPlace: (ObjectNumber) -> Bool
  ) -> ChangeSet {
    let moved = movedRows(hasNewPlace)
    var changes = ChangeSet()
    for row in removed where newPositions[row.number] == nil || moved.contains(row.number) {
      changes.deletions.append(row.position)
      if let new = newPositions[row.number] {
        changes.moves.append(ChangeSet.Move(old: row.position, new: new))
      }
    }
    for row in added where oldPositions[row.number] == nil || moved.contains(row.number) {
      changes.insertions.append(row.position)
    }
    var pairs: [(old: Int, new: Int)] = []
    for row in modified where !moved.contains(row.number) {
      if newPositions[row.number] == nil {
        pairs.append((oldPosition(ofUntouched: row.position), row.position))
      } else if let old = oldPositions[row.number] {
        pairs.append((old, row.position))
      }
    }
    pairs.sort { $0.old < $1.old }
    changes.modifications = pairs.map(\.old)
    changes.modificationsNew = pairs.map(\.new)
    return changes
  }

  /// The fewest rows that, told as moved, leave all others in their order; among equally few, those
  /// with the highest old positions.
  private func movedRows(_ hasNewPlace: (ObjectNumber) -> Bool) -> Set<ObjectNumber> {
    var changed: Set<ObjectNumber> = []
    for row in removed where newPositions[row.number] != nil && hasNewPlace(row.number) {
      changed.insert(row.number)
    }
    guard !changed.isEmpty else { return [] }
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
    var moved = changed
    for index in LongestRise.indices(of: steady.map(\.position)) {
      moved.remove(steady[index].number)
    }
    return moved
  }

  /// Where a row stood that is in neither list. O(log changes).
  private func oldPosition(ofUntouched newPosition: Int) -> Int {
    let rank = newPosition - added.lowerBound { $0.position < newPosition }
    var low = 0
    var high = removed.count
    while low < high {
      let middle = (low + high) / 2
      if removed[middle].position - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }
}
