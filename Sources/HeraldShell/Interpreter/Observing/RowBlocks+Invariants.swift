extension RowBlocks {
  /// The violated invariants; empty if there are none. O(rows).
  var violations: [String] {
    var found: [String] = []
    let held = blocks.reduce(0) { $0 + $1.count }
    if held != count { found.append("\(held) rows in blocks of \(count)") }
    if blocks.contains(where: { $0.isEmpty || $0.count >= 2 * blockSize }) {
      found.append("blocks of \(blocks.map(\.count)) rows")
    }
    return found
  }
}
