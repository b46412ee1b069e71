import HeraldModel
package import HeraldStorage

extension FlatBlock {
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
}
