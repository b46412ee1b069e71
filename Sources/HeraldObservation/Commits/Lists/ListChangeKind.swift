package import HeraldModel

/// The kind of a change that an observer of a collection property receives.
public enum ListChangeKind: Hashable, Sendable {
  /// Rows were inserted; the rows are those of the new list.
  case insertion
  /// Rows were removed; the rows are those of the old list.
  case removal
  /// Rows were replaced, or lie between the two ends of a move; the rows are those of both lists.
  case replacement
  /// Any other change, without rows.
  case setting
}

extension ListDelta {
  /// Returns the change as one kind with its rows. O(changed rows).
  package func kind() -> (kind: ListChangeKind, rows: [Int]) {
    let changes = changeSet()
    let isShifting = newCount != oldCount || pieces.contains { $0.source == .fresh }
    if !isShifting { return (.replacement, displacedRows.sorted()) }
    if !changes.modifications.isEmpty { return (.setting, []) }
    if changes.deletions.isEmpty { return (.insertion, changes.insertions) }
    if changes.insertions.isEmpty { return (.removal, changes.deletions) }
    return (.setting, [])
  }

  /// Drops replacements by the value that the element had in the beginning. `isRestored` returns whether
  /// the element at an index of the new list equals a previous value. O(pieces + replacements).
  package mutating func dropRestored(_ isRestored: (_ newIndex: Int, _ old: Value) -> Bool) {
    if replaced.isEmpty { return }
    var newIndex = 0
    for piece in pieces {
      if case .old(let start) = piece.source {
        for oldIndex in replacedIndices(in: start..<start + piece.count) {
          if let old = replaced[oldIndex], isRestored(oldIndex - start + newIndex, old) {
            replaced[oldIndex] = nil
          }
        }
      }
      newIndex += piece.count
    }
  }

  /// The rows that hold another element than before, or a replaced one.
  private var displacedRows: Set<Int> {
    var rows: Set<Int> = []
    var newIndex = 0
    for piece in pieces {
      if case .old(let start) = piece.source {
        if start != newIndex { rows.formUnion(newIndex..<newIndex + piece.count) }
        for oldIndex in replacedIndices(in: start..<start + piece.count) {
          rows.insert(oldIndex - start + newIndex)
        }
      }
      newIndex += piece.count
    }
    return rows
  }

  private func replacedIndices(in range: Range<Int>) -> [Int] {
    range.count < replaced.count
      ? range.filter { replaced[$0] != nil } : replaced.keys.filter(range.contains)
  }
}
