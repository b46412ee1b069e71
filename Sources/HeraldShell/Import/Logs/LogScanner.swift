import Herald

/// Reads the parts of one line of a log.
struct LogScanner {
  /// What is wrong with a line.
  enum Failure: Error, Equatable {
    case invalidUTF8
    case unexpected(String)
  }

  let bytes: CellText.Bytes
  private(set) var offset = 0

  init(_ bytes: CellText.Bytes) { self.bytes = bytes }

  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func skipBlanks() { while let next, next <= 0x20 { offset += 1 } }

  mutating func takeIf(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  /// The bytes up to one that `isEnd`, which is left.
  mutating func bytes(until isEnd: (UInt8) -> Bool) -> CellText.Bytes {
    let start = offset
    while offset < bytes.count, !isEnd(bytes[offset]) { offset += 1 }
    return CellText.Bytes(rebasing: bytes[start..<offset])
  }

  /// The text up to a blank.
  mutating func word() throws(Failure) -> String { try Self.text(bytes { $0 <= 0x20 }) }

  /// The text up to a sign, which is taken; nil, and nothing is taken, if the line has none.
  mutating func text(before sign: UInt8) throws(Failure) -> String? {
    guard let end = bytes[offset...].firstIndex(of: sign) else { return nil }
    let text = try Self.text(CellText.Bytes(rebasing: bytes[offset..<end]))
    offset = end + 1
    return text
  }

  /// The text in quotes that begins here, without its escapes: `\"`, `\\`, `\n`, `\t`, `\r`, `\xHH` and `\uHHHH`.
  mutating func quoted() throws(Failure) -> String {
    offset += 1
    let plain = bytes { $0 == Byte.doubleQuote || $0 == Byte.backslash }
    if takeIf(Byte.doubleQuote) { return try Self.text(plain) }
    var text = Array(plain)
    while let byte = next {
      offset += 1
      if byte == Byte.doubleQuote { return try text.withUnsafeBufferPointer(Self.text) }
      if byte == Byte.backslash { takeEscape(&text) } else { text.append(byte) }
    }
    throw .unexpected("a text in quotes is never closed")
  }

  /// Takes what follows a backslash; one that escapes nothing is kept.
  private mutating func takeEscape(_ text: inout [UInt8]) {
    guard let byte = next else { return text.append(Byte.backslash) }
    offset += 1
    switch byte {
    case Byte.doubleQuote, Byte.backslash: text.append(byte)
    case UInt8(ascii: "n"): text.append(Byte.newline)
    case UInt8(ascii: "t"): text.append(Byte.tab)
    case UInt8(ascii: "r"): text.append(Byte.carriageReturn)
    case UInt8(ascii: "x"):
      let code = takeHex(digits: 2)
      text += code.map { [UInt8($0)] } ?? [Byte.backslash, byte]
    case UInt8(ascii: "u"):
      let scalar = takeScalar()
      text += scalar.map { Array(String($0).utf8) } ?? [Byte.backslash, byte]
    default: text += [Byte.backslash, byte]
    }
  }

  /// The character of four digits, or of twice four; that of no character is U+FFFD.
  private mutating func takeScalar() -> Unicode.Scalar? {
    guard let code = takeHex(digits: 4) else { return nil }
    guard code & 0xFC00 == 0xD800 else { return Unicode.Scalar(code) ?? "\u{FFFD}" }
    let start = offset
    if takeIf(Byte.backslash), takeIf(UInt8(ascii: "u")), let low = takeHex(digits: 4),
      low & 0xFC00 == 0xDC00
    {
      return Unicode.Scalar(0x10000 + (code & 0x3FF) << 10 + low & 0x3FF)
    }
    offset = start
    return "\u{FFFD}"
  }

  private mutating func takeHex(digits: Int) -> UInt32? {
    guard offset + digits <= bytes.count else { return nil }
    var code: UInt32 = 0
    for byte in bytes[offset..<offset + digits] {
      guard byte < 0x80, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
        return nil
      }
      code = code << 4 | UInt32(digit)
    }
    offset += digits
    return code
  }

  static func text(_ bytes: CellText.Bytes) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
    return text
  }
}
