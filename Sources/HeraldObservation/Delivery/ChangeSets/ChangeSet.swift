/// The changes of a collection between two deliveries, as row positions from 0.
///
/// To turn the old rows into the new: remove `deletions` from the last to the first, insert rows at
/// `insertions` from the first to the last, and reload the rows at `modificationsNew`.
public struct ChangeSet: Hashable, Sendable {
  /// A row that kept its object and changed its position; `deletions` and `insertions` contain the two
  /// positions too.
  public struct Move: Hashable, Sendable {
    public var old: Int
    public var new: Int
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

  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
