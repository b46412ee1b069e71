extension Decimal128 {
  /// Bytes whose order is that of the numbers, the same for equal numbers: for the keys of indexes.
  ///
  ///     bytes    := 0                                           NaN
  ///               | 1                                           negative infinity
  ///               | 2 the bytes of the opposite number, each turned     negative
  ///               | 3                                           zero, of either sign
  ///               | 4 exponent:u16 coefficient:u128             positive
  ///               | 5                                           infinity
  ///
  /// Numbers are big-endian; the coefficient has all of its 34 digits, and the exponent is that of
  /// the last of them, so moved that none is negative.
  package var orderedBytes: [UInt8] {
    if isNaN { return [0] }
    if isInfinite { return [isNegative ? 1 : 5] }
    if isZero { return [3] }
    var parts = parts
    while parts.coefficient <= Decimal128.greatestCoefficient / 10 {
      parts.coefficient *= 10
      parts.exponent -= 1
    }
    var bytes: [UInt8] = []
    let exponent = UInt16(parts.exponent + Self.orderedBias)
    withUnsafeBytes(of: exponent.bigEndian) { bytes += $0 }
    withUnsafeBytes(of: parts.coefficient.bigEndian) { bytes += $0 }
    return isNegative ? [2] + bytes.map { ~$0 } : [4] + bytes
  }

  /// The least exponent, with as many digits more as a coefficient has.
  private static let orderedBias = 6176 + digitLimit
}
