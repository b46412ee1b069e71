import Herald

/// Rows of plain values that were read and are added together. Their texts stay where they are in the file's window.
final class PlainRows {
  private static let capacity = 256

  let insertion: RowInsertion
  private let columnCount: Int
  private let base: UnsafeMutablePointer<PlainValue>
  private(set) var count = 0
  /// The line and the number of the last row.
  private(set) var last = (line: 0, record: 0)

  /// Returns nil if the objects must be added one by one.
  init?(_ insertion: RowInsertion, count columnCount: Int) {
    guard insertion.addsRows, columnCount > 0 else { return nil }
    self.insertion = insertion
    self.columnCount = columnCount
    base = .allocate(capacity: Self.capacity * columnCount)
  }

  deinit { base.deallocate() }

  /// The memory for the values of another row.
  @inline(__always)
  var next: UnsafeMutablePointer<PlainValue> { base + count * columnCount }

  /// Takes the row whose values are at `next`; returns false if its object must be added alone.
  @inline(__always)
  func take(at position: (line: Int, record: Int)) -> Bool {
    guard insertion.keeps(next) else { return false }
    count += 1
    last = position
    return true
  }

  var isFull: Bool { count == Self.capacity }

  var values: UnsafeBufferPointer<PlainValue> {
    UnsafeBufferPointer(start: base, count: count * columnCount)
  }

  subscript(row: Int) -> UnsafeBufferPointer<PlainValue> {
    UnsafeBufferPointer(start: base + row * columnCount, count: columnCount)
  }

  func removeAll() { count = 0 }
}
