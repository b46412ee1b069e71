/// The changes between two deliveries of rows in sections.
///
/// To turn the old rows into the new: remove `deletions` from the last to the first, then the sections at `sectionDeletions`
/// with all their rows, insert empty sections at `sectionInsertions`, insert rows at `insertions` from the first to the last,
/// and reload the rows at `modificationsNew`.
public struct SectionChangeSet: Hashable, Sendable {
  /// A row: the position of its section, and that within it, each from 0.
  public struct Position: Hashable, Comparable, Sendable {
    /// The position of the section.
    public var section: Int
    /// The position of the row in the section.
    public var row: Int

    /// The position of a row.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }

    /// By section, then by row.
    public static func < (a: Position, b: Position) -> Bool {
      (a.section, a.row) < (b.section, b.row)
    }
  }

  /// A row that kept its object and changed its place, between two sections that stay or within one; `deletions` and
  /// `insertions` contain the two positions, too.
  public struct Move: Hashable, Sendable {
    /// The position before.
    public var old: Position
    /// The position after.
    public var new: Position

    /// A row by both positions.
    public init(old: Position, new: Position) {
      self.old = old
      self.new = new
    }
  }

  /// Deleted sections: positions before, ascending. Their rows are not among `deletions`.
  public var sectionDeletions: [Int]
  /// Inserted sections: positions after, ascending. Their rows are among `insertions`.
  public var sectionInsertions: [Int]
  /// Deleted rows of sections that stay: positions before, ascending.
  public var deletions: [Position]
  /// Inserted rows: positions after, ascending.
  public var insertions: [Position]
  /// Modified rows, which were in the same section before: positions before, ascending.
  public var modifications: [Position]
  /// The same rows in the same order: positions after.
  public var modificationsNew: [Position]
  /// Moved rows, ascending by the position before.
  public var moves: [Move]
  /// The same changes without sections, of all rows in their order; those of deleted sections are among its deletions.
  package var rows: ChangeSet
  /// Where `deletions` are among all rows.
  package var deletedRows: [Int]
}
