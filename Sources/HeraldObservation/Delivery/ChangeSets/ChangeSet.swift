/// What happened to a collection between two deliveries, as row positions.
///
/// Take the old rows; remove `deletions` from the highest down; insert the new rows at `insertions`
/// from the lowest up; refresh the rows at `modificationsNew`: that is the new collection, exactly.
public struct ChangeSet: Hashable, Sendable {
  /// A row that kept its object and changed its place; its positions are in `deletions` and
  /// `insertions` too.
  public struct Move: Hashable, Sendable {
    public var old: Int
    public var new: Int
    public init(old: Int, new: Int) {
      self.old = old
      self.new = new
    }
  }

  /// Rows of the old collection, ascending.
  public var deletions: [Int]
  /// Rows of the new collection, ascending.
  public var insertions: [Int]
  /// Rows present in both, by their old positions, ascending.
  public var modifications: [Int]
  /// The same rows in the same order, by their new positions.
  public var modificationsNew: [Int]
  /// Ascending by old position.
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
