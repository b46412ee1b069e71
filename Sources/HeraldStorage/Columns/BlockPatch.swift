internal import Glibc
import HeraldModel

/// A stored block in which one value is replaced by another, or takes the place of a nil.
///
/// Most small transactions change one value of a block, or add one: its stored form is copied into the new record and
/// changed there, instead of widening, scanning and narrowing every value. A second change of the same
/// block creates a draft.
struct BlockPatch {
  /// A new value, in the form that its kind of column stores.
  enum Change {
    /// An integer, or the bit pattern of a double or float.
    case word(Int)
    case date(Timestamp)
    case bytes(UnsafeRawBufferPointer)
  }

  let key: WriteBuffer.BlockKey
  /// The block before the change: a page of the version that the transaction began at, which LMDB keeps until
  /// the transaction ends, or `copy`.
  private let stored: FlatBlock
  private let row: Int
  /// Bytes are the patch's own.
  private let change: Change
  private let zone: (smallest: Int, largest: Int)
  /// The size of the block in bytes.
  let size: Int
  /// The unused bytes behind the block where it gets a place of its own, in memory.
  let spareWhenStored: Int
  /// The whole block as it will be stored, once it was read or needed.
  private var copy: UnsafeMutableRawPointer?

  /// Further changed blocks of a transaction get a draft at once, to keep the linear search short.
  static let limit = 16

  /// Returns nil if the block as a whole needs another form: other widths, no nil bitmap, or a zone that the
  /// other values determine in a way that is not known here. `isLasting`: whether the stored block stays as it is
  /// until the transaction ends.
  init?(
    _ stored: FlatBlock, _ key: WriteBuffer.BlockKey, row: Int, _ change: Change, isLasting: Bool
  ) {
    guard stored.fits(change, at: row), let zone = stored.zone(replacing: row, by: change)
    else { return nil }
    self.key = key
    self.stored = stored
    self.row = row
    self.zone = zone
    switch change {
    case .word, .date:
      self.change = change
      size = stored.length
      spareWhenStored = 0
    case .bytes(let bytes):
      self.change = .bytes(Self.owned(bytes))
      size = stored.length + bytes.count - stored.bytes(row).count
      spareWhenStored = Self.spare(stored, row, size: size)
    }
    if !isLasting { _ = flat }
  }

