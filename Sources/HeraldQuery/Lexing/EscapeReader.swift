/// What is wrong with the content of a string literal.
package enum TextFault: Error {
  case invalidEscape(SourceSpan)
  case invalidUTF8(SourceSpan)
}

/// Decodes the content of a string literal with JSON's escapes.
package struct EscapeReader {
  private let bytes: [UInt8]
  private let end: Int
  private var position: Int
  /// The decoded bytes so far.
  private var text: [UInt8] = []

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
    text.reserveCapacity(range.count)
  }

  /// Returns the text of a range of bytes, which is the content of a literal without its quotes.
  package static func text(
    of bytes: [UInt8], in range: Range<Int>
  ) throws(TextFault) -> String {
    var content = bytes[range]
    if content.contains(Byte.backslash) {
      var reader = EscapeReader(bytes, range)
      try reader.read()
      content = reader.text[...]
    }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .invalidUTF8(invalidByte(bytes, range))
    }
    return text
  }

  /// The first byte that is not valid UTF-8.
  private static func invalidByte(_ bytes: [UInt8], _ range: Range<Int>) -> SourceSpan {
    var decoder = UTF8()
    var iterator = bytes[range].makeIterator()
    var position = range.lowerBound
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      position += UTF8.width(scalar)
    }
    return SourceSpan(
      start: min(position, range.upperBound), end: min(position + 1, range.upperBound))
  }

  private mutating func read() throws(TextFault) {
    while position < end {
      let start = position
      position += 1
      guard bytes[start] == Byte.backslash else {
        text.append(bytes[start])
        continue
      }
      let isValid = position < end && escape()
      guard isValid else { throw .invalidEscape(SourceSpan(start: start, end: position)) }
    }
  }

  /// Decodes the characters after a backslash; returns false if they are not a valid escape.
  private mutating func escape() -> Bool {
    let letter = bytes[position]
    position += 1
    switch letter {
    case Byte.doubleQuote, Byte.singleQuote, Byte.backslash, Byte.slash: text.append(letter)
    case UInt8(ascii: "n"): text.append(Byte.newline)
    case UInt8(ascii: "t"): text.append(Byte.tab)
    case UInt8(ascii: "r"): text.append(Byte.carriageReturn)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "0"): text.append(0)
    case UInt8(ascii: "u"): return unicode()
    default:
      // The error names the whole character.
      while position < end, bytes[position] & 0xC0 == 0x80 { position += 1 }
      return false
    }
    return true
  }

  /// Four hexadecimal digits; a high surrogate must be followed by a low one.
  private mutating func unicode() -> Bool {
    guard var code = hexadecimal() else { return false }
    if (0xD800..<0xDC00).contains(code) {
      guard position + 1 < end, bytes[position] == Byte.backslash,
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
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard position < end,
        let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
      else { return nil }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }
}
