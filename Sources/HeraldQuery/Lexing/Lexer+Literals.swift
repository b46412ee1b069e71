import HeraldModel

extension Lexer {
  /// The text of a string literal, with its escapes resolved.
  func content(ofString span: SourceSpan) throws(QueryError) -> String {
    do throws(TextFault) {
      return try EscapeReader.text(of: bytes, in: span.start + 1..<span.end - 1)
    } catch {
      switch error {
      case .invalidEscape(let span): throw QueryError(.invalidEscape(text(span)), span)
      case .invalidUTF8(let span): throw QueryError(.invalidUTF8, span)
      }
    }
  }

  /// Consumes and returns the name at the offset; empty if there is none.
  mutating func name() -> String {
    let start = offset
    if !Byte.isDigit(byte()) { skipName() }
    return text(SourceSpan(start: start, end: offset))
  }

  /// The end of the letters, digits and hyphens from an offset on: an identifier without quotes.
  func endOfBareText(from start: Int) -> Int {
    var end = start
    while end < limit, Byte.isNamePart(bytes[end]) || bytes[end] == Byte.minus { end += 1 }
    return end
  }

  // MARK: Numbers

  /// Returns the text of a number without an `f` suffix.
  func numberText(_ span: SourceSpan) -> String {
    let isMarked =
      bytes[span.end - 1] == UInt8(ascii: "f")
      && !bytes[span.start..<span.end].contains { $0 | 0x20 == UInt8(ascii: "x") }
    return text(SourceSpan(start: span.start, end: isMarked ? span.end - 1 : span.end))
  }

  /// Whether the number that ends at the offset may be longer in a query.
  var continuesNumber: Bool {
    let next = byte()
    return next == Byte.dot || next == UInt8(ascii: "f") || next | 0x20 == UInt8(ascii: "x")
  }

  /// Skips a number as queries have it: also `0x1F`, `5.`, `.5` and `1f`.
  mutating func skipQueryNumber(from start: Int) {
    offset = start
    if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x"), isHexadecimal(byte(2)) {
      offset += 2
      while isHexadecimal(byte()) { offset += 1 }
      return
    }
    skipDigits()
    // A dot before a name, an operation or another dot is not part of the number.
    if byte() == Byte.dot, !Byte.isNameStart(byte(1)), byte(1) != Byte.at, byte(1) != Byte.dot {
      offset += 1
      skipDigits()
    }
    skipExponent()
    if byte() == UInt8(ascii: "f"), !Byte.isNamePart(byte(1)) { offset += 1 }
  }

  private func isHexadecimal(_ byte: UInt8) -> Bool {
    Byte.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  // MARK: Dates

  /// Consumes the date and time at `start`; nil if a number is there.
  mutating func date(from start: Int) throws(QueryError) -> Timestamp? {
    var scout = self
    scout.offset = start
    var yearDigits = 0
    for group in 0..<3 {
      let digits = scout.offset
      scout.skipDigits()
      let count = scout.offset - digits
      guard group == 0 ? (1...6).contains(count) : (1...2).contains(count) else { return nil }
      guard group == 2 || scout.byte() == Byte.minus else { return nil }
      if group == 0 { yearDigits = count }
      if group < 2 { scout.offset += 1 }
    }
    if scout.byte() == Byte.at || scout.byte() == UInt8(ascii: "T") || scout.isAtSpacedTime {
      scout.offset += 1
      return try timestamp(from: start, scout: scout)
    }
    guard yearDigits == 4 else { return nil }
    let span = SourceSpan(start: start, end: scout.offset)
    guard let date = Timestamp(iso8601: text(span)) else {
      throw QueryError(.invalidDate(text(span)), span)
    }
    offset = span.end
    return date
  }

  /// Whether ` 10:00` follows, the time after a date and a space.
  private var isAtSpacedTime: Bool {
    guard byte() == Byte.space, Byte.isDigit(byte(1)) else { return false }
    return byte(2) == Byte.colon || Byte.isDigit(byte(2)) && byte(3) == Byte.colon
  }

  /// Consumes `T1763721000:0` at `start`; nil if a name is there.
  mutating func instant(from start: Int) throws(QueryError) -> Timestamp? {
    guard bytes[start] == UInt8(ascii: "T") else { return nil }
    var scout = self
    scout.offset = start
    scout.offset += scout.byte(1) == Byte.minus ? 2 : 1
    let digits = scout.offset
    scout.skipDigits()
    guard scout.offset > digits, scout.byte() == Byte.colon else { return nil }
    return try timestamp(from: start, scout: scout)
  }

  /// Consumes all characters that can belong to a time and its zone, then parses them.
  private mutating func timestamp(
    from start: Int, scout: Lexer
  ) throws(QueryError) -> Timestamp {
    var scout = scout
    while Byte.isDigit(scout.byte()) || scout.byte() == Byte.colon
      || (scout.byte() == Byte.dot && Byte.isDigit(scout.byte(1)))
      || (scout.byte() == Byte.minus && scout.bytes[scout.offset - 1] == Byte.colon)
    { scout.offset += 1 }
    scout.skipZone()
    let span = SourceSpan(start: start, end: scout.offset)
    guard let date = Timestamp(literal: text(span)) else {
      throw QueryError(.invalidDate(text(span)), span)
    }
    offset = span.end
    return date
  }

  /// Skips `Z`, `+02:00` or `+0200`.
  private mutating func skipZone() {
    if byte() | 0x20 == UInt8(ascii: "z"), !Byte.isNamePart(byte(1)) {
      offset += 1
    } else if byte() == Byte.plus || byte() == Byte.minus, Byte.isDigit(byte(1)),
      Byte.isDigit(byte(2))
    {
      let minutes = byte(3) == Byte.colon ? 4 : 3
      if Byte.isDigit(byte(minutes)), Byte.isDigit(byte(minutes + 1)) { offset += minutes + 2 }
    }
  }
}
