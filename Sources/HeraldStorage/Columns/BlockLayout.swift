/// The layout of a draft's stored form: the widths it needs, and so its size.
package struct BlockLayout {
  private(set) var width = 0
  private(set) var secondWidth = 0
  private(set) var flags: UInt8 = 0
  private let zone: BlockZone
  /// The size of the stored form, in bytes.
  package let size: Int

  /// Reads every value once; a few hundred nanoseconds for a column's block.
  package init(_ draft: BlockDraft) {
    let count = draft.count
    let bitmap = FlatBlock.bitmapSize(count)
    zone = BlockZone(draft)
    var bitmaps = 0
    if draft.words.hasNils {
      flags |= FlatBlock.hasNils
      bitmaps += bitmap
    }
    if draft.kind == .bytes && draft.words.hasLarge {
      flags |= FlatBlock.hasLarge
      bitmaps += bitmap
    }
    var values = 0
    switch draft.kind {
    case .integers:
      width = Self.integerWidth(UnsafeBufferPointer(start: draft.words.values, count: count))
      values = count * width
    case .doubles, .floats:
      let isZero = !Self.anyBit(words: UnsafeBufferPointer(start: draft.words.values, count: count))
      width = isZero ? 0 : draft.kind == .doubles ? 8 : 4
      values = count * width
    case .dates:
      width = Self.integerWidth(UnsafeBufferPointer(start: draft.words.values, count: count))
      secondWidth = draft.withNanoseconds(Self.integerWidth)
      values = count * (width + secondWidth)
    case .bytes:
      let total = draft.arena.liveCount
      width = total <= Int(UInt16.max) ? 2 : 4
      values = (count + 1) * width + total
    }
    size = FlatBlock.headerSize + bitmaps + values
  }

  private static func anyBit(words: UnsafeBufferPointer<Int>) -> Bool {
    for word in words where word != 0 { return true }
    return false
  }

  /// Returns the smallest width, in bytes, that holds every number; 0 if all are zero.
  private static func integerWidth<Number: FixedWidthInteger & SignedInteger>(
    _ numbers: UnsafeBufferPointer<Number>
  ) -> Int {
    // A negative number needs as many bits as its complement, so one OR over all finds the widest.
    var bits: Number = 0
    var any: Number = 0
    for number in numbers {
      bits |= number ^ (number >> (Number.bitWidth - 1))
      any |= number
    }
    if any == 0 { return 0 }
    let used = Number.bitWidth - bits.leadingZeroBitCount + 1
    return used <= 8 ? 1 : used <= 16 ? 2 : used <= 32 ? 4 : 8
  }
}

extension BlockLayout {
  /// Writes the stored form of the layout's draft; `target` has `size` bytes.
  package func encode(_ draft: BlockDraft, into target: UnsafeMutableRawBufferPointer) {
    guard let base = target.baseAddress else { return }
    let count = draft.count
    base.storeBytes(of: FlatBlock.format, as: UInt8.self)
    base.storeBytes(of: draft.kind.rawValue, toByteOffset: 1, as: UInt8.self)
    base.storeBytes(of: UInt8(width), toByteOffset: 2, as: UInt8.self)
    base.storeBytes(of: UInt8(secondWidth), toByteOffset: 3, as: UInt8.self)
    base.storeBytes(of: UInt16(flags), toByteOffset: 4, as: UInt16.self)
    base.storeBytes(of: UInt16(count), toByteOffset: 6, as: UInt16.self)
    base.storeBytes(of: zone.smallest, toByteOffset: 8, as: Int.self)
    base.storeBytes(of: zone.largest, toByteOffset: 16, as: Int.self)
    var next = base + FlatBlock.headerSize
    let bitmap = FlatBlock.bitmapSize(count)
    if flags & FlatBlock.hasNils != 0 {
      next.copyMemory(from: draft.words.nils, byteCount: bitmap)
      next += bitmap
    }
    if flags & FlatBlock.hasLarge != 0 {
      next.copyMemory(from: draft.words.large, byteCount: bitmap)
      next += bitmap
    }
    let words = UnsafeBufferPointer(start: draft.words.values, count: count)
    switch draft.kind {
    case .integers: Self.put(words, at: next, width: width)
    case .doubles: Self.put(words, at: next, width: width)
    case .floats: Self.put(words, at: next, width: width)
    case .dates:
      Self.put(words, at: next, width: width)
      draft.withNanoseconds { Self.put($0, at: next + count * width, width: secondWidth) }
    case .bytes: putBytes(draft, at: next)
    }
  }

  private static func put<Number: FixedWidthInteger>(
    _ numbers: UnsafeBufferPointer<Number>, at target: UnsafeMutableRawPointer, width: Int
  ) {
    switch width {
    case 1: put(numbers, at: target, as: Int8.self)
    case 2: put(numbers, at: target, as: Int16.self)
    case 4: put(numbers, at: target, as: Int32.self)
    case 8: put(numbers, at: target, as: Int64.self)
    default: break
    }
  }

  @inline(__always)
  private static func put<Number: FixedWidthInteger, Stored: FixedWidthInteger & BitwiseCopyable>(
    _ numbers: UnsafeBufferPointer<Number>, at target: UnsafeMutableRawPointer, as: Stored.Type
  ) {
    for (row, number) in numbers.enumerated() {
      target.storeBytes(
        of: Stored(truncatingIfNeeded: number), toByteOffset: row &* MemoryLayout<Stored>.size,
        as: Stored.self)
    }
  }

  private func putBytes(_ draft: BlockDraft, at target: UnsafeMutableRawPointer) {
    let content = target + (draft.count + 1) * width
    var end = 0
    for row in 0...draft.count {
      if width == 2 {
        target.storeBytes(of: UInt16(end), toByteOffset: row * 2, as: UInt16.self)
      } else {
        target.storeBytes(of: UInt32(end), toByteOffset: row * 4, as: UInt32.self)
      }
      guard row < draft.count else { return }
      let bytes = draft.bytes(row)
      if !bytes.isEmpty, let source = bytes.baseAddress {
        (content + end).copyMemory(from: source, byteCount: bytes.count)
      }
      end += bytes.count
    }
  }
}
