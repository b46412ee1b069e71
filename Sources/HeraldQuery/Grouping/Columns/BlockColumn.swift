import HeraldModel

/// The values of one column in a block that is being grouped.
struct BlockColumn {
  enum Content {
    case stored(StoredBlock)
    case values(ColumnValues)
  }

  let content: Content
  let nulls: BlockMask

  init(_ content: Content) {
    self.content = content
    nulls =
      switch content {
      case .stored(let block): block.nulls
      case .values(.integers(_, let nulls)), .values(.doubles(_, let nulls)),
        .values(.dates(_, let nulls)), .values(.strings(_, let nulls)),
        .values(.data(_, let nulls)):
        nulls
      }
  }

  /// Writes the integers of all rows; undefined where nil.
  func copyIntegers(into target: UnsafeMutablePointer<Int>) {
    switch content {
    case .stored(let block): block.copyIntegers(into: target)
    case .values(.integers(let values, _)):
      for row in 0..<blockSize { target[row] = values[row] }
    case .values(.doubles), .values(.dates), .values(.strings), .values(.data):
      target.update(repeating: 0, count: blockSize)
    }
  }

  /// Calls `body` with the numbers, which are valid until it returns.
  func withNumbers(_ body: (StoredBlock) -> Void) {
    switch content {
    case .stored(let block): body(block)
    case .values(let values): values.withNumbers(body)
    }
  }
}

extension BlockMask {
  /// Calls `body` with each bit, ascending.
  @inline(__always)
  func forEachBit(_ body: (Int) -> Void) {
    if self == .everything {
      for bit in 0..<256 { body(bit) }
    } else {
      for bit in BlockBits(self) { body(bit) }
    }
  }
}
