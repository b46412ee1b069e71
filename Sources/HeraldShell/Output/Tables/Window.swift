/// The size and the abilities of the window that shows the output.
package struct Window: Equatable, Sendable {
  package var columns: Int
  package var rows: Int
  package var isColored: Bool

  package init(columns: Int, rows: Int, isColored: Bool) {
    self.columns = columns
    self.rows = rows
    self.isColored = isColored
  }

  /// The number of table rows that fit with a heading, a line about the rest, and a prompt.
  var tableRows: Int { max(1, rows - 3) }
}
