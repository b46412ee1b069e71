import Herald

/// Decodes the content of a string literal with JSON's escapes.
struct EscapeReader {
  let bytes: [UInt8]
  let range: Range<Int>
  /// The decoded bytes so far.
  private(set) var text: [UInt8] = []
  private var position: Int

  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range
    position = range.lowerBound
    text.reserveCapacity(range.count)
  }

  /// Reads to the end; returns the offset of an invalid escape, if there is one.
  mutating func read() -> SourceSpan? {
    while position < range.upperBound {
      let start = position
      guard bytes[position] == Byte.backslash else {
        text.append(bytes[position])
        position += 1
        continue
      }
      position += 2
      guard start + 1 < range.upperBound, escape(bytes[start + 1]) else {
        return SourceSpan(start: start, end: min(position, range.upperBound))
      }
    }
    return nil
  }

  /// Decodes the characters after a backslash; returns false if they are not a valid escape.
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

  /// Four hexadecimal digits; a high surrogate must be followed by a low one.
  private mutating func unicode() -> Bool {
    guard var code = hexadecimal() else { return false }
    if (0xD800..<0xDC00).contains(code) {
      guard position + 1 < range.upperBound, bytes[position] == Byte.backslash,
        bytes[position + 1] == UInt8(ascii: "u")
      else { return false }
      position += 2
      guard let low = hexadecimal(), (0xDC00..<0xE000).contains(low) else { return false }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { return false }
    text.append(contentsOf: String(scalar).utf8)
    return true
  }

  private mutating func hexadecimal() -> UInt32? {
    guard position + 4 <= range.upperBound else { return nil }
    var code: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      code = code << 4 | UInt32(digit)
    }
    position += 4
    return code
  }
}
