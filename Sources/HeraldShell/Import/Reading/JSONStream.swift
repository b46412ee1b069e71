import Herald

/// Reads JSON values one after another from a file of any size: those of an array, or of JSON Lines.
struct JSONStream {
  typealias Failure = JSONReader.Failure

  private let buffer: ImportBuffer
  /// Whether each value has a line of its own.
  private let isByLine: Bool
  private(set) var line: Int
  /// The line in which the last token ended.
  private var lastLine: Int

  init(_ buffer: ImportBuffer, isByLine: Bool = false) {
    self.buffer = buffer
    self.isByLine = isByLine
    line = buffer.firstLine
    lastLine = line
  }

  /// The first byte that is not white space, which is not consumed; nil if there is none.
  func firstByte() throws(Failure) -> UInt8? {
    var offset = 0
    while true {
      while buffer.start + offset < buffer.end {
        let byte = buffer.bytes[buffer.start + offset]
        if !Byte.isBlank(byte), byte != Byte.newline { return byte }
        offset += 1
      }
      if buffer.isComplete { return nil }
      try fill()
    }
  }

  /// A cursor at the next byte, for what can be read in place.
  var cursor: JSONCursor { JSONCursor(buffer, line: line) }

  /// Consumes what a cursor has read.
  mutating func move(to cursor: JSONCursor) {
    if cursor.offset > buffer.start { lastLine = cursor.line }
    buffer.start = cursor.offset
    line = cursor.line
  }

  /// Whether only white space is left.
  mutating func isAtEnd() throws(Failure) -> Bool { try nextByte() == nil }

  /// Takes a sign if it comes next.
  mutating func takeIf(_ sign: UInt8) throws(Failure) -> Bool {
    guard try nextByte() == sign else { return false }
    buffer.start += 1
    return true
  }

  /// The next element of an array that was entered; nil after the last.
  mutating func nextElement(isFirst: Bool) throws(Failure) -> JSONValue? {
    let byte = try nextByte()
    if byte == Byte.closeBracket {
      buffer.start += 1
      return nil
    }
    if isFirst || byte == Byte.comma {
      if !isFirst { buffer.start += 1 }
      return try value()
    }
    throw Failure(
      line: byte == nil ? lastLine : line,
      reason: "expected ',' or ']', found \(JSONReader.description(of: byte))")
  }

  /// The next value.
  mutating func value() throws(Failure) -> JSONValue {
    guard try nextByte() != nil else {
      throw Failure(line: lastLine, reason: "expected a value, found the end")
    }
    let extent = try extent()
    let bytes = UnsafeBufferPointer(start: buffer.bytes + buffer.start, count: extent)
    var reader = JSONReader(Array(bytes), line: line, isByLine: isByLine)
    let value: JSONValue
    do throws(Failure) {
      value = try reader.value()
    } catch {
      guard error.reason == JSONReader.invalidUTF8 else { throw error }
      throw Failure(line: error.line, reason: buffer.invalidUTF8)
    }
    buffer.start += reader.offset
    line = reader.line
    lastLine = line
    return value
  }

  /// Skips white space; returns the byte after it, nil at the end.
  private mutating func nextByte() throws(Failure) -> UInt8? {
    let before = line
    defer { if line != before { lastLine = before } }
    while true {
      let (bytes, end) = (buffer.bytes, buffer.end)
      var offset = buffer.start
      while offset < end, bytes[offset] <= 0x20 {
        if bytes[offset] == Byte.newline {
          line += 1
        } else if !Byte.isBlank(bytes[offset]) {
          break
        }
        offset += 1
      }
      buffer.start = offset
      if offset < end { return bytes[offset] }
      if buffer.isComplete { return nil }
      try fill()
    }
  }

  private func fill() throws(Failure) {
    do throws(File.Failure) {
      try buffer.fill()
    } catch { throw Failure(line: line, reason: error.reason) }
  }

  /// The number of bytes from here to the end of the next value, or to where it is certainly invalid.
  private func extent() throws(Failure) -> Int {
    var scan = ExtentScan()
    while true {
      let count = buffer.end - buffer.start
      if scan.run(buffer.bytes + buffer.start, count) || buffer.isComplete { return scan.length }
      try fill()
    }
  }
}

// MARK: An object around an array

extension JSONStream {
  /// How far into a file it is looked for.
  private static let wrapperLength = 1 << 12

  /// The name of the first member of the object that begins here, if that is an array of objects; nothing is
  /// consumed.
  func wrapper() throws(Failure) -> String? {
    while buffer.end - buffer.start < Self.wrapperLength, !buffer.isComplete { try fill() }
    var reader = JSONReader(Array(buffer.content.prefix(Self.wrapperLength)))
    return reader.arrayName()
  }

  /// Consumes what `wrapper` has seen, up to the start of the array.
  mutating func enterWrapper() throws(Failure) {
    _ = try takeIf(Byte.openBrace)
    _ = try value()
    _ = try takeIf(Byte.colon)
    _ = try takeIf(Byte.openBracket)
  }
}

extension JSONReader {
  /// The name of the first member of an object if that is an array that begins with an object.
  fileprivate mutating func arrayName() -> String? {
    guard !isAtEnd(), takeIf(Byte.openBrace), let name = try? value(),
      case .string(let text) = name
    else { return nil }
    for sign in [Byte.colon, Byte.openBracket, Byte.openBrace] where isAtEnd() || !takeIf(sign) {
      return nil
    }
    return text
  }
}

/// Finds the end of a JSON value, going on where it stopped when there are more bytes.
struct ExtentScan {
  private(set) var length = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Returns whether the end was found in these bytes, of which it has seen the first ones before.
  mutating func run(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let (quote, backslash) = (Byte.doubleQuote, Byte.backslash)
    while length < count {
      let byte = bytes[length]
      length += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == backslash {
          isEscaped = true
        } else if byte == quote {
          isInString = false
          if depth == 0 { return true }
        } else if byte < 0x20 {
          return true
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth <= 0 { return true }
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\n"),
        UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        if depth == 0 { return true }
      default: break
      }
    }
    return false
  }
}
