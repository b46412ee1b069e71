import HeraldModel

/// Splits a source text into tokens, starting at an offset.
///
/// A newline ends the query unless a bracket of the query is still open; `#` at the start of a line or
/// after white space begins a comment.
struct QueryScanner {
  let bytes: [UInt8]
  var position: Int
  /// The number of open brackets of the query.
  var openBrackets = 0

  init(_ bytes: [UInt8], from position: Int) {
    self.bytes = bytes
    self.position = max(0, min(position, bytes.count))
  }

  /// Returns the byte `distance` after the position; 0 beyond the end.
  func byte(_ distance: Int = 0) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  func text(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  /// Consumes and returns the next token; its span starts after white space.
  mutating func next() throws(QueryError) -> QueryToken {
    skipSpace()
    let start = position
    guard start < bytes.count, bytes[start] != newline else { return token(.end, from: start) }
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let content = try string()
      return token(.string(content), from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let date = try date() { return token(.date(date), from: start) }
      skipNumber()
      return token(.number, from: start)
    case UInt8(ascii: "."):
      guard isDigit(byte(1)) else { return other(from: start) }
      skipNumber()
      return token(.number, from: start)
    case UInt8(ascii: "$"):
      position += 1
      let name = try word()
      guard !name.isEmpty else {
        position = start
        return other(from: start)
      }
      return token(.variable(name), from: start)
    default: return try wordOrSymbol(from: start)
    }
  }

  private mutating func wordOrSymbol(from start: Int) throws(QueryError) -> QueryToken {
    if let instant = try instant() { return token(.date(instant), from: start) }
    let name = try word()
    if !name.isEmpty { return token(.word(name), from: start) }
    for (spelling, symbol) in querySymbolSpellings where bytes[start...].starts(with: spelling) {
      position += spelling.count
      return token(.symbol(symbol), from: start)
    }
    return other(from: start)
  }

  /// Whether a string begins at the position, after white space.
  var isAtQuote: Bool {
    var scout = self
    scout.skipSpace()
    return scout.byte() == UInt8(ascii: "\"") || scout.byte() == UInt8(ascii: "'")
  }

  /// Returns the span of letters, digits and hyphens at the position, after white space.
  func bareText() -> SourceSpan {
    var scout = self
    scout.skipSpace()
    let start = scout.position
    while isDigit(scout.byte()) || isLetter(scout.byte()) || scout.byte() == UInt8(ascii: "-") {
      scout.position += 1
    }
    return SourceSpan(start: start, end: scout.position)
  }

  private func token(_ kind: QueryToken.Kind, from start: Int) -> QueryToken {
    QueryToken(kind: kind, span: SourceSpan(start: start, end: position))
  }

  private mutating func other(from start: Int) -> QueryToken {
    position += 1
    return token(.other, from: start)
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case newline where openBrackets > 0: position += 1
      case UInt8(ascii: "#") where startsComment:
        while position < bytes.count, bytes[position] != newline { position += 1 }
      default: return
      }
    }
  }

  private var startsComment: Bool {
    guard position > 0 else { return true }
    return isSpace(bytes[position - 1])
  }

  // MARK: Words

  /// Consumes the name at the position; empty if there is none.
  mutating func word() throws(QueryError) -> String {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte < 0x80 {
        guard isLetter(byte) || (position > start && isDigit(byte)) else { break }
        position += 1
      } else {
        guard let (scalar, length) = scalar(at: position) else {
          throw QueryError(.invalidUTF8, SourceSpan(start: position, end: position + 1))
        }
        guard scalar.properties.isXIDContinue, position > start || scalar.properties.isXIDStart
        else { break }
        position += length
      }
    }
    return text(SourceSpan(start: start, end: position))
  }

  /// Returns the scalar encoded at an offset, and its length in bytes; nil if it is not valid UTF-8.
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    var decoder = UTF8()
    var iterator = bytes[offset..<min(offset + 4, bytes.count)].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return (scalar, UTF8.width(scalar))
  }
}

let newline = UInt8(ascii: "\n")

func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
}

func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == newline || byte == UInt8(ascii: "\t")
    || byte == UInt8(ascii: "\r")
}