  private static func owned(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return bytes }
    let own = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
    own.copyMemory(from: source, byteCount: bytes.count)
    return UnsafeRawBufferPointer(start: own, count: bytes.count)
  }

  /// The whole block as it will be stored; the first call copies it.
  var flat: FlatBlock {
    mutating get {
      if let copy { return FlatBlock(base: UnsafeRawPointer(copy), length: size) }
      let new = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
      write(to: new)
      copy = new
      return FlatBlock(base: UnsafeRawPointer(new), length: size)
    }
  }

  /// Writes the whole block as it will be stored.
  func write(to target: UnsafeMutableRawPointer) {
    if let copy { return target.copyMemory(from: copy, byteCount: size) }
    if case .bytes(let bytes) = change {
      write(bytes, to: target)
    } else {
      target.copyMemory(from: stored.base, byteCount: size)
      write(change, to: target)
    }
    writeHeader(to: target)
  }

  /// Writes a number or a date into a block.
  private func write(_ change: Change, to target: UnsafeMutableRawPointer) {
    let values = target + (stored.values - stored.base)
    switch change {
    case .word(let word): Self.store(word, at: values, stored.width, row)
    case .date(let date):
      Self.store(date.seconds, at: values, stored.width, row)
      Self.store(
        Int(date.nanoseconds), at: values + stored.count * stored.width, stored.secondWidth, row)
    case .bytes: break
    }
  }

  /// Writes the zone, and that the value is not nil.
  private func writeHeader(to target: UnsafeMutableRawPointer) {
    target.storeBytes(of: zone.smallest, toByteOffset: 8, as: Int.self)
    target.storeBytes(of: zone.largest, toByteOffset: 16, as: Int.self)
    guard stored.isNull(row) else { return }
    let byte = target + FlatBlock.headerSize + row >> 3
    byte.storeBytes(of: byte.load(as: UInt8.self) & ~(1 << (row & 7)), as: UInt8.self)
  }

  /// Whether the block with the new value has room where the stored one is: in memory, and while that has not moved.
  var isInPlace: Bool {
    switch change {
    case .word, .date: true
    case .bytes: size >= stored.length && SpareBytes.isPossible(spare)
    }
  }

  /// The unused bytes behind the block with the new value, in the place of the stored one.
  private var spare: Int {
    SpareBytes.count(behind: stored.base + stored.length) + stored.length - size
  }

  /// The unused bytes behind a block with a new value where that gets a place of its own, in memory: some while the
  /// block is being filled.
  private static func spare(_ stored: FlatBlock, _ row: Int, size: Int) -> Int {
    guard stored.count == 256, stored.isNull(255), row < 255 else { return 0 }
    let known = ~stored.nils
    var word = 3
    while word > row >> 6, known[word] == 0 { word -= 1 }
    let last = max(row, word << 6 + 63 - known[word].leadingZeroBitCount)
    return SpareBytes.forGrowth(last: last, size: size, content: stored.byteRows.all(256).count)
  }

  /// The block with the new value, in the place of the stored one.
  var place: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: stored.base, count: size) }

  /// Changes the stored block, which must be in place and in memory that can be written.
  func writeInPlace() {
    let target = UnsafeMutableRawPointer(mutating: stored.base)
    switch change {
    case .word, .date: write(change, to: target)
    case .bytes(let bytes):
      let place = stored.bytes(row).baseAddress
      if size != stored.length { grow(by: size - stored.length, at: target) }
      if let source = bytes.baseAddress, let place {
        UnsafeMutableRawPointer(mutating: place).copyMemory(from: source, byteCount: bytes.count)
      }
    }
    writeHeader(to: target)
  }

  /// Makes the row longer, in place: the rows behind it, and their offsets, move.
  private func grow(by change: Int, at target: UnsafeMutableRawPointer) {
    let spare = spare
    let old = stored.byteRows
    let replaced = old[row]
    let start = UnsafeRawPointer(replaced.baseAddress.unsafelyUnwrapped) - stored.base
    let behind = start + replaced.count
    memmove(target + behind + change, target + behind, stored.length - behind)
    moveOffsets(of: old, by: change, at: target)
    SpareBytes.note(spare, behind: target + size)
  }

  private static func store(
    _ number: Int, at values: UnsafeMutableRawPointer, _ width: Int, _ row: Int
  ) {
    switch width {
    case 0: break
    case 1:
      values.storeBytes(of: Int8(truncatingIfNeeded: number), toByteOffset: row, as: Int8.self)
    case 2:
      values.storeBytes(
        of: Int16(truncatingIfNeeded: number), toByteOffset: row * 2, as: Int16.self)
    case 4:
      values.storeBytes(
        of: Int32(truncatingIfNeeded: number), toByteOffset: row * 4, as: Int32.self)
    default: values.storeBytes(of: number, toByteOffset: row * 8, as: Int.self)
    }
  }

  /// Writes the block with other bytes in a row: those of the rows behind it, and their offsets, move.
  private func write(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
    let old = stored.byteRows
    let replaced = old[row]
    let start = UnsafeRawPointer(replaced.baseAddress.unsafelyUnwrapped) - stored.base
    target.copyMemory(from: stored.base, byteCount: start)
    if let source = bytes.baseAddress {
      (target + start).copyMemory(from: source, byteCount: bytes.count)
    }
    let behind = start + replaced.count
    (target + start + bytes.count).copyMemory(
      from: stored.base + behind, byteCount: stored.length - behind)
    let change = bytes.count - replaced.count
    if change != 0 { moveOffsets(of: old, by: change, at: target) }
  }

  /// Moves the ends of the rows from the changed one on.
  private func moveOffsets(
    of old: FlatBlock.ByteRows, by change: Int, at target: UnsafeMutableRawPointer
  ) {
    let offsets = target + (old.offsets - stored.base)
    if old.isNarrow {
      Self.move(offsets, row + 1...stored.count, by: UInt16(truncatingIfNeeded: change))
    } else {
      Self.move(offsets, row + 1...stored.count, by: UInt32(truncatingIfNeeded: change))
    }
  }

  @inline(__always)
  private static func move<Offset: FixedWidthInteger & BitwiseCopyable>(
    _ offsets: UnsafeMutableRawPointer, _ rows: ClosedRange<Int>, by change: Offset
  ) {
    for row in rows {
      let position = row &* MemoryLayout<Offset>.size
      let offset = offsets.loadUnaligned(fromByteOffset: position, as: Offset.self)
      offsets.storeBytes(of: offset &+ change, toByteOffset: position, as: Offset.self)
    }
  }

  func free() {
    copy?.deallocate()
    if case .bytes(let bytes) = change, !bytes.isEmpty { bytes.deallocate() }
  }
}

extension FlatBlock {
  /// Returns whether a block with another value in a row has the same widths and bitmaps.
  fileprivate func fits(_ change: BlockPatch.Change, at row: Int) -> Bool {
    // A block without nils has no bitmap.
    if isNull(row), nils.nonzeroBitCountOfAll == 1 { return false }
    switch (change, kind) {
    case (.word(let word), .integers): return Self.fits(word, width)
    case (.word, .doubles), (.word, .floats): return width != 0
    case (.date(let date), .dates):
      return Self.fits(date.seconds, width) && Self.fits(Int(date.nanoseconds), secondWidth)
    case (.bytes(let bytes), .bytes):
      guard !isLarge(row) else { return false }
      let old = byteRows
      let total = old.all(count).count + bytes.count - old[row].count
      return (total <= Int(UInt16.max)) == old.isNarrow
    case (.word, _), (.date, _), (.bytes, _): return false
    }
  }

  private static func fits(_ number: Int, _ width: Int) -> Bool {
    switch width {
    case 0: number == 0
    case 1: Int(Int8(truncatingIfNeeded: number)) == number
    case 2: Int(Int16(truncatingIfNeeded: number)) == number
    case 4: Int(Int32(truncatingIfNeeded: number)) == number
    case 8: true
    default: false
    }
  }
}

extension SIMD4 where Scalar == UInt64 {
  /// The number of bits that are set in all words together.
  fileprivate var nonzeroBitCountOfAll: Int {
    self[0].nonzeroBitCount + self[1].nonzeroBitCount + self[2].nonzeroBitCount
      + self[3].nonzeroBitCount
  }
}
