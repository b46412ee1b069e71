import Herald

/// Reads JSON (RFC 8259) from bytes, value by value.
struct JSONReader {
  struct Failure: Error, Equatable {
    var line: Int
    var reason: String
  }

  static let invalidUTF8 = "invalid UTF-8"

  /// The largest nesting depth of arrays and objects: a value of type any may need two for each of its own
  /// 100 levels, and each of 100 embedded objects one for itself and one for its list.
  private static let largestDepth = 450

  private let bytes: [UInt8]
  /// What is read already.
  private(set) var offset = 0
  private(set) var line = 1
  private var depth = 0
  /// Whether each value has a line of its own, so that an error is in the line of its value.
  private let isByLine: Bool
  /// Where the blanks before the next token end, and the line in which they begin.
  private var blanks = (end: 0, line: 1)

  init(_ bytes: [UInt8], line: Int = 1, isByLine: Bool = false) {
    self.bytes = bytes
    self.line = line
    self.isByLine = isByLine
  }

  /// Whether only white space is left.
  mutating func isAtEnd() -> Bool {
    skipBlanks()
    return offset == bytes.count
  }

  /// The next element of the array that was entered; nil after the last.
  private mutating func nextElement(isFirst: Bool) throws(Failure) -> JSONValue? {
    skipBlanks()
    if takeIf(Byte.closeBracket) { return nil }
    if !isFirst {
      try take(Byte.comma, "',' or ']'")
      skipBlanks()
    }
    return try value()
  }

  mutating func value() throws(Failure) -> JSONValue {
    skipBlanks()
    guard offset < bytes.count else { throw failure("expected a value, found the end") }
    switch bytes[offset] {
    case Byte.openBrace: return .object(try members())
    case Byte.openBracket: return .array(try elements())
    case Byte.doubleQuote: return .string(try string())
    case Byte.minus, UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw failure("expected a value, found \(nextDescription)")
    }
  }

  private mutating func elements() throws(Failure) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    offset += 1
    var elements: [JSONValue] = []
    while let element = try nextElement(isFirst: elements.isEmpty) { elements.append(element) }
    return elements
  }

  private mutating func members() throws(Failure) -> [JSONValue.Member] {
    try enter()
    defer { depth -= 1 }
    offset += 1
    var members: [JSONValue.Member] = []
    var names = KeySet()
    skipBlanks()
    if takeIf(Byte.closeBrace) { return members }
    while true {
      skipBlanks()
      guard offset < bytes.count, bytes[offset] == Byte.doubleQuote else {
        throw failure("expected a name in double quotes, found \(nextDescription)")
      }
      let name = try string()
      guard isNew(name, in: members, &names) else {
        throw failure("duplicate name \(name.quoted) in an object")
      }
      skipBlanks()
      try take(Byte.colon, "':'")
      members.append(JSONValue.Member(name: name, value: try value()))
      skipBlanks()
      if takeIf(Byte.closeBrace) { return members }
      try take(Byte.comma, "',' or '}'")
    }
  }

  /// Whether an object has no member of the name yet. Comparing a few is faster than hashing.
  private func isNew(
    _ name: String, in members: [JSONValue.Member], _ names: inout KeySet
  ) -> Bool {
    guard members.count >= Self.fewMembers else {
      return !members.contains { $0.name.hasSameBytes(as: name) }
    }
    if names.isEmpty { names.formUnion(members.lazy.map(\.name)) }
    return names.insert(name)
  }

  private static let fewMembers = 16

  private mutating func enter() throws(Failure) {
    depth += 1
    if depth > JSONReader.largestDepth {
      throw failure("brackets nested more than \(JSONReader.largestDepth) deep")
    }
  }

  private mutating func string() throws(Failure) -> String {
    let start = offset + 1
    var end = start
    // A constant of another target is a call, which is too slow for each byte.
    let (quote, backslash) = (Byte.doubleQuote, Byte.backslash)
    while end < bytes.count, bytes[end] != quote, bytes[end] >= 0x20 {
      end += bytes[end] == backslash ? 2 : 1
    }
    guard end < bytes.count, bytes[end] == quote else { throw failure("unterminated string") }
    offset = end + 1
    do throws(TextFault) {
      return try EscapeReader.text(of: bytes, in: start..<end)
    } catch {
      switch error {
      case .invalidEscape: throw failure("the string has an invalid escape sequence")
      case .invalidUTF8: throw failure(Self.invalidUTF8)
      }
    }
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = offset
    while offset < bytes.count, isNumberPart(bytes[offset]) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    let isNumber = bytes.withUnsafeBufferPointer {
      Self.isNumber(UnsafeBufferPointer(rebasing: $0[start..<offset]))
    }
    guard isNumber, let number = JSONValue(number: text) else {
      let isLong = text.utf8.count > 40
      throw failure("'\(text.prefix(40))\(isLong ? "…" : "")' is not a number, or is too large")
    }
    return number
  }

  /// Whether a text is a number of JSON: without zeros before it, and with digits on both sides of a point.
  @inline(__always)
  static func isNumber(_ text: CellText.Bytes) -> Bool {
    var index = text.first == Byte.minus ? 1 : 0
    let whole = digits(text, &index)
    guard whole == 1 || whole > 1 && text[index - whole] != UInt8(ascii: "0") else { return false }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index &+= 1
      if digits(text, &index) == 0 { return false }
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index &+= 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
        index &+= 1
      }
      if digits(text, &index) == 0 { return false }
    }
    return index == text.count
  }

  /// The number of digits at an index, which are passed.
  @inline(__always)
  private static func digits(_ text: CellText.Bytes, _ index: inout Int) -> Int {
    let start = index
    while index < text.count, text[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
    return index - start
  }

  private func isNumberPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else {
      throw failure("expected a value, found \(nextDescription)")
    }
    offset += word.utf8.count
    return value
  }

  private mutating func skipBlanks() {
    let first = line
    defer { blanks = (offset, first) }
    while offset < bytes.count, bytes[offset] <= 0x20 {
      if bytes[offset] == Byte.newline {
        line += 1
      } else if !Byte.isBlank(bytes[offset]) {
        return
      }
      offset += 1
    }
  }

  mutating func takeIf(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func take(_ byte: UInt8, _ what: String) throws(Failure) {
    guard takeIf(byte) else { throw failure("expected \(what), found \(nextDescription)") }
  }

  private var nextDescription: String {
    Self.description(of: offset < bytes.count ? bytes[offset] : nil)
  }

  /// A byte in messages; nil is the end.
  static func description(of byte: UInt8?) -> String {
    guard let byte else { return "the end" }
    return byte >= 0x20 && byte < 0x7F ? "'\(Character(Unicode.Scalar(byte)))'" : "something else"
  }

  private func failure(_ reason: String) -> Failure {
    let isAfterBlanks = offset == blanks.end && (isByLine || offset == bytes.count)
    return Failure(line: isAfterBlanks ? blanks.line : line, reason: reason)
  }
}
