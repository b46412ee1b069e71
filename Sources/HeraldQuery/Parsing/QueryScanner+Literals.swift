import HeraldModel

extension QueryScanner {
  // MARK: Strings

  /// Consumes the string at the position, in either kind of quotes; resolves JSON's escapes.
  mutating func string() throws(QueryError) -> String {
    let start = position
    let quote = bytes[position]
    position += 1
    var content: [UInt8] = []
    while position < bytes.count, bytes[position] != newline {
      let byte = bytes[position]
      if byte == quote {
        position += 1
        return String(decoding: content, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        content += try escape()
      } else if byte < 0x80 {
        content.append(byte)
        position += 1
      } else if let (_, length) = scalar(at: position) {
        content += bytes[position..<position + length]
        position += length
      } else {
        throw QueryError(.invalidUTF8, SourceSpan(start: position, end: position + 1))
      }
    }
    throw QueryError(.unclosedString, SourceSpan(start: start, end: position))
  }

  private mutating func escape() throws(QueryError) -> [UInt8] {
    let start = position
    let letter = byte(1)
    position = min(position + 2, bytes.count)
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "0"): return [0x00]
    case UInt8(ascii: "u"):
      if let scalar = unicodeEscape() { return Array(String(Character(scalar)).utf8) }
    default:
      if letter >= 0x80, let (_, length) = scalar(at: start + 1) { position = start + 1 + length }
    }
    let span = SourceSpan(start: start, end: position)
    throw QueryError(.invalidEscape(text(span)), span)
  }

  /// Consumes four hexadecimal digits, or a surrogate pair of two such groups.
  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard let first = hexadecimal() else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
    guard byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") else { return nil }
    position += 2
    guard let second = hexadecimal(), (0xDC00..<0xE000).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func hexadecimal() -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(byte())).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  // MARK: Numbers

  /// Returns the text of a number without an `f` suffix.
  func numberText(_ span: SourceSpan) -> String {
    let isMarked =
      bytes[span.end - 1] == UInt8(ascii: "f")
      && !bytes[span.start..<span.end].contains { $0 | 0x20 == UInt8(ascii: "x") }
    return text(SourceSpan(start: span.start, end: isMarked ? span.end - 1 : span.end))
  }

  mutating func skipNumber() {
    if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x"), isHexadecimal(byte(2)) {
      position += 2
      while isHexadecimal(byte()) { position += 1 }
      return
    }
    skipDecimal()
    let isMarked = byte() == UInt8(ascii: "f") && !isLetter(byte(1)) && !isDigit(byte(1))
    if isMarked { position += 1 }
  }

  private func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  private mutating func skipDecimal() {
    skipDigits()
    // A dot before a name, an operation or another dot is not part of the number.
    if byte() == UInt8(ascii: "."), !isLetter(byte(1)), byte(1) != UInt8(ascii: "@"),
      byte(1) != UInt8(ascii: ".")
    {
      position += 1
      skipDigits()
    }
    guard byte() | 0x20 == UInt8(ascii: "e") else { return }
    let signed = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
    guard isDigit(byte(signed ? 2 : 1)) else { return }
    position += signed ? 2 : 1
    skipDigits()
  }

  mutating func skipDigits() {
    while isDigit(byte()) { position += 1 }
  }

  // MARK: Dates

  /// Consumes the date and time at the position; nil if a number is there.
  mutating func date() throws(QueryError) -> Timestamp? {
    let start = position
    var scout = self
    var yearDigits = 0
    for group in 0..<3 {
      let digits = scout.position
      scout.skipDigits()
      let count = scout.position - digits
      guard group == 0 ? (1...6).contains(count) : (1...2).contains(count) else { return nil }
      guard group == 2 || scout.byte() == UInt8(ascii: "-") else { return nil }
      if group == 0 { yearDigits = count }
      if group < 2 { scout.position += 1 }
    }
    guard scout.byte() == UInt8(ascii: "@") || scout.byte() == UInt8(ascii: "T") else {
      guard yearDigits == 4 else { return nil }
      let span = SourceSpan(start: start, end: scout.position)
      throw QueryError(.dateWithoutTime(text(span)), span)
    }
    scout.position += 1
    return try timestamp(from: start, scout: scout)
  }

  /// Consumes `T1763721000:0` at the position; nil if a name is there.
  mutating func instant() throws(QueryError) -> Timestamp? {
    guard byte() == UInt8(ascii: "T") else { return nil }
    var scout = self
    scout.position += scout.byte(1) == UInt8(ascii: "-") ? 2 : 1
    let digits = scout.position
    scout.skipDigits()
    guard scout.position > digits, scout.byte() == UInt8(ascii: ":") else { return nil }
    return try timestamp(from: position, scout: scout)
  }

  /// Consumes all characters that can belong to a time, then parses them.
  private mutating func timestamp(
    from start: Int, scout: QueryScanner
  ) throws(QueryError) -> Timestamp {
    var scout = scout
    while isDigit(scout.byte()) || scout.byte() == UInt8(ascii: ":")
      || (scout.byte() == UInt8(ascii: ".") && isDigit(scout.byte(1)))
      || (scout.byte() == UInt8(ascii: "-") && scout.bytes[scout.position - 1] == UInt8(ascii: ":"))
    { scout.position += 1 }
    let span = SourceSpan(start: start, end: scout.position)
    guard let date = Timestamp(literal: text(span)) else {
      throw QueryError(.invalidDate(text(span)), span)
    }
    position = span.end
    return date
  }
}
