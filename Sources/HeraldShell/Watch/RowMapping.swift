import Herald

/// Maps row positions of an old collection to those of the new one, by a change set.
struct RowMapping {
  private let deletions: [Int]
  private let insertions: [Int]

  init(_ changes: ChangeSet) {
    deletions = changes.deletions
    insertions = changes.insertions
  }

  /// The new position of an old row; nil if it was deleted. O(log changes).
  func newPosition(ofOld position: Int) -> Int? {
    let gone = deletions.partitionPoint { $0 < position }
    if gone < deletions.count, deletions[gone] == position { return nil }
    let kept = position - gone
    return kept + insertions.indices.partitionPoint { insertions[$0] - $0 <= kept }
  }

  /// The new position before which an old row was: ahead of rows inserted at that position.
  /// O(log changes).
  func gap(atOld position: Int) -> Int {
    let kept = position - deletions.partitionPoint { $0 < position }
    return kept + insertions.indices.partitionPoint { insertions[$0] - $0 < kept }
  }
}
