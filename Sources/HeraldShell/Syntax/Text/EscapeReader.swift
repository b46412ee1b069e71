import Herald

/// Reads the inside of a string literal with JSON's escapes.
struct EscapeReader {
  let bytes: [UInt8]
  let range: Range<Int>
  /// The bytes of the string, as far as they were read.
  private(set) var text: [UInt8] = []
  private var place: Int

  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range
    place = range.lowerBound
    text.reserveCapacity(range.count)
  }

  /// Reads to the end; answers the place of an escape that is none.
  mutating func read() -> SourceSpan? {
    while place < range.upperBound {
      let start = place
      guard bytes[place] == Byte.backslash else {
        text.append(bytes[place])
        place += 1
        continue
      }
      place += 2
      guard start + 1 < range.upperBound, escape(bytes[start + 1]) else {
        return SourceSpan(start: start, end: min(place, range.upperBound))
      }
    }
    return nil
  }

  /// What stands after a backslash; false where it is no escape.
  private mutating func escape(_ letter: UInt8) -> Bool {
    switch letter {
    case Byte.doubleQuote, Byte.singleQuote, Byte.backslash, Byte.slash: text.append(letter)
    case UInt8(ascii: "n"): text.append(Byte.newline)
    case UInt8(ascii: "t"): text.append(Byte.tab)
    case UInt8(ascii: "r"): text.append(Byte.carriageReturn)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "0"): text.append(0)
    case UInt8(ascii: "u"): return unicode()
    default: return false
    }
    return true
  }

  /// Four hexadecimal digits; a high surrogate takes the low one that must follow.
  private mutating func unicode() -> Bool {
    guard var code = hexadecimal() else { return false }
    if (0xD800..<0xDC00).contains(code) {
      guard place + 1 < range.upperBound, bytes[place] == Byte.backslash,
        bytes[place + 1] == UInt8(ascii: "u")
      else { return false }
      place += 2
      guard let low = hexadecimal(), (0xDC00..<0xE000).contains(low) else { return false }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { return false }
    text.append(contentsOf: String(scalar).utf8)
    return true
  }

  private mutating func hexadecimal() -> UInt32? {
    guard place + 4 <= range.upperBound else { return nil }
    var code: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      code = code << 4 | UInt32(digit)
    }
    place += 4
    return code
  }
}
