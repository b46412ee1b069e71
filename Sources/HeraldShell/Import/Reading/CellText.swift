import Glibc
import Herald

/// Values from the text of a CSV field, without making a string of it.
enum CellText {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The infinities and NaN, as this and other programs write them.
  static let specialNumbers: Set = [
    "inf", "-inf", "nan", "Inf", "-Inf", "NaN", "Infinity", "-Infinity",
  ]

  static func isSpecialNumber(_ bytes: Bytes) -> Bool {
    guard bytes.count <= 9, let first = bytes.first, "-iInN".utf8.contains(first) else {
      return false
    }
    return specialNumbers.contains { $0.utf8.elementsEqual(bytes) }
  }

  /// The bytes without the blanks around them.
  static func trimmed(_ bytes: Bytes) -> Bytes {
    guard let first = bytes.first, let last = bytes.last, first <= 0x20 || last <= 0x20 else {
      return bytes
    }
    var (start, end) = (0, bytes.count)
    while start < end, Byte.isBlank(bytes[start]) { start += 1 }
    while end > start, Byte.isBlank(bytes[end - 1]) { end -= 1 }
    return Bytes(rebasing: bytes[start..<end])
  }

  /// A whole number without a plus sign.
  @inline(__always)
  static func int(_ bytes: Bytes) -> Int? {
    var index = 0
    let isNegative = bytes.count > 1 && bytes[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    guard index < bytes.count else { return nil }
    var value = 0
    // Eighteen digits always fit.
    let isShort = bytes.count - index <= 18
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      if isShort {
        value = value &* 10 &- Int(digit)
      } else {
        let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.subtractingReportingOverflow(Int(digit))
        if overflow || carry { return nil }
        value = sum
      }
      index += 1
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// Whether it is what `int` or `double` reads.
  static func isNumber(_ bytes: Bytes) -> Bool { int(bytes) != nil || double(bytes) != nil }

  /// A finite number, with digits, a point and an exponent.
  static func double(_ bytes: Bytes) -> Double? {
    var mantissa: UInt64 = 0
    var point = -1
    let start = bytes.first == UInt8(ascii: "-") ? 1 : 0
    var index = start
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
      } else if bytes[index] == UInt8(ascii: "."), point < 0 {
        point = index
      } else {
        return exactDouble(bytes)
      }
      index &+= 1
    }
    let digits = bytes.count - start - (point < 0 ? 0 : 1)
    guard digits > 0 else { return nil }
    guard digits <= 15 else { return exactDouble(bytes) }
    // Both are exact, so that the quotient is the double nearest to the text.
    let value = Double(mantissa) / powersOfTen[point < 0 ? 0 : bytes.count - 1 - point]
    return start == 1 ? -value : value
  }

  private static func exactDouble(_ bytes: Bytes) -> Double? {
    var hasDigit = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"),
        UInt8(ascii: "-"):
        break
      default: return nil
      }
    }
    guard hasDigit, let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite
    else { return nil }
    return value
  }

  /// Passes the powers of ten up to the fifteenth, which doubles hold exactly.
  static func withPowersOfTen<Result>(_ body: (UnsafePointer<Double>) -> Result) -> Result {
    powersOfTen.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }

  private static let powersOfTen: [Double] = (1...15).reduce(into: [1]) { powers, exponent in
    powers.append(powers[exponent - 1] * 10)
  }

  /// `true`, `yes`, `on`, `t`, `y`, `1` and their opposites, in either case.
  static func bool(_ bytes: Bytes) -> Bool? {
    if bytes.count == 1 {
      switch bytes[0] {
      case UInt8(ascii: "1"), UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "y"),
        UInt8(ascii: "Y"):
        return true
      case UInt8(ascii: "0"), UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "n"),
        UInt8(ascii: "N"):
        return false
      default: return nil
      }
    }
    if let value = boolWord(bytes) { return value }
    if isWord(bytes, "on") { return true }
    return isWord(bytes, "off") ? false : nil
  }

  /// `true`, `yes`, `false` and `no`, in either case, which make a column one of Booleans.
  static func boolWord(_ bytes: Bytes) -> Bool? {
    switch bytes.count {
    case 2: isWord(bytes, "no") ? false : nil
    case 3: isWord(bytes, "yes") ? true : nil
    case 4: isWord(bytes, "true") ? true : nil
    case 5: isWord(bytes, "false") ? false : nil
    default: nil
    }
  }

  static func isWord(_ bytes: Bytes, _ word: StaticString) -> Bool {
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] | 0x20 != word.utf8Start[index] { return false }
    return true
  }

  /// Whether the bytes have the form of a date: a year of four digits, a month and a day.
  static func looksLikeDate(_ bytes: Bytes) -> Bool {
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
      return false
    }
    return (0..<4).allSatisfy { bytes[$0] &- UInt8(ascii: "0") < 10 }
  }
}

extension CellText {
  /// The value of a field of a type that is neither a collection, a link nor any; nil if another way to read it
  /// must decide. Its text is the field's.
  @inline(__always)
  static func value(_ bytes: Bytes, isQuoted: Bool, _ element: ElementType) -> PlainValue? {
    if case .string = element { return isValid(bytes) ? .text(UnsafeRawBufferPointer(bytes)) : nil }
    let bytes = isQuoted ? bytes : trimmed(bytes)
    if bytes.isEmpty { return nil }
    switch element {
    case .int: return int(bytes).map { .int($0) }
    case .double: return double(bytes).map { .double($0) }
    case .bool: return bool(bytes).map { .bool($0) }
    case .date: return Timestamp(iso8601: bytes).map { .date($0) }
    case .uuid: return UniqueID(utf8: bytes).map { .uuid($0) }
    case .string, .float, .data, .decimal, .objectID, .any, .link: return nil
    }
  }

  /// Whether the bytes are valid UTF-8, as those of ASCII alone are.
  @inline(__always)
  private static func isValid(_ bytes: Bytes) -> Bool {
    var bits: UInt8 = 0
    for byte in bytes { bits |= byte }
    return bits < 0x80 || String(validating: bytes, as: UTF8.self) != nil
  }
}
