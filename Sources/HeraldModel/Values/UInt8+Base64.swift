extension [UInt8] {
  /// The bytes as base64 (RFC 4648, with padding).
  public var base64: String {
    var text: [UInt8] = []
    text.reserveCapacity((count + 2) / 3 * 4)
    var index = 0
    while index < count {
      let taken = Swift.min(3, count - index)
      var group = UInt32(self[index]) << 16
      if taken > 1 { group |= UInt32(self[index + 1]) << 8 }
      if taken > 2 { group |= UInt32(self[index + 2]) }
      for position in 0..<4 {
        let digit = Int(group >> UInt32(18 - 6 * position) & 63)
        text.append(position <= taken ? base64Digits[digit] : 0x3D)
      }
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes base64; nil for an invalid character, wrong padding or nonzero trailing bits.
  public init?(base64 text: String) {
    let digits = Array(text.utf8)
    guard digits.count % 4 == 0 else { return nil }
    self = []
    reserveCapacity(digits.count / 4 * 3)
    var index = 0
    while index < digits.count {
      var group: UInt32 = 0
      var padding = 0
      for position in index..<index + 4 {
        if digits[position] == 0x3D, position >= index + 2, index + 4 == digits.count {
          padding += 1
          group <<= 6
        } else {
          guard padding == 0, let digit = base64Value(digits[position]) else { return nil }
          group = group << 6 | digit
        }
      }
      guard padding == 0 || group & (padding == 1 ? 0xFF : 0xFFFF) == 0 else { return nil }
      append(UInt8(group >> 16))
      if padding < 2 { append(UInt8(group >> 8 & 0xFF)) }
      if padding < 1 { append(UInt8(group & 0xFF)) }
      index += 4
    }
  }
}

private let base64Digits = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

private func base64Value(_ digit: UInt8) -> UInt32? {
  switch digit {
  case 0x41...0x5A: UInt32(digit - 0x41)
  case 0x61...0x7A: UInt32(digit - 0x61 + 26)
  case 0x30...0x39: UInt32(digit - 0x30 + 52)
  case 0x2B: 62
  case 0x2F: 63
  default: nil
  }
}
