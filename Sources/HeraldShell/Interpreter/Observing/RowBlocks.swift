/// A sequence of rows in blocks, so that an insertion or a deletion moves only the rows of its block:
/// O(√rows) each.
struct RowBlocks<Row> {
  private(set) var blocks: [[Row]] = []
  private(set) var count = 0
  /// The size of blocks; a block is split at twice this size.
  let blockSize: Int

  init(_ rows: some Collection<Row>) {
    count = rows.count
    blockSize = max(32, Int(Double(count).squareRoot()))
    var rest = rows[...]
    while !rest.isEmpty {
      blocks.append(Array(rest.prefix(blockSize)))
      rest = rest.dropFirst(blockSize)
    }
  }

  /// Returns nil beyond the last row.
  subscript(row: Int) -> Row? {
    guard row >= 0, row < count else { return nil }
    let location = location(of: row)
    return blocks[location.block][location.index]
  }

  mutating func replace(at row: Int, with new: Row) {
    guard row >= 0, row < count else { return }
    let location = location(of: row)
    blocks[location.block][location.index] = new
  }

  /// Does nothing if there is no such row.
  mutating func remove(at row: Int) {
    guard row >= 0, row < count else { return }
    let location = location(of: row)
    blocks[location.block].remove(at: location.index)
    if blocks[location.block].isEmpty { blocks.remove(at: location.block) }
    count -= 1
  }

  /// Appends if there are fewer rows.
  mutating func insert(_ new: Row, at row: Int) {
    if blocks.isEmpty { blocks = [[]] }
    var location = (block: blocks.count - 1, index: blocks[blocks.count - 1].count)
    if row < count { location = self.location(of: row) }
    blocks[location.block].insert(new, at: location.index)
    count += 1
    guard blocks[location.block].count >= 2 * blockSize else { return }
    let second = Array(blocks[location.block][blockSize...])
    blocks[location.block].removeSubrange(blockSize...)
    blocks.insert(second, at: location.block + 1)
  }

  /// Requires that the row exists.
  private func location(of row: Int) -> (block: Int, index: Int) {
    var (block, index) = (0, row)
    while index >= blocks[block].count {
      index -= blocks[block].count
      block += 1
    }
    return (block, index)
  }
}
