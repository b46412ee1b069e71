internal import Glibc
import HeraldModel

extension FlatBlock {
  /// Returns the rows of a column's block, among `within`, that match the test.
  func select(
    _ test: ColumnTest, within: SIMD4<UInt64>, large: (Int) -> UnsafeRawBufferPointer?
  ) -> SIMD4<UInt64> {
    let nils = nils
    if case .isNull(let matchesNil) = test { return within & (matchesNil ? nils : ~nils) }
    let inside =
      switch verdict(test) {
      case true: SIMD4<UInt64>(repeating: .max)
      case false: SIMD4<UInt64>.zero
      case nil: inside(test, among: within & ~nils, large)
      }
    let known = (test.isInverted ? ~inside : inside) & ~nils
    return (test.acceptsNull ? known | nils : known) & within
  }

  /// Returns the rows whose values are inside, at least among `candidates`, none of which is nil.
  private func inside(
    _ test: ColumnTest, among candidates: SIMD4<UInt64>, _ large: (Int) -> UnsafeRawBufferPointer?
  ) -> SIMD4<UInt64> {
    switch test {
    case .isNull: return .zero
    case .integers(let lower, let upper, _, _): return integers(from: lower, to: upper)
    case .integerSet(let set, _, _):
      let values = values
      let width = width
      return Self.rows(of: candidates) { set.contains(Self.integer(values, width, $0)) }
    case .numbers(let masks, _):
      let values = values
      let width = width
      return Self.rows(of: candidates) { row in
        let number = Self.integer(values, width, row)
        return number >> 8 < masks.count
          && masks[number >> 8][number >> 6 & 3] >> UInt64(number & 63) & 1 != 0
      }
    case .doubles(let lower, let upper, let openLower, let openUpper, _, _):
      return numbers(
        from: openLower ? lower.nextUp : lower, to: openUpper ? upper.nextDown : upper,
        isEmpty: openLower && lower == .infinity || openUpper && upper == -.infinity)
    case .dates(let first, let last, _, _):
      let lower = (first.seconds, first.nanoseconds)
      let upper = (last.seconds, last.nanoseconds)
      return Self.rows(of: candidates) { row in
        let date = date(row)
        return (date.seconds, date.nanoseconds) >= lower
          && (date.seconds, date.nanoseconds) <= upper
      }
    case .bytesEqual(let wanted, _, _):
      return rows(matching: wanted, asWhole: true, candidates, large)
    case .bytesPrefix(let prefix):
      return rows(matching: prefix, asWhole: false, candidates, large)
    case .bytesRange(let lower, let upper, let openLower, let openUpper):
      return byteRows(candidates, large) { bytes in
        if let lower {
          let order = bytes.order(to: lower)
          if order < 0 || openLower && order == 0 { return false }
        }
        guard let upper else { return true }
        let order = bytes.order(to: upper)
        return order < 0 || !openUpper && order == 0
      }
    case .bytesSet(let sorted, _):
      return byteRows(candidates, large) { sorted.containsInOrder($0) }
    case .bytes(_, let holds): return byteRows(candidates, large, where: holds)
    }
  }

  private func rows(
    matching wanted: [UInt8], asWhole isWhole: Bool, _ candidates: SIMD4<UInt64>,
    _ large: (Int) -> UnsafeRawBufferPointer?
  ) -> SIMD4<UInt64> {
    wanted.withUnsafeBytes { wanted in
      // Comparing all rows costs more if there are few candidates; skipped rows cost nothing otherwise.
      let isDense = candidates.isDense && count == 256
      if isDense && flags & Self.hasLarge == 0 {
        return byteRows.matching(wanted, asWhole: isWhole)
      }
      return byteRows(candidates, large) { bytes in
        (isWhole ? bytes.count == wanted.count : bytes.count >= wanted.count)
          && bytes.equals(wanted, from: 0)
      }
    }
  }

  /// Returns the rows among `candidates` whose bytes satisfy `holds`.
  @inline(__always)
  private func byteRows(
    _ candidates: SIMD4<UInt64>, _ large: (Int) -> UnsafeRawBufferPointer?,
    where holds: (UnsafeRawBufferPointer) -> Bool
  ) -> SIMD4<UInt64> {
    let rows = byteRows
    if flags & Self.hasLarge == 0 { return Self.rows(of: candidates) { holds(rows[$0]) } }
    return Self.rows(of: candidates) { row in
      holds(isLarge(row) ? large(row) ?? rows[row] : rows[row])
    }
  }

