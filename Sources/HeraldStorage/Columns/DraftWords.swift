/// The words of a draft without a reference to it: the loops that fill a store use them, so that
/// setting a value costs no reference counting. Valid as long as their draft.
///
///     words := count values, nil bitmap, bitmap of large values, change word
///
/// The change word is 0 for an unchanged draft; a change sets both of its bits, and encoding the
/// draft for reading clears the second.
struct DraftWords {
  let values: UnsafeMutablePointer<Int>
  private let count: Int

  private static let changed = 1
  private static let unencoded = 2

  static func allocate(count: Int) -> DraftWords {
    let bitmap = FlatBlock.bitmapSize(count) / 8
    let values = UnsafeMutablePointer<Int>.allocate(capacity: count + 2 * bitmap + 1)
    values.initialize(repeating: 0, count: count + 2 * bitmap + 1)
    (values + count).update(repeating: -1, count: bitmap)
    return DraftWords(values: values, count: count)
  }

  func free() { values.deallocate() }

  @inline(__always) var nils: UnsafeMutablePointer<Int> { values + count }
  @inline(__always) var large: UnsafeMutablePointer<Int> { nils + (count &+ 63) / 64 }
  @inline(__always) private var change: UnsafeMutablePointer<Int> { large + (count &+ 63) / 64 }

  @inline(__always) func isNull(_ row: Int) -> Bool { nils[row >> 6] >> (row & 63) & 1 != 0 }
  @inline(__always) func isLarge(_ row: Int) -> Bool { large[row >> 6] >> (row & 63) & 1 != 0 }

  /// Sets one word; nil clears the row.
  @inline(__always) func set(_ row: Int, _ word: Int?) {
    let bit = 1 << (row & 63)
    if let word {
      values[row] = word
      nils[row >> 6] &= ~bit
    } else {
      values[row] = 0
      nils[row >> 6] |= bit
    }
    change.pointee = Self.changed | Self.unencoded
  }

  /// Copies a stored nil bitmap; without one, no value is nil.
  func setNils(_ bitmap: UnsafeRawPointer?) {
    let size = FlatBlock.bitmapSize(count)
    if let bitmap {
      UnsafeMutableRawPointer(nils).copyMemory(from: bitmap, byteCount: size)
    } else {
      nils.update(repeating: 0, count: size / 8)
      // The bits after the last value are set, so that if all are nil, all bits are set.
      if count & 63 != 0 { nils[count >> 6] = -1 << (count & 63) }
    }
  }

  func setLarge(_ row: Int, _ isLarge: Bool) {
    let bit = 1 << (row & 63)
    if isLarge { large[row >> 6] |= bit } else { large[row >> 6] &= ~bit }
  }

  var hasNils: Bool { anyBit(nils) }
  var hasLarge: Bool { anyBit(large) }

  /// Returns whether a bitmap has any of the values' bits set.
  private func anyBit(_ words: UnsafeMutablePointer<Int>) -> Bool {
    for index in 0..<count >> 6 where words[index] != 0 { return true }
    return count & 63 != 0 && words[count >> 6] & ((1 << (count & 63)) &- 1) != 0
  }

  /// Whether the draft differs from the stored block.
  var isChanged: Bool { change.pointee & Self.changed != 0 }
  /// Whether the draft changed since it was encoded.
  var isUnencoded: Bool { change.pointee & Self.unencoded != 0 }

  func noteChanged() { change.pointee = Self.changed | Self.unencoded }
  func noteEncoded() { change.pointee &= ~Self.unencoded }
  func noteUnchanged() { change.pointee = 0 }
}
