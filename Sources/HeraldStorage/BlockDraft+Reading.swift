extension BlockDraft {
  /// A draft of what a stored block holds: a few hundred nanoseconds for a column's block.
  convenience init(_ kind: ColumnKind, _ block: FlatBlock) {
    self.init(kind, count: block.count)
    let values = UnsafeMutableBufferPointer(start: words.values, count: count)
    switch kind {
    case .integers, .doubles: block.widen(into: values)
    case .floats: for row in 0..<count { values[row] = Int(block.float(row).bitPattern) }
    case .dates:
      block.widen(into: values)
      takeNanoseconds(of: block)
    case .bytes: takeBytes(of: block)
    }
    words.setNils(block.nilBytes)
    words.noteUnchanged()
  }

  /// Takes the content over in one piece; its words then say where each value starts.
  private func takeBytes(of block: FlatBlock) {
    guard count > 0 else { return }
    let rows = block.byteRows
    let all = rows.all(count)
    var start = arena.append(all, forgetting: 0)
    for row in 0..<count {
      let size = rows[row].count
      if size > 0 || !block.isNull(row) { words.values[row] = start << 32 | size }
      if block.isLarge(row) { words.setLarge(row, true) }
      start += size
    }
  }
}
