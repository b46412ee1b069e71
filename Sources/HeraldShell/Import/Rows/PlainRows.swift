import Herald

/// Rows of plain values that were read and are added together. Their texts stay where they are in the file's window,
/// which the rows retain.
///
/// `@unchecked Sendable`: used by one thread at a time.
final class PlainRows: @unchecked Sendable {
  private let capacity: Int
  private let columnCount: Int
  private let base: UnsafeMutablePointer<PlainValue>
  private let lines: UnsafeMutablePointer<Int>
  private var window: TextWindow?
  /// Texts that are not in it as they are.
  private var copies: [UnsafeMutableBufferPointer<UInt8>] = []
  private(set) var count = 0
  /// The number of the first row's record in the file.
  private(set) var firstRecord = 1
  /// The part of the file that had been read, from 0 to 1.
  private(set) var progress = 0.0

  private static let mostRows = 2048
  /// As many as the processor's second cache holds.
  private static let manyValues = 1 << 13
  /// So many rows even if they have more values: what a column takes is found once for all of them.
  private static let fewRows = 32
  private static let mostValues = 1 << 20

  init(columnCount: Int) {
    self.columnCount = columnCount
    let many = max(Self.fewRows, min(Self.mostRows, Self.manyValues / columnCount))
    capacity = max(1, min(many, Self.mostValues / columnCount))
    base = .allocate(capacity: capacity * columnCount)
    lines = .allocate(capacity: capacity)
  }

  deinit {
    freeCopies()
    base.deallocate()
    lines.deallocate()
  }

  /// Begins to take the rows of records whose texts are in a window. `record`: the number of the first in its file.
  func begin(in window: TextWindow, from record: Int, progress: Double) {
    self.window = window
    self.progress = progress
    firstRecord = record
    count = 0
    freeCopies()
  }

  /// Keeps a text until other rows are begun.
  func keep(_ text: String) -> CellText.Bytes {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, text.utf8.count))
    let end = copy.initialize(fromContentsOf: text.utf8)
    copies.append(copy)
    return CellText.Bytes(rebasing: copy[..<end])
  }

  private func freeCopies() {
    for copy in copies { copy.deallocate() }
    copies.removeAll(keepingCapacity: true)
  }

  var isFull: Bool { count == capacity }

  /// Takes the next row, of a record in a line, whose values are at `next`.
  func take(line: Int) {
    lines[count] = line
    count += 1
  }

  /// The memory for the values of the next row, unless they are full.
  var next: UnsafeMutablePointer<PlainValue> { base + count * columnCount }

  /// Takes as many rows as `reader` can read without another form of reading; returns how many.
  func takePlain(_ reader: inout CSVReader, _ fields: [PlainField]) -> Int {
    let read = fields.withUnsafeBufferPointer {
      reader.readPlain(
        $0, limit: capacity - count, into: next, stride: columnCount, lines: lines + count)
    }
    count += read
    return read
  }

  /// The values of some of the rows, one row after the other.
  func values(_ rows: Range<Int>) -> UnsafeBufferPointer<PlainValue> {
    UnsafeBufferPointer(
      start: base + rows.lowerBound * columnCount, count: rows.count * columnCount)
  }

  /// The line and the number of a row's record.
  func position(_ row: Int) -> (line: Int, record: Int) { (lines[row], firstRecord + row) }

  func removeAll() {
    count = 0
    window = nil
    freeCopies()
  }
}
