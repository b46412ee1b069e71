/// Splits a source into tokens, on demand and from any offset; the offset is the only state.
package struct Lexer {
  package let bytes: [UInt8]
  /// The end of the text for this lexer: a block is read without the text after it.
  package let limit: Int
  package var offset: Int

  package init(_ bytes: [UInt8], from offset: Int = 0, to limit: Int? = nil) {
    self.bytes = bytes
    self.offset = offset
    self.limit = limit ?? bytes.count
  }

  /// The next token after blanks and comments. O(its length).
  package mutating func next() -> Token {
    skipBlanks()
    let start = offset
    guard start < limit else { return Token(kind: .end, start: limit, end: limit) }
    let byte = bytes[start]
    if Byte.isNameStart(byte) { return word(from: start) }
    if Byte.isDigit(byte) { return number(from: start) }
    switch byte {
    case Byte.newline:
      offset += 1
      return Token(kind: .newline, start: start, end: offset)
    case Byte.dollar:
      offset += 1
      skipName()
      return Token(
        kind: offset > start + 1 ? .variable : .unknown, start: start, end: offset)
    case Byte.doubleQuote, Byte.singleQuote: return string(from: start)
    case 0x80...:
      skipName()
      if offset > start { return Token(kind: .word, start: start, end: offset) }
      offset += scalar(at: start).map { UTF8.width($0) } ?? 1
      return Token(kind: .unknown, start: start, end: offset)
    default:
      offset += 1
      return Token(
        kind: Lexer.isSign(byte) ? .sign : .unknown, start: start, end: offset)
    }
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.openBrace, Byte.closeBrace, Byte.openParenthesis, Byte.closeParenthesis,
      Byte.openBracket, Byte.closeBracket, Byte.comma, Byte.semicolon, Byte.colon, Byte.dot,
      Byte.number, Byte.at, Byte.question, Byte.equals, Byte.plus, Byte.minus, Byte.star,
      Byte.slash, Byte.less, Byte.greater:
      true
    default: false
    }
  }
}

extension Lexer {
  /// Skips blanks and comments; a `#` begins a comment only at the start of a line or after white space;
  /// elsewhere it joins a class and a key.
  mutating func skipBlanks() {
    while offset < limit {
      let byte = bytes[offset]
      if Byte.isBlank(byte) {
        offset += 1
      } else if byte == Byte.number, beginsComment(at: offset) {
        skipLine()
      } else {
        return
      }
    }
  }

  /// Skips the rest of the line.
  mutating func skipLine() {
    while offset < limit, bytes[offset] != Byte.newline { offset += 1 }
  }

  package func beginsComment(at position: Int) -> Bool {
    position == 0 || Byte.isBlank(bytes[position - 1]) || bytes[position - 1] == Byte.newline
  }

  private mutating func word(from start: Int) -> Token {
    skipName()
    return Token(kind: .word, start: start, end: offset)
  }

  mutating func skipName() {
    while offset < limit {
      if Byte.isNamePart(bytes[offset]) {
        offset += 1
      } else if bytes[offset] >= 0x80, let length = letterLength(at: offset) {
        offset += length
      } else {
        return
      }
    }
  }

  /// The number of bytes of a letter, mark, digit or emoji beyond ASCII, which names in Swift can have; nil if there is
  /// none or invalid UTF-8.
  private func letterLength(at position: Int) -> Int? {
    guard let scalar = scalar(at: position) else { return nil }
    return Self.isInNames(scalar) ? UTF8.width(scalar) : nil
  }

  /// Whether names have this scalar: not at their start if it is an ASCII digit.
  package static func isInNames(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return Byte.isNamePart(UInt8(scalar.value)) }
    return scalar.properties.isXIDContinue || scalar.properties.isEmoji || scalar == "\u{200D}"
  }

  /// nil if the bytes are not valid UTF-8.
  private func scalar(at position: Int) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes[position..<min(position + 4, limit)].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }

  private mutating func number(from start: Int) -> Token {
    skipDigits()
    if offset + 1 < limit, bytes[offset] == Byte.dot, Byte.isDigit(bytes[offset + 1]) {
      offset += 1
      skipDigits()
    }
    skipExponent()
    return Token(kind: .number, start: start, end: offset)
  }

  mutating func skipDigits() {
    while offset < limit, Byte.isDigit(bytes[offset]) { offset += 1 }
  }

  mutating func skipExponent() {
    guard offset < limit, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return }
    var position = offset + 1
    if position < limit, bytes[position] == Byte.plus || bytes[position] == Byte.minus {
      position += 1
    }
    guard position < limit, Byte.isDigit(bytes[position]) else { return }
    offset = position
    skipDigits()
  }

  /// A string ends at its quote; one that reaches the end of its line is unterminated.
  private mutating func string(from start: Int) -> Token {
    if let end = endOfString(at: start) {
      offset = end
      return Token(kind: .string, start: start, end: end)
    }
    while offset < limit, bytes[offset] != Byte.newline { offset += 1 }
    return Token(kind: .unterminated, start: start, end: offset)
  }

  /// The offset after the closing quote of the string that begins at `start`.
  package func endOfString(at start: Int) -> Int? {
    let quote = bytes[start]
    var position = start + 1
    while position < limit {
      switch bytes[position] {
      case quote: return position + 1
      case Byte.backslash: position += 2
      case Byte.newline: return nil
      default: position += 1
      }
    }
    return nil
  }
}
