/// The number of objects that a class has had and has.
///
///     class record := next number:u64le objects:u64le
///     presence     := 256 bits, set for the numbers in use, in u64le words
///
/// Both are stored in `columns` under property 0: presence under its block, the record after the last.
package struct ClassRecord: Equatable {
  static let size = 16
  package static let presenceSize = 32

  /// The number that the next object gets; numbers begin at 1 and are never reused.
  package var next = 1
  package var count = 0

  package init() {}

  /// Returns nil if the entry is malformed.
  package init?(_ entry: UnsafeRawBufferPointer) {
    guard entry.count == Self.size else { return nil }
    next = Int(truncatingIfNeeded: entry.littleEndian(at: 0, as: UInt64.self))
    count = Int(truncatingIfNeeded: entry.littleEndian(at: 8, as: UInt64.self))
    guard next >= 1, count >= 0, count < next else { return nil }
  }

  /// Calls `body` with the bytes of the entry.
  @inlinable
  package func withEntry<Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let words = (UInt64(next).littleEndian, UInt64(count).littleEndian)
    try withUnsafeBytes(of: words) { bytes throws(Failure) in try body(bytes) }
  }

  /// The number of blocks that cover every number ever issued.
  var blockCount: Int { next == 1 ? 0 : (next - 1) >> 8 + 1 }
}

/// The objects of one class as a transaction creates and deletes some.
///
/// Used by the thread of its transaction only.
final class PendingClass {
  @exclusivity(unchecked) var record: ClassRecord
  /// The record as it is stored.
  @exclusivity(unchecked) private(set) var storedRecord: ClassRecord
  /// Whether an object was created.
  @exclusivity(unchecked) private(set) var hasCreated = false
  /// Whether the class was dropped: nothing of it is to be kept.
  @exclusivity(unchecked) var isDropped = false
  /// The presence of the blocks that were used, except the one that is open.
  @exclusivity(unchecked) private var blocks: [Int: SIMD4<UInt64>] = [:]
  /// The block used last: filling a class stays in one block for long.
  @exclusivity(unchecked) private var openBlock = -1
  @exclusivity(unchecked) private var openMask = SIMD4<UInt64>.zero
  /// The presence of the open block as it is stored; nil if that is unknown here.
  @exclusivity(unchecked) private var openStoredMask: SIMD4<UInt64>?

  init(_ record: ClassRecord) { (self.record, storedRecord) = (record, record) }

  func noteRecordStored() { storedRecord = record }

  /// Resets the changes, which were committed: what is known of the class is what is stored now.
  func noteCommitted() {
    storedRecord = record
    hasCreated = false
    blocks = [:]
    openStoredMask = openMask
  }

  func notePresenceStored() { openStoredMask = openMask }

  /// Returns the number of a new object; that of the first one is `smallest` or larger.
  func takeNumber(_ smallest: () -> Int) -> Int {
    if !hasCreated {
      record.next = max(record.next, smallest())
      hasCreated = true
    }
    record.next += 1
    record.count += 1
    return record.next - 1
  }

  /// Creates the objects of numbers of which the first has just been taken.
  func take(_ numbers: Range<Int>, load: (Int) -> SIMD4<UInt64>) {
    record.next += numbers.count - 1
    record.count += numbers.count - 1
    var number = numbers.lowerBound + 1
    while number < numbers.upperBound {
      setPresent(number, true, load: load)
      let end = min(numbers.upperBound, (number | 63) + 1)
      openMask[number >> 6 & 3] |= ~0 << UInt64(number & 63) & ~0 >> UInt64(63 - (end - 1) & 63)
      number = end
    }
  }

  /// Ensures that the next object gets this number, or a higher one.
  func skipNumbers(before number: Int) { record.next = max(record.next, number) }

  /// Returns the presence of a block; `load` fetches it if it is not cached here.
  func presence(_ block: Int, load: () -> SIMD4<UInt64>) -> SIMD4<UInt64> {
    if block == openBlock { return openMask }
    return blocks[block] ?? load()
  }

  /// Changes whether a number is in use; `load` fetches its block if it is not cached here.
  func setPresent(_ number: Int, _ isPresent: Bool, load: (Int) -> SIMD4<UInt64>) {
    let block = number >> 8
    if block != openBlock {
      if openBlock >= 0 { blocks[openBlock] = openMask }
      if let known = blocks[block] {
        (openMask, openStoredMask) = (known, nil)
      } else {
        openMask = load(block)
        openStoredMask = openMask
      }
      openBlock = block
    }
    let bit: UInt64 = 1 << UInt64(number & 63)
    if isPresent {
      openMask[number >> 6 & 3] |= bit
    } else {
      openMask[number >> 6 & 3] &= ~bit
    }
  }

  /// Deletes all objects of a block; `load` as for `setPresent`.
  func setAbsent(_ block: Int, load: (Int) -> SIMD4<UInt64>) {
    setPresent(block << 8, false, load: load)
    openMask = .zero
  }

  /// Whether the presence of more blocks is kept than a transaction should have in memory.
  var hasManyBlocks: Bool { blocks.count >= 1024 }

  /// Drops the presence of all blocks, which has been written.
  func forgetBlocks() {
    blocks = [:]
    openBlock = -1
  }

  /// The only block that was used, with its presence; nil if there are several or none.
  var onlyBlock: (block: Int, mask: SIMD4<UInt64>)? {
    blocks.isEmpty && openBlock >= 0 ? (openBlock, openMask) : nil
  }

  /// Every presence block that was used, in order, with its stored bits where they are known here.
  var usedBlocks: [(block: Int, mask: SIMD4<UInt64>, stored: SIMD4<UInt64>?)] {
    if blocks.isEmpty {
      return openBlock < 0 ? [] : [(block: openBlock, mask: openMask, stored: openStoredMask)]
    }
    var all = blocks
    if openBlock >= 0 { all[openBlock] = openMask }
    return all.map { (block: $0.key, mask: $0.value, stored: nil) }.sorted { $0.block < $1.block }
  }
}
