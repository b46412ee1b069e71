extension FixedWidthInteger where Self: UnsignedInteger {
  /// Parses hexadecimal digits, in either case, exactly as many as the type holds.
  init?(hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == Self.bitWidth / 4 else { return nil }
    self = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x41...0x46: value = digit - 0x41 + 10
      case 0x61...0x66: value = digit - 0x61 + 10
      default: return nil
      }
      self = self << 4 | Self(value)
    }
  }

  /// All digits, leading zeros included, in lower case.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
  }

  /// The bytes, the most significant first.
  var bigEndianBytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: self >> Self($0))
    }
  }

  /// Makes the number with these bytes, the most significant first; drops the first ones if there are
  /// too many.
  init(bigEndianBytes bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Self($1) }
  }
}
