import HeraldModel

extension FlatBlock {
  /// The kind of the values, nil if the block is malformed.
  package var kind: ColumnKind? { ColumnKind(rawValue: kindByte) }

  /// Whether the header matches the length, which must hold before anything else is read. O(1).
  package var isReadable: Bool {
    guard length >= Self.headerSize, base.load(as: UInt8.self) == Self.format else { return false }
    let bitmaps = (flags & Self.hasNils == 0 ? 0 : 1) + (flags & Self.hasLarge == 0 ? 0 : 1)
    let room = length - Self.headerSize - bitmaps * Self.bitmapSize(count)
    guard room >= 0, flags <= Self.hasNils | Self.hasLarge else { return false }
    switch kind {
    case nil: return false
    case .integers: return Self.isInteger(width) && room == count * width
    case .doubles: return (width == 0 || width == 8) && room == count * width
    case .floats: return (width == 0 || width == 4) && room == count * width
    case .dates:
      return Self.isInteger(width) && Self.isInteger(secondWidth)
        && room == count * (width + secondWidth)
    case .bytes:
      guard width == 2 || width == 4, room >= (count + 1) * width else { return false }
      return offset(count) == room - (count + 1) * width
    }
  }

  /// Returns all inconsistencies of the block, empty if there are none. Reads every value.
  package func inconsistencies(count expected: Int?) -> [String] {
    guard isReadable else { return ["header and length disagree"] }
    var found: [String] = []
    if let expected, expected != count { found.append("counts \(count), not \(expected)") }
    if flags & Self.hasLarge != 0 && kind != .bytes {
      found.append("large values in a column that does not hold bytes")
    }
    if kind == .bytes {
      for row in 0..<count where offset(row) > offset(row + 1) {
        found.append("offsets descend at row \(row)")
      }
    }
    guard found.isEmpty else { return found }
    for row in 0..<count where isNull(row) && !isZero(row) {
      found.append("nil row \(row) has a value")
    }
    for row in 0..<count where !isNull(row) && !isInZone(row) {
      found.append("row \(row) is outside of the zone")
    }
    return found
  }

  private func isInZone(_ row: Int) -> Bool {
    switch kind {
    case .integers: return smallestWord <= integer(row) && integer(row) <= largestWord
    case .dates: return smallestWord <= date(row).seconds && date(row).seconds <= largestWord
    case .doubles, .floats:
      let value = kind == .doubles ? double(row) : Double(float(row))
      let smallest = Double(bitPattern: UInt64(UInt(bitPattern: smallestWord)))
      let largest = Double(bitPattern: UInt64(UInt(bitPattern: largestWord)))
      return smallest.isNaN && largest.isNaN || smallest <= value && value <= largest
    case .bytes:
      let (smallest, largest) = (
        UInt64(UInt(bitPattern: smallestWord)), UInt64(UInt(bitPattern: largestWord))
      )
      if isLarge(row) { return smallest == .min && largest == .max }
      let rank = BlockZone.rank(bytes(row))
      return smallest <= rank && rank <= largest
    case nil: return false
    }
  }

  private func offset(_ row: Int) -> Int {
    width == 2
      ? Int(values.loadUnaligned(fromByteOffset: row * 2, as: UInt16.self))
      : Int(values.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
  }

  private func isZero(_ row: Int) -> Bool {
    switch kind {
    case .integers: integer(row) == 0
    case .doubles: double(row).bitPattern == 0
    case .floats: float(row).bitPattern == 0
    case .dates: date(row) == Timestamp(seconds: 0)
    case .bytes: bytes(row).isEmpty && !isLarge(row)
    case nil: false
    }
  }

  private static func isInteger(_ width: Int) -> Bool {
    width == 0 || width == 1 || width == 2 || width == 4 || width == 8
  }
}
