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
    from old: [ObjectNumber], to new: [ObjectNumber], modified: Set<ObjectNumber>,
    reordered: Set<ObjectNumber>?
  ) {
    let (before, after) = (Set(old), Set(new))
    let kept = before.intersection(after)
    let touched = reordered.map { kept.intersection($0.union(modified)) } ?? kept
    func rows(_ numbers: [ObjectNumber]) -> [RowChanges.Row] {
      numbers.enumerated().compactMap { position, number in
        kept.contains(number) && !touched.contains(number)
          ? nil : RowChanges.Row(number: number, position: position)
      }
    }
    let changes = RowChanges(removed: rows(old), added: rows(new))
    let moved =
      reordered.map { reordered in changes.moved { reordered.contains($0) } }
      ?? changes.moved(displaced: kept, oldCount: old.count)
    self = changes.changeSet(
      modified: new.enumerated().compactMap { position, number in
        modified.contains(number) && kept.contains(number)
          ? RowChanges.Row(number: number, position: position) : nil
      }, moved)
  }
}
