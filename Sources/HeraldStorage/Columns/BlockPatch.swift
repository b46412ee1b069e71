/// A stored block in which one value is replaced by another that fits where it lies.
///
/// Most small transactions change one value of a block: its stored form is copied and changed there,
/// rather than every value of it widened, looked at again and narrowed. A second change of the same
/// block makes a draft of it.
struct BlockPatch {
  let key: PendingChanges.BlockKey
  /// The whole block as it will be stored.
  let flat: FlatBlock

  /// More in one transaction are drafts from the first change on, to keep them quickly found.
  static let limit = 16

  /// nil where the value needs another width than the block has, where it or what it replaces is nil,
  /// and where what is left of the zone can only be told by a look at every value.
  init?(_ stored: FlatBlock, _ key: PendingChanges.BlockKey, row: Int, word: Int) {
    guard !stored.isNull(row), let kind = stored.kind, stored.fits(word, kind),
      let zone = stored.zone(replacing: row, by: word, kind)
    else { return nil }
    let copy = UnsafeMutableRawPointer.allocate(byteCount: stored.length, alignment: 8)
    copy.copyMemory(from: stored.base, byteCount: stored.length)
    copy.storeBytes(of: zone.least, toByteOffset: 8, as: Int.self)
    copy.storeBytes(of: zone.greatest, toByteOffset: 16, as: Int.self)
    let values = copy + (stored.values - stored.base)
    switch stored.width {
    case 1: values.storeBytes(of: Int8(truncatingIfNeeded: word), toByteOffset: row, as: Int8.self)
    case 2:
      values.storeBytes(of: Int16(truncatingIfNeeded: word), toByteOffset: row * 2, as: Int16.self)
    case 4:
      values.storeBytes(of: Int32(truncatingIfNeeded: word), toByteOffset: row * 4, as: Int32.self)
    default: values.storeBytes(of: word, toByteOffset: row * 8, as: Int.self)
    }
    self.key = key
    flat = FlatBlock(base: UnsafeRawPointer(copy), length: stored.length)
  }

  func free() { flat.base.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: flat.base, count: flat.length) }
}

extension FlatBlock {
  /// Whether a word, as drafts have it, fits the width of the values.
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

  /// The zone's words with one value replaced; nil where they depend on the other values.
  fileprivate func zone(
    replacing row: Int, by word: Int, _ kind: ColumnKind
  ) -> (least: Int, greatest: Int)? {
    switch kind {
    case .integers:
      return Self.zone(of: (leastWord, greatestWord), replacing: integer(row), by: word)
    case .doubles, .floats:
      let isDouble = kind == .doubles
      let new =
        isDouble
        ? Double(bitPattern: UInt64(UInt(bitPattern: word)))
        : Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
      let bounds = (
        Double(bitPattern: UInt64(UInt(bitPattern: leastWord))),
        Double(bitPattern: UInt64(UInt(bitPattern: greatestWord)))
      )
      let old = isDouble ? double(row) : Double(float(row))
      // No comparison with what is no number is true, so a zone of them is never told here.
      guard !new.isNaN, let zone = Self.zone(of: bounds, replacing: old, by: new)
      else { return nil }
      return (
        Int(bitPattern: UInt(zone.least.bitPattern)),
        Int(bitPattern: UInt(zone.greatest.bitPattern))
      )
    case .dates, .bytes: return nil
    }
  }

  /// A bound stays what it is while a value on its inner side goes, and moves with one that goes
  /// further out; whether another value lies on it is not known.
  private static func zone<Number: Comparable>(
    of bounds: (least: Number, greatest: Number), replacing old: Number, by new: Number
  ) -> (least: Number, greatest: Number)? {
    guard bounds.least < bounds.greatest, old > bounds.least || new <= bounds.least,
      old < bounds.greatest || new >= bounds.greatest
    else { return nil }
    return (min(bounds.least, new), max(bounds.greatest, new))
  }
}
