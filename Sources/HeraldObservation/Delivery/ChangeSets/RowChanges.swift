import HeraldModel

/// The rows that changed between two states of results, with positions: what became of each, and so the
/// change set, follows from these.
struct RowChanges {
  struct Row {
    var number: ObjectNumber
    var position: Int
  }

  /// Rows that are reported as moved.
  struct Moved {
    /// Moved rows among those that were removed and reinserted.
    var rows: Set<ObjectNumber> = []
    /// Moved rows among the untouched ones, by their ranks: a larger number of rows moved past them.
    var ranks: [Range<Int>] = []

    fileprivate func contains(rank: Int) -> Bool { ranks.contains { $0.contains(rank) } }
  }

  /// Ascending by their positions in the old rows.
  let removed: [Row]
  /// Ascending by their positions in the new rows.
  let added: [Row]
  /// Rows that moved to another section: each is reported as a deletion, an insertion and a move.
  var separated: Set<ObjectNumber> = []
  private(set) var oldPositions: [ObjectNumber: Int] = [:]
  private(set) var newPositions: [ObjectNumber: Int] = [:]

  init(removed: [Row], added: [Row]) {
    self.removed = removed
    self.added = added
    for row in removed { oldPositions[row.number] = row.position }
    for row in added { newPositions[row.number] = row.position }
  }

  var isEmpty: Bool { removed.isEmpty && added.isEmpty }

  /// Whether a row is among those before and after, and is the same one.
  func isKept(_ number: ObjectNumber) -> Bool {
    oldPositions[number] != nil && newPositions[number] != nil && !separated.contains(number)
  }

  /// Returns the change set. `modified` are rows whose objects changed: numbers and new positions,
  /// ascending by position.
  func changeSet(modified: [Row], _ moved: Moved) -> ChangeSet {
    var changes = ChangeSet()
    for row in removed where !isKept(row.number) || moved.rows.contains(row.number) {
      changes.deletions.append(row.position)
      if let new = newPositions[row.number] {
        changes.moves.append(ChangeSet.Move(old: row.position, new: new))
      }
    }
    for row in added where !isKept(row.number) || moved.rows.contains(row.number) {
      changes.insertions.append(row.position)
    }
    if !moved.ranks.isEmpty { addMoves(moved.ranks, &changes) }
    var pairs: [(old: Int, new: Int)] = []
    for row in modified
    where !moved.rows.contains(row.number) && !separated.contains(row.number) {
      if newPositions[row.number] == nil {
        let rank = row.position - added.partitionPoint { $0.position < row.position }
        if moved.contains(rank: rank) { continue }
        pairs.append((oldPosition(ofRank: rank), row.position))
      } else if let old = oldPositions[row.number] {
        pairs.append((old, row.position))
      }
    }
    pairs.sort { $0.old < $1.old }
    changes.modifications = pairs.map(\.old)
    changes.modificationsNew = pairs.map(\.new)
    return changes
  }

  private func addMoves(_ ranks: [Range<Int>], _ changes: inout ChangeSet) {
    for rank in ranks.joined() {
      let move = ChangeSet.Move(old: oldPosition(ofRank: rank), new: newPosition(ofRank: rank))
      changes.deletions.append(move.old)
      changes.insertions.append(move.new)
      changes.moves.append(move)
    }
    changes.deletions.sort()
    changes.insertions.sort()
    changes.moves.sort { $0.old < $1.old }
  }

  /// Returns the old position of an untouched row, by its rank among these. O(log changes).
  private func oldPosition(ofRank rank: Int) -> Int { removed.position(ofUntouched: rank) }

  private func newPosition(ofRank rank: Int) -> Int { added.position(ofUntouched: rank) }
}

extension [RowChanges.Row] {
  /// Returns the position of a row that is not in this list, by its rank among all that are not.
  fileprivate func position(ofUntouched rank: Int) -> Int {
    rank + indices.partitionPoint { self[$0].position - $0 <= rank }
  }
}
