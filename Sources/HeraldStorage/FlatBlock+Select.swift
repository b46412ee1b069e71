internal import Glibc

extension FlatBlock {
  /// The rows of a column's block, among `within`, for which the test holds.
  func select(
    _ test: ColumnTest, within: SIMD4<UInt64>, large: (Int) -> UnsafeRawBufferPointer?
  ) -> SIMD4<UInt64> {
    let nils = nils
    switch test {
    case .isNull(let answer): return within & (answer ? nils : ~nils)
    case .integers(let lower, let upper, let inverted, let null):
      let inside = lower > upper ? .zero : integers(from: lower, to: upper)
      return Self.answer(inside, nils, inverted: inverted, null: null) & within
    case .integerSet(let set, let inverted, let null):
      let values = values
      let width = width
      let inside = Self.rows(of: within & ~nils) { set.contains(Self.integer(values, width, $0)) }
      return Self.answer(inside, nils, inverted: inverted, null: null) & within
    case .doubles(let lower, let upper, let openLower, let openUpper, let inverted, let null):
      let inside = numbers(
        from: openLower ? lower.nextUp : lower, to: openUpper ? upper.nextDown : upper,
        isEmpty: openLower && lower == .infinity || openUpper && upper == -.infinity)
      return Self.answer(inside, nils, inverted: inverted, null: null) & within
    case .dates(let lower, let upper, let inverted, let null):
      let inside = Self.rows(of: within & ~nils) { row in
        let date = date(row)
        return (date.seconds, date.nanoseconds) >= lower
          && (date.seconds, date.nanoseconds) <= upper
      }
      return Self.answer(inside, nils, inverted: inverted, null: null) & within
    case .bytesEqual(let wanted, let inverted, let null):
      let inside = wanted.withUnsafeBytes { wanted in
        byteRows(within & ~nils, large) { bytes in
          guard bytes.count == wanted.count else { return false }
          guard let first = bytes.baseAddress, let second = wanted.baseAddress else { return true }
          return memcmp(first, second, bytes.count) == 0
        }
      }
      return Self.answer(inside, nils, inverted: inverted, null: null) & within
    case .bytes(let null, let holds):
      let inside = byteRows(within & ~nils, large, where: holds)
      return Self.answer(inside, nils, inverted: false, null: null) & within
    }
  }

  /// The rows among `candidates` for whose bytes `holds` says yes.
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

  /// What a test answers in a block that is not there: every value is nil.
  static func selectAllNull(_ test: ColumnTest, within: SIMD4<UInt64>) -> SIMD4<UInt64> {
    switch test {
    case .isNull(let null), .integers(_, _, _, let null), .integerSet(_, _, let null),
      .doubles(_, _, _, _, _, let null), .dates(_, _, _, let null), .bytesEqual(_, _, let null),
      .bytes(let null, _):
      null ? within : .zero
    }
  }

  private static func answer(
    _ inside: SIMD4<UInt64>, _ nils: SIMD4<UInt64>, inverted: Bool, null: Bool
  ) -> SIMD4<UInt64> {
    let known = (inverted ? ~inside : inside) & ~nils
    return null ? known | nils : known
  }

  /// The rows among `candidates` for which `holds` says yes, asked one by one.
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

  /// The bits of 256 answers, each 0 or 1: answered into bytes, in a loop that vectorises, which a
  /// multiplication then gathers eight at a time.
  @inline(__always)
  private static func mask(_ answer: (Int) -> UInt8) -> SIMD4<UInt64> {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { answers in
      for row in 0..<256 { answers[row] = answer(row) }
      let bytes = UnsafeRawPointer(answers.baseAddress.unsafelyUnwrapped)
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
