import Herald

/// One word, number, string or sign of the language, as a range of bytes.
struct Token: Equatable {
  enum Kind: UInt8 {
    case word, variable, string, number
    /// One of `{ } ( ) [ ] , ; : . # @ ? = + - * / < >`: its byte is in the text.
    case sign
    case newline, end
    /// A string without its end, or bytes that begin nothing.
    case unterminated, unknown
  }
  var kind: Kind
  var start: Int
  var end: Int

  var span: SourceSpan { SourceSpan(start: start, end: end) }
}

/// Cuts a source into tokens, on demand and from any place: no state but the place.
struct Lexer {
  let bytes: [UInt8]
  /// Where the text ends for this reader: a block is read without what follows it.
  let limit: Int
  var offset: Int

  init(_ bytes: [UInt8], from offset: Int = 0, to limit: Int? = nil) {
    self.bytes = bytes
    self.offset = offset
    self.limit = limit ?? bytes.count
  }

  /// The next token after blanks and comments. O(its length).
  mutating func next() -> Token {
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
      offset += 1
      return Token(kind: .unknown, start: start, end: offset)
    default:
      offset += 1
      return Token(
        kind: Lexer.isSign(byte) ? .sign : .unknown, start: start, end: offset)
    }
  }

  static func isSign(_ byte: UInt8) -> Bool {
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
  /// Passes blanks and comments; a `#` begins a comment only at the start of a line or after
  /// white space, elsewhere it joins a class and a key.
  private mutating func skipBlanks() {
    while offset < limit {
      let byte = bytes[offset]
      if Byte.isBlank(byte) {
        offset += 1
      } else if byte == Byte.number, beginsComment(at: offset) {
        while offset < limit, bytes[offset] != Byte.newline { offset += 1 }
      } else {
        return
      }
    }
  }

  func beginsComment(at place: Int) -> Bool {
    place == 0 || Byte.isBlank(bytes[place - 1]) || bytes[place - 1] == Byte.newline
  }

  private mutating func word(from start: Int) -> Token {
    skipName()
    return Token(kind: .word, start: start, end: offset)
  }

  private mutating func skipName() {
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

  /// The bytes of a letter, mark or digit beyond ASCII; nil where there is none or no valid UTF-8.
  private func letterLength(at place: Int) -> Int? {
    var decoder = UTF8()
    var iterator = bytes[place..<min(place + 4, limit)].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    let properties = scalar.properties
    return properties.isXIDContinue ? UTF8.width(scalar) : nil
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

  private mutating func skipDigits() {
    while offset < limit, Byte.isDigit(bytes[offset]) { offset += 1 }
  }

  private mutating func skipExponent() {
    guard offset < limit, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return }
    var place = offset + 1
    if place < limit, bytes[place] == Byte.plus || bytes[place] == Byte.minus { place += 1 }
    guard place < limit, Byte.isDigit(bytes[place]) else { return }
    offset = place
    skipDigits()
  }

  /// A string ends at its quote; one that reaches the end of its line has none.
  private mutating func string(from start: Int) -> Token {
    if let end = endOfString(at: start) {
      offset = end
      return Token(kind: .string, start: start, end: end)
    }
    while offset < limit, bytes[offset] != Byte.newline { offset += 1 }
    return Token(kind: .unterminated, start: start, end: offset)
  }

  /// The place after the closing quote of the string that begins at `start`.
  func endOfString(at start: Int) -> Int? {
    let quote = bytes[start]
    var place = start + 1
    while place < limit {
      switch bytes[place] {
      case quote: return place + 1
      case Byte.backslash: place += 2
      case Byte.newline: return nil
      default: place += 1
      }
    }
    return nil
  }
}
