import Glibc
import Herald

/// The type that keeps what the digits of a number say.
enum ExactNumber {
  case double, decimal
  /// No type of number does: the text has to be kept.
  case text

  /// The digits of numbers that every double keeps.
  private static let digitsOfDoubles = 15
  private static let digitsOfDecimals = 34
  /// The smallest power of ten that the last digit of a decimal has.
  private static let leastExponent = -6176

  /// `text`: digits with a sign, a point or an exponent.
  init(_ text: String) {
    var text = text
    self = text.withUTF8 { ExactNumber($0) }
  }

  init(_ bytes: CellText.Bytes) {
    var digits = 0
    var zerosAtEnd = 0
    var fraction: Int?
    var mantissaEnd = bytes.count
    for (index, byte) in bytes.enumerated() {
      if Byte.isDigit(byte) {
        if byte != UInt8(ascii: "0") || digits > 0 { digits += 1 }
        zerosAtEnd = byte == UInt8(ascii: "0") ? zerosAtEnd + 1 : 0
        fraction = fraction.map { $0 + 1 }
      } else if byte == Byte.dot {
        fraction = 0
      } else if byte | 0x20 == UInt8(ascii: "e") {
        mantissaEnd = index
        break
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let isInteger = fraction == nil && mantissaEnd == bytes.count
    if !isInteger, let value = Double(text), value.isFinite {
      let isPrecise = value.isNormal && digits <= Self.digitsOfDoubles
      if digits == 0 || isPrecise || Self.prints(value, bytes[..<mantissaEnd], digits) {
        self = .double
        return
      }
    }
    let exponent = Int(String(decoding: bytes.dropFirst(mantissaEnd + 1), as: UTF8.self)) ?? 0
    let isHeld =
      max(0, digits - zerosAtEnd) <= Self.digitsOfDecimals
      && exponent - (fraction ?? 0) + zerosAtEnd >= Self.leastExponent
    self = isHeld && Decimal128(text)?.isFinite == true ? .decimal : .text
  }

  /// Whether the digits of a text are the first ones of a double: whoever wrote them had one.
  private static func prints(
    _ value: Double, _ mantissa: Slice<CellText.Bytes>, _ count: Int
  ) -> Bool {
    if value == 0 { return false }
    let printed = [CChar](unsafeUninitializedCapacity: count + 32) { buffer, length in
      let size = withVaList([CInt(count - 1), value]) {
        vsnprintf(buffer.baseAddress, buffer.count, "%.*e", $0)
      }
      length = max(0, min(Int(size), buffer.count))
    }
    let digits = printed.lazy.map { UInt8(bitPattern: $0) }.filter(Byte.isDigit).prefix(count)
    let written = mantissa.lazy.filter(Byte.isDigit).drop { $0 == UInt8(ascii: "0") }
    return digits.elementsEqual(written)
  }
}
