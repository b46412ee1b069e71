import HeraldModel

/// The changes of a collection between two deliveries, as row positions from 0.
///
/// To turn the old rows into the new: remove `deletions` from the last to the first, insert rows at
/// `insertions` from the first to the last, and reload the rows at `modificationsNew`.
public struct ChangeSet: Hashable, Sendable {
  /// A row that kept its object and changed its position; `deletions` and `insertions` contain the two
  /// positions too.
  public struct Move: Hashable, Sendable {
    /// The position before.
    public var old: Int
    /// The position after.
    public var new: Int
    /// A row by both positions.
    public init(old: Int, new: Int) {
      self.old = old
      self.new = new
    }
  }

  /// Deleted rows: positions in the old collection, ascending.
  public var deletions: [Int]
  /// Inserted rows: positions in the new collection, ascending.
  public var insertions: [Int]
  /// Modified rows, which are in both collections: positions in the old one, ascending.
  public var modifications: [Int]
  /// The same rows in the same order: positions in the new collection.
  public var modificationsNew: [Int]
  /// Moved rows, ascending by old position.
  public var moves: [Move]

  /// Makes a change of its parts.
  public init(
    deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = [],
    modificationsNew: [Int] = [], moves: [Move] = []
  ) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
    self.modificationsNew = modificationsNew
    self.moves = moves
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

extension ChangeSet {
  /// Returns these deletions and insertions, with modifications. `modified` are rows of the new
  /// collection; inserted ones among them are reported as insertions only.
  func modifying(_ modified: [Int]) -> ChangeSet {
    let kept = modified.filter { !isInserted($0) }.sorted()
    return ChangeSet(
      deletions: deletions, insertions: insertions,
      modifications: kept.map(oldIndex(ofKept:)), modificationsNew: kept)
  }

  private func isInserted(_ newIndex: Int) -> Bool {
    let index = insertions.partitionPoint { $0 < newIndex }
    return index < insertions.count && insertions[index] == newIndex
  }

  /// Returns the old index of a row that was not inserted. O(log changes).
  private func oldIndex(ofKept newIndex: Int) -> Int {
    let rank = newIndex - insertions.partitionPoint { $0 < newIndex }
    return rank + deletions.indices.partitionPoint { deletions[$0] - $0 <= rank }
  }

  /// Creates a change set of a sorted collection. `positionsOfRemoved` are the new positions at which the
  /// removed rows would be inserted.
  init(positionsOfRemoved: [Int], insertions: [Int]) {
    let insertions = insertions.sorted()
    let deletions = positionsOfRemoved.sorted().enumerated().map { removedBefore, position in
      position - insertions.partitionPoint { $0 < position } + removedBefore
    }
    self.init(deletions: deletions, insertions: insertions)
  }
}
