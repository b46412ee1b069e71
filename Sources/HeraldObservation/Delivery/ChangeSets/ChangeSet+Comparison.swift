package import HeraldModel

extension ChangeSet {
  /// The change set between two states of rows, each of another object, compared end to end.
  ///
  /// - Parameters:
  ///   - old: The rows of the first state.
  ///   - new: The rows of the second.
  ///   - modified: The objects with a property that differs.
  ///   - reordered: The objects whose sort values differ; nil for the order of a list, in which any may move.
  ///
  /// O(rows).
  package init(
    from old: [ObjectNumber], to new: [ObjectNumber], modified: RowNumbers, reordered: RowNumbers?
  ) {
    let (before, after) = (RowNumbers(old), RowNumbers(new))
    func isKept(_ number: ObjectNumber) -> Bool {
      before.contains(number) && after.contains(number)
    }
    func isTouched(_ number: ObjectNumber) -> Bool {
      guard let reordered else { return true }
      return !isKept(number) || reordered.contains(number) || modified.contains(number)
    }
    func rows(
      _ numbers: [ObjectNumber], _ isIncluded: (ObjectNumber) -> Bool
    ) -> [RowChanges.Row] {
      var rows: [RowChanges.Row] = []
      for (position, number) in numbers.enumerated() where isIncluded(number) {
        rows.append(RowChanges.Row(number: number, position: position))
      }
      return rows
    }
    let changes = RowChanges(removed: rows(old, isTouched), added: rows(new, isTouched))
    let moved =
      if let reordered {
        changes.moved(hasNewKeys: reordered.contains)
      } else {
        changes.moved(displaced: Set(old.lazy.filter(after.contains)), oldCount: old.count)
      }
    self = changes.changeSet(
      modified: rows(new) { modified.contains($0) && before.contains($0) }, moved)
  }
}
