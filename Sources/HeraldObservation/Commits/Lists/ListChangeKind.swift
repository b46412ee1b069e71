import HeraldModel

/// What an observer of a collection property is told of it.
public enum ListChangeKind: Hashable, Sendable {
  /// Rows of the new list.
  case insertion
  /// Rows of the old list.
  case removal
  /// Rows of both: replaced, or between the places of a move.
  case replacement
  /// Anything else; no rows.
  case setting
}

extension ListChange {
  /// The change as one kind with its rows. O(changed rows).
  package func kind() -> (kind: ListChangeKind, rows: [Int]) {
    let changes = changeSet()
    let isShifting = newCount != oldCount || pieces.contains { $0.source == .fresh }
    if !isShifting { return (.replacement, displacedRows.sorted()) }
    if !changes.modifications.isEmpty { return (.setting, []) }
    if changes.deletions.isEmpty { return (.insertion, changes.insertions) }
    if changes.insertions.isEmpty { return (.removal, changes.deletions) }
    return (.setting, [])
  }

  /// Forgets replacements by the value that the element had in the beginning, which are left where
  /// several commits made the change. `new` gives the elements after it. O(pieces and replacements).
  mutating func dropRestored(new: (Int) -> Value) {
    var place = 0
    for piece in pieces {
      if case .old(let start) = piece.source {
        for oldIndex in replacedIndices(in: start..<start + piece.count)
        where new(oldIndex - start + place) == replaced[oldIndex] {
          replaced[oldIndex] = nil
        }
      }
      place += piece.count
    }
  }

  /// The new rows that hold another element than the old row of that index, or a replaced one.
  private var displacedRows: Set<Int> {
    var rows: Set<Int> = []
    var place = 0
    for piece in pieces {
      if case .old(let start) = piece.source {
        if start != place { rows.formUnion(place..<place + piece.count) }
        for oldIndex in replacedIndices(in: start..<start + piece.count) {
          rows.insert(oldIndex - start + place)
        }
      }
      place += piece.count
    }
    return rows
  }

  private func replacedIndices(in range: Range<Int>) -> [Int] {
    range.count < replaced.count
      ? range.filter { replaced[$0] != nil } : replaced.keys.filter(range.contains)
  }
}
