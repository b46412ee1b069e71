/// A stored block in which one value is replaced by another that fits its width.
///
/// Most small transactions change one value of a block: its stored form is copied into the new record and
/// changed there, instead of widening, scanning and narrowing every value. A second change of the same
/// block creates a draft.
struct BlockPatch {
  let key: WriteBuffer.BlockKey
  /// The block before the change: a page of the version that the transaction began at, which LMDB keeps until
  /// the transaction ends, or `copy`.
  private let stored: FlatBlock
  private let row: Int
  private let word: Int
  private let zone: (smallest: Int, largest: Int)
  /// The whole block as it will be stored, once it was read or needed.
  private var copy: UnsafeMutableRawPointer?

  /// Further changed blocks of a transaction get a draft at once, to keep the linear search short.
  static let limit = 16

  /// Returns nil if the value needs another width than the block's, if it or the one it replaces is
  /// nil, and if the new zone depends on the other values. `isLasting`: whether the stored block stays as it is
  /// until the transaction ends.
  init?(
    _ stored: FlatBlock, _ key: WriteBuffer.BlockKey, row: Int, word: Int, isLasting: Bool
  ) {
    guard !stored.isNull(row), let kind = stored.kind, stored.fits(word, kind),
      let zone = stored.zone(replacing: row, by: word, kind)
    else { return nil }
    self.key = key
    self.stored = stored
    self.row = row
    self.word = word
    self.zone = zone
    if !isLasting { _ = flat }
  }

  /// The size of the block in bytes.
  var size: Int { stored.length }

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
    target.copyMemory(from: stored.base, byteCount: size)
    target.storeBytes(of: zone.smallest, toByteOffset: 8, as: Int.self)
    target.storeBytes(of: zone.largest, toByteOffset: 16, as: Int.self)
    let values = target + (stored.values - stored.base)
    switch stored.width {
    case 1: values.storeBytes(of: Int8(truncatingIfNeeded: word), toByteOffset: row, as: Int8.self)
    case 2:
      values.storeBytes(of: Int16(truncatingIfNeeded: word), toByteOffset: row * 2, as: Int16.self)
    case 4:
      values.storeBytes(of: Int32(truncatingIfNeeded: word), toByteOffset: row * 4, as: Int32.self)
    default: values.storeBytes(of: word, toByteOffset: row * 8, as: Int.self)
    }
  }

  func free() { copy?.deallocate() }
}

extension FlatBlock {
  /// Returns whether a word, as drafts store it, fits the width of the values.
  fileprivate func fits(_ word: Int, _ kind: ColumnKind) -> Bool {
    switch kind {
    case .integers:
      switch width {
      case 1: Int(Int8(truncatingIfNeeded: word)) == word
      case 2: Int(Int16(truncatingIfNeeded: word)) == word
      case 4: Int(Int32(truncatingIfNeeded: word)) == word
      case 8: true
      default: false
      }
    case .doubles, .floats: width != 0
    case .dates, .bytes: false
    }
  }

  /// Returns the zone's words with one value replaced; nil if they depend on the other values.
  fileprivate func zone(
    replacing row: Int, by word: Int, _ kind: ColumnKind
  ) -> (smallest: Int, largest: Int)? {
    switch kind {
    case .integers:
      return Self.zone(of: (smallestWord, largestWord), replacing: integer(row), by: word)
    case .doubles, .floats:
      let isDouble = kind == .doubles
      let new =
        isDouble
        ? Double(bitPattern: UInt64(UInt(bitPattern: word)))
        : Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
      let bounds = (
        Double(bitPattern: UInt64(UInt(bitPattern: smallestWord))),
        Double(bitPattern: UInt64(UInt(bitPattern: largestWord)))
      )
      let old = isDouble ? double(row) : Double(float(row))
      // Every comparison with NaN is false, so a zone of NaNs always returns nil here.
      guard !new.isNaN, let zone = Self.zone(of: bounds, replacing: old, by: new)
      else { return nil }
      return (
        Int(bitPattern: UInt(zone.smallest.bitPattern)),
        Int(bitPattern: UInt(zone.largest.bitPattern))
      )
    case .dates, .bytes: return nil
    }
  }

  /// A bound is kept when a value within the bounds is replaced, and extended by a value outside
  /// them. If the replaced value is itself a bound, another one may equal it, which is unknown here.
  private static func zone<Number: Comparable>(
    of bounds: (smallest: Number, largest: Number), replacing old: Number, by new: Number
  ) -> (smallest: Number, largest: Number)? {
    guard bounds.smallest < bounds.largest, old > bounds.smallest || new <= bounds.smallest,
      old < bounds.largest || new >= bounds.largest
    else { return nil }
    return (min(bounds.smallest, new), max(bounds.largest, new))
  }
}
