import HeraldModel

/// The rows of a sequence in blocks of one size, which lie one after the other in memory: in large pages if there are
/// many, since a change reads and moves rows of any two of them. Each row may have a mark beside it, which moves with it
/// (`RankIndex`).
struct MarkedBlocks: Sendable {
  /// The number of rows for which a block has room.
  static let capacity = 512

  /// The rows, from `capacity` times the slot on. The memory of the last slot may be shorter.
  private var numbers: [UInt32] = []
  /// As long as the rows; empty if there are no marks.
  private var marks: [UInt16] = []
  /// The number of rows of each block.
  private var counts: [UInt16] = []
  let isMarked: Bool

  init(isMarked: Bool) { self.isMarked = isMarked }

  var slotCount: Int { counts.count }

  func count(of slot: UInt32) -> Int { Int(counts[Int(slot)]) }

  func number(at offset: Int, of slot: UInt32) -> UInt32 {
    numbers[Int(slot) &* Self.capacity &+ offset]
  }

  @inline(__always)
  func withRows<Result>(
    of slot: UInt32, _ body: (UnsafeBufferPointer<UInt32>) -> Result
  ) -> Result {
    let start = Int(slot) &* Self.capacity
    let end = start &+ Int(counts[Int(slot)])
    return numbers.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
  }

  @inline(__always)
  func withMarks<Result>(
    of slot: UInt32, _ body: (UnsafeBufferPointer<UInt16>) -> Result
  ) -> Result {
    let start = Int(slot) &* Self.capacity
    let end = start &+ Int(counts[Int(slot)])
    return marks.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
  }

  /// Replaces the marks of a block by those that `mark` returns for the offsets of its rows.
  mutating func setMarks(of slot: UInt32, _ mark: (Int) -> UInt16) {
    let start = Int(slot) * Self.capacity
    let count = Int(counts[Int(slot)])
    marks.withUnsafeMutableBufferPointer { marks in
      for offset in 0..<count { marks[start + offset] = mark(offset) }
    }
  }

  /// Creates blocks of `fill` rows each, but for the last one. Their marks are 0.
  init(_ rows: some Collection<Int>, fill: Int, isMarked: Bool) {
    self.isMarked = isMarked
    let count = rows.count
    if count == 0 { return }
    let blockCount = (count + fill - 1) / fill
    counts = Array(repeating: UInt16(fill), count: blockCount)
    counts[blockCount - 1] = UInt16(count - (blockCount - 1) * fill)
    let size = (blockCount - 1) * Self.capacity + Int(counts[blockCount - 1])
    numbers = Array(unsafeUninitializedCapacity: size) { buffer, initializedCount in
      LargePages.request(buffer.baseAddress, byteCount: size * MemoryLayout<UInt32>.stride)
      var index = 0
      var end = fill
      for row in rows {
        if index == end {
          while index < end + Self.capacity - fill {
            buffer.initializeElement(at: index, to: 0)
            index += 1
          }
          end += Self.capacity
        }
        buffer.initializeElement(at: index, to: UInt32(row))
        index += 1
      }
      initializedCount = size
    }
    if isMarked { marks = [].inLargePages(of: size) }
  }

  /// Adds an empty block and returns its slot.
  mutating func add() -> UInt32 {
    counts.append(0)
    return UInt32(counts.count - 1)
  }

  /// Inserts a row into a block with room.
  mutating func insert(_ number: UInt32, mark: UInt16, at offset: Int, of slot: UInt32) {
    let count = Int(counts[Int(slot)])
    precondition(count < Self.capacity && offset <= count, "a row beyond the end of a block")
    let start = Int(slot) &* Self.capacity
    makeRoom(start + count + 1)
    numbers.insert(number, at: start &+ offset, moving: count &- offset)
    if isMarked { marks.insert(mark, at: start &+ offset, moving: count &- offset) }
    counts[Int(slot)] &+= 1
  }

