/// A sequence of rows in blocks, so that one that comes or goes moves the rows of its block alone:
/// O(√rows) for each.
struct RowBlocks<Row> {
  private(set) var blocks: [[Row]] = []
  private(set) var count = 0
  /// A block is split at twice as many.
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

  /// Nil beyond the last.
  subscript(row: Int) -> Row? {
    guard row >= 0, row < count else { return nil }
    let place = place(of: row)
    return blocks[place.block][place.index]
  }

  mutating func replace(at row: Int, with new: Row) {
    guard row >= 0, row < count else { return }
    let place = place(of: row)
    blocks[place.block][place.index] = new
  }

  /// Nothing where there is no such row.
  mutating func remove(at row: Int) {
    guard row >= 0, row < count else { return }
    let place = place(of: row)
    blocks[place.block].remove(at: place.index)
    if blocks[place.block].isEmpty { blocks.remove(at: place.block) }
    count -= 1
  }

  /// At the end where there are fewer rows.
  mutating func insert(_ new: Row, at row: Int) {
    if blocks.isEmpty { blocks = [[]] }
    var place = (block: blocks.count - 1, index: blocks[blocks.count - 1].count)
    if row < count { place = self.place(of: row) }
    blocks[place.block].insert(new, at: place.index)
    count += 1
    guard blocks[place.block].count >= 2 * blockSize else { return }
    let second = Array(blocks[place.block][blockSize...])
    blocks[place.block].removeSubrange(blockSize...)
    blocks.insert(second, at: place.block + 1)
  }

  /// Of a row that is there.
  private func place(of row: Int) -> (block: Int, index: Int) {
    var (block, index) = (0, row)
    while index >= blocks[block].count {
      index -= blocks[block].count
      block += 1
    }
    return (block, index)
  }
}