  /// Returns the result of a test for a block that does not exist: every value is nil.
  static func selectAllNull(_ test: ColumnTest, within: SIMD4<UInt64>) -> SIMD4<UInt64> {
    test.acceptsNull ? within : .zero
  }

  /// Returns the rows among `candidates` that satisfy `holds`, one by one.
  @inline(__always)
  private static func rows(
    of candidates: SIMD4<UInt64>, where holds: (Int) -> Bool
  ) -> SIMD4<UInt64> {
    var result = SIMD4<UInt64>.zero
    for index in 0..<4 {
      var left = candidates[index]
      var found: UInt64 = 0
      while left != 0 {
        let bit = left.trailingZeroBitCount
        if holds(index &* 64 &+ bit) { found |= 1 << UInt64(bit) }
        left &= left &- 1
      }
      result[index] = found
    }
    return result
  }
}

extension FlatBlock {
  private func integers(from lower: Int, to upper: Int) -> SIMD4<UInt64> {
    switch width {
    case 1: integers(from: lower, to: upper, as: Int8.self)
    case 2: integers(from: lower, to: upper, as: Int16.self)
    case 4: integers(from: lower, to: upper, as: Int32.self)
    case 8: integers(from: lower, to: upper, as: Int64.self)
    default: lower <= 0 && upper >= 0 ? SIMD4(repeating: .max) : .zero
    }
  }

  @inline(__always)
  private func integers<Stored: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
    from lower: Int, to upper: Int, as: Stored.Type
  ) -> SIMD4<UInt64> where Stored.Magnitude: BitwiseCopyable {
    guard lower <= Int(Stored.max), upper >= Int(Stored.min) else { return .zero }
    let low = Stored(clamping: lower)
    let high = Stored(clamping: upper)
    let values = values
    return Self.mask { row in
      let value = values.loadUnaligned(
        fromByteOffset: row &* MemoryLayout<Stored>.size, as: Stored.self)
      return (value >= low ? 1 : 0) & (value <= high ? 1 : 0)
    }
  }

  private func numbers(from lower: Double, to upper: Double, isEmpty: Bool) -> SIMD4<UInt64> {
    guard !isEmpty else { return .zero }
    let values = values
    if width == 0 { return lower <= 0 && upper >= 0 ? SIMD4(repeating: .max) : .zero }
    if width == 4 {
      return Self.mask { row in
        let value = Double(values.loadUnaligned(fromByteOffset: row &* 4, as: Float.self))
        return (value >= lower ? 1 : 0) & (value <= upper ? 1 : 0)
      }
    }
    return Self.mask { row in
      let value = values.loadUnaligned(fromByteOffset: row &* 8, as: Double.self)
      return (value >= lower ? 1 : 0) & (value <= upper ? 1 : 0)
    }
  }

  /// Returns the bits of 256 results, each 0 or 1: written to bytes in a loop that vectorises, then
  /// gathered eight at a time by a multiplication.
  @inline(__always)
  private static func mask(_ test: (Int) -> UInt8) -> SIMD4<UInt64> {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { results in
      for row in 0..<256 { results[row] = test(row) }
      let bytes = UnsafeRawPointer(results.baseAddress.unsafelyUnwrapped)
      var result = SIMD4<UInt64>.zero
      for index in 0..<4 {
        var word: UInt64 = 0
        for group in 0..<8 {
          let eight = bytes.load(fromByteOffset: index &* 64 &+ group &* 8, as: UInt64.self)
          word |= ((eight &* 0x0102_0408_1020_4080) >> 56) << UInt64(group &* 8)
        }
        result[index] = word
      }
      return result
    }
  }
}

extension SIMD4 where Scalar == UInt64 {
  /// Whether more than a quarter of the bits are set.
  fileprivate var isDense: Bool {
    self[0].nonzeroBitCount + self[1].nonzeroBitCount + self[2].nonzeroBitCount
      + self[3].nonzeroBitCount > 64
  }
}