  @discardableResult
  mutating func remove(at offset: Int, of slot: UInt32) -> UInt32 {
    let count = Int(counts[Int(slot)])
    precondition(offset < count, "a row beyond the end of a block")
    let start = Int(slot) &* Self.capacity &+ offset
    let number = numbers[start]
    numbers.remove(at: start, moving: count &- offset &- 1)
    if isMarked { marks.remove(at: start, moving: count &- offset &- 1) }
    counts[Int(slot)] &-= 1
    return number
  }

  /// Moves the rows of a block from an offset on to the start of an empty one.
  mutating func moveRows(from offset: Int, of slot: UInt32, to target: UInt32) {
    let count = Int(counts[Int(slot)]) - offset
    makeRoom(Int(target) * Self.capacity + count)
    copy(Int(slot) * Self.capacity + offset, to: Int(target) * Self.capacity, count)
    counts[Int(slot)] = UInt16(offset)
    counts[Int(target)] = UInt16(count)
  }

  /// Moves all rows of a block before the first or after the last row of another one, which has room for them.
  mutating func moveRows(of slot: UInt32, to target: UInt32, atStart: Bool) {
    let (count, other) = (Int(counts[Int(slot)]), Int(counts[Int(target)]))
    precondition(count + other <= Self.capacity, "two blocks have too many rows for one")
    let start = Int(target) * Self.capacity
    makeRoom(start + count + other)
    if atStart { copy(start, to: start + count, other) }
    copy(Int(slot) * Self.capacity, to: atStart ? start : start + other, count)
    counts[Int(slot)] = 0
    counts[Int(target)] = UInt16(count + other)
  }

  private mutating func copy(_ source: Int, to target: Int, _ count: Int) {
    numbers.copy(source, to: target, count)
    if isMarked { marks.copy(source, to: target, count) }
  }

  private mutating func makeRoom(_ size: Int) {
    if size <= numbers.count { return }
    // A sequence of few rows takes little memory, and many grow by whole blocks.
    let grown = size + (size < Self.capacity ? size : size / 4 + Self.capacity)
    resize(size < Self.capacity ? min(max(grown, 8), Self.capacity) : grown)
  }

  private mutating func resize(_ size: Int) {
    numbers = numbers.inLargePages(of: size)
    if isMarked { marks = marks.inLargePages(of: size) }
  }

  var byteCount: Int { numbers.capacity * 4 + (marks.capacity + counts.capacity) * 2 }
}

extension Array where Element: FixedWidthInteger {
  /// A copy with zeros at its end, in large pages if it is long.
  func inLargePages(of size: Int) -> Self {
    Array(unsafeUninitializedCapacity: size) { buffer, initializedCount in
      LargePages.request(buffer.baseAddress, byteCount: size * MemoryLayout<Element>.stride)
      let rest = buffer[buffer.initialize(fromContentsOf: self)...]
      UnsafeMutableBufferPointer(rebasing: rest).initialize(repeating: 0)
      initializedCount = size
    }
  }

  /// Inserts an element and moves those at its index and after it up by one; the array keeps its length.
  @inline(__always)
  fileprivate mutating func insert(_ element: Element, at index: Int, moving count: Int) {
    withUnsafeMutableBufferPointer { elements in
      precondition(index + count < elements.count)
      let start = elements.baseAddress.unsafelyUnwrapped + index
      (start + 1).update(from: start, count: count)
      start.pointee = element
    }
  }

  @inline(__always)
  fileprivate mutating func remove(at index: Int, moving count: Int) {
    withUnsafeMutableBufferPointer { elements in
      precondition(index + count < elements.count)
      let start = elements.baseAddress.unsafelyUnwrapped + index
      start.update(from: start + 1, count: count)
    }
  }

  fileprivate mutating func copy(_ source: Int, to target: Int, _ count: Int) {
    withUnsafeMutableBufferPointer { elements in
      precondition(Swift.max(source, target) + count <= elements.count)
      let start = elements.baseAddress.unsafelyUnwrapped
      (start + target).update(from: start + source, count: count)
    }
  }
}
