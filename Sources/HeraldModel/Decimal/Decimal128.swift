/// A decimal floating-point number of IEEE 754-2008's format decimal128: 34 significant digits,
/// exponents from -6143 to 6144, infinities and one NaN.
///
/// A number keeps the exponent it was written with (`1.00` is not printed as `1.0`), but numbers
/// of the same value are equal and have the same hash. NaN equals itself and sorts first.
///
///     let price = Decimal128("19.90")!
///     price * Decimal128(3)  // 59.70
///
/// A value takes 16 bytes and no heap. Its layout is the standard's binary integer encoding, in
/// canonical forms only:
///
///     sign (1)  exponent + 6176 (14)  coefficient (113), below 10^34
///     sign (1)  11110 and 122 zeros   an infinity
///     0         11111 and 122 zeros   NaN
public struct Decimal128: Sendable {
  let high: UInt64
  let low: UInt64

  /// The 128 bits of the standard's layout, the high half first: for storage.
  public var bits: (high: UInt64, low: UInt64) { (high, low) }

  /// Makes the number with these bits. A form that is not canonical is read as the standard defines
  /// and stored in canonical form: a payload of NaN is dropped, a coefficient above 10^34 - 1 is 0.
  public init(bits: (high: UInt64, low: UInt64)) {
    let sign = bits.high & Self.signMask
    switch bits.high & Self.nanMask {
    case Self.nanMask:
      (high, low) = (Self.nanMask, 0)
    case Self.infinityMask:
      (high, low) = (sign | Self.infinityMask, 0)
    default:
      // The long form encodes coefficients of 2^113 and more, which are all out of range.
      let isLong = bits.high & Self.longMask == Self.longMask
      let shift = UInt64(isLong ? Self.exponentShift - 2 : Self.exponentShift)
      let exponent = bits.high >> shift & 0x3FFF
      let coefficient = UInt128(bits.high & Self.coefficientMask) << 64 | UInt128(bits.low)
      let isReadable = !isLong && coefficient <= Self.largestCoefficient
      high =
        sign | exponent << UInt64(Self.exponentShift)
        | (isReadable ? bits.high & Self.coefficientMask : 0)
      low = isReadable ? bits.low : 0
    }
  }

  /// Makes the finite number with these parts, which must be in range.
  init(_ parts: DecimalParts) {
    assert(parts.violations.isEmpty, "\(parts.violations)")
    high =
      (parts.isNegative ? Self.signMask : 0)
      | UInt64(parts.exponent + Self.exponentBias) << UInt64(Self.exponentShift)
      | UInt64(truncatingIfNeeded: parts.coefficient >> 64)
    low = UInt64(truncatingIfNeeded: parts.coefficient)
  }
}

/// The sign, the digits and the power of ten of a finite number.
struct DecimalParts {
  var isNegative: Bool
  var coefficient: UInt128
  var exponent: Int
}

extension Decimal128 {
  static let signMask: UInt64 = 1 << 63
  static let nanMask: UInt64 = 0x7C << 56
  static let infinityMask: UInt64 = 0x78 << 56
  private static let longMask: UInt64 = 0x60 << 56
  private static let coefficientMask: UInt64 = 1 << 49 - 1
  private static let exponentShift = 49
  private static let exponentBias = 6176

  /// The significant digits of the format.
  static let digitLimit = 34
  static let largestCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
  /// The range of exponents of the last digit.
  static let exponents = -6176...6111

  /// 0.
  public static let zero = Decimal128(bits: (0x3040 << 48, 0))
  /// NaN.
  public static let nan = Decimal128(bits: (nanMask, 0))
  /// Positive infinity.
  public static let infinity = Decimal128(bits: (infinityMask, 0))

  static func infinity(isNegative: Bool) -> Decimal128 {
    isNegative ? -infinity : infinity
  }

  /// Whether it is NaN.
  public var isNaN: Bool { high & Self.nanMask == Self.nanMask }
  /// Whether it is positive or negative infinity.
  public var isInfinite: Bool { high & Self.nanMask == Self.infinityMask }
  /// Whether it is a number.
  public var isFinite: Bool { high & Self.infinityMask != Self.infinityMask }
  /// Whether it is 0, of either sign.
  public var isZero: Bool { isFinite && low == 0 && high & Self.coefficientMask == 0 }

  /// Whether the number carries a minus sign, as -0 and the negative infinity do.
  public var isNegative: Bool { high & Self.signMask != 0 }

  /// The parts of a finite number; meaningless for others.
  var parts: DecimalParts {
    assert(isFinite)
    return DecimalParts(
      isNegative: isNegative,
      coefficient: UInt128(high & Self.coefficientMask) << 64 | UInt128(low),
      exponent: Int(high >> UInt64(Self.exponentShift) & 0x3FFF) - Self.exponentBias)
  }
}
