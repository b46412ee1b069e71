import Herald

/// The signs of a CSV file.
struct CSVDialect: Equatable {
  var delimiter = Byte.comma
  /// nil if no field is quoted.
  var quote: UInt8? = Byte.doubleQuote
  /// Stands before a quote in a quoted field, besides a second quote, and before itself.
  var escape: UInt8?
  /// Begins lines that are skipped; empty if none is.
  var comment: [UInt8] = []
  /// Whether the last fields of a record may be missing, and are nil.
  var allowsShortRecords = false
  var notation = FieldNotation()
}

/// A field of a CSV file.
struct CSVField: Equatable {
  var text: String
  /// Whether the field is quoted: an empty field is an empty string with quotes, and nil without.
  var isQuoted: Bool
  /// The text in the file and what it should be, where the notation of the file is not the usual one.
  var written: Written?

  struct Written: Equatable {
    let text: String
    let expectation: String
    /// Whether it is no value although `text` is one in the usual notation.
    let isInvalid: Bool
  }
}

/// Reads comma-separated values (RFC 4180) from a file, record by record, without copying fields.
///
/// A quoted field may contain delimiters, newlines and doubled quotes; lines may end in LF, CR LF or CR;
/// empty lines, and those of blanks, are skipped, unless there is only one column.
struct CSVReader {
  private enum Outcome { case record, end, incomplete }

  let buffer: ImportBuffer
  let dialect: CSVDialect
  /// The fields of the record that was read last. Copies of a reader share them, as they share the buffer.
  let spans = CSVSpans()
  /// The number of fields of the record that was read last.
  private(set) var count = 0
  /// The first line of the record that was read last.
  private(set) var line = 0
  var nextLine = 1
  /// Whether an empty line is a record without a value rather than skipped.
  var hasOneColumn = false
  /// What says how many fields a record has, in messages.
  var model = "the header"
  /// What the columns' values are, from which it follows how their notation is read; nil for names.
  var kinds: [FieldNotation.Kind]?
  /// The first byte of the lines that are skipped; 0 for none.
  private let commentStart: UInt8
  /// Whether records without quotes can be read straight into values.
  let readsPlainRecords: Bool

  init(_ buffer: ImportBuffer, _ dialect: CSVDialect = CSVDialect()) {
    self.buffer = buffer
    self.dialect = dialect
    nextLine = buffer.firstLine
    commentStart = dialect.comment.first ?? 0
    readsPlainRecords = dialect.comment.isEmpty && dialect.notation.isUsual
  }

  /// Returns a reader of later records of the same file. Whether a record begins there is known once this one has reached its
  /// end: it does unless the end is inside a quoted field, which is an error.
  func reading(_ buffer: ImportBuffer) -> CSVReader {
    var other = CSVReader(buffer, dialect)
    other.hasOneColumn = hasOneColumn
    other.model = model
    other.kinds = kinds
    return other
  }

  /// The memory that has the record which was read last.
  var window: TextWindow { buffer.window }
  /// The part of the file that has been read, from 0 to 1.
  var progress: Double { buffer.progress }

  /// Reads the next record, if that needs no other part of the file and is no error: the fields of those before then
  /// stay valid, too.
  @inline(__always)
  mutating func nextInPlace() -> Bool { scanPlain() || scanInPlace() }

  @inline(never)
  private mutating func scanInPlace() -> Bool {
    let start = buffer.start
    var other = self
    guard let outcome = try? other.scan(), outcome == .record else {
      buffer.start = start
      return false
    }
    self = other
    return true
  }

  /// Reads the next record, whose fields stay valid until the next call; returns false at the end.
  @inline(__always)
  mutating func next() throws(JSONReader.Failure) -> Bool {
    if scanPlain() { return true }
    return try nextOfAnyForm()
  }

  @inline(never)
  private mutating func nextOfAnyForm() throws(JSONReader.Failure) -> Bool {
    while true {
      switch try scan() {
      case .record: return true
      case .end: return false
      case .incomplete: try fill()
      }
    }
  }

  private func fill() throws(JSONReader.Failure) {
    do throws(File.Failure) {
      try buffer.fill()
    } catch { throw JSONReader.Failure(line: nextLine, reason: error.reason) }
  }

  /// Skips the empty lines before the first record.
  mutating func skipToRecord() throws(JSONReader.Failure) { while !skipEmptyLines() { try fill() } }

  /// Scans a record whose fields have no quotes, and whose newline is in the buffer, as most are; for another one
  /// returns false, and consumes nothing.
  @inline(__always)
  private mutating func scanPlain() -> Bool {
    let (bytes, end) = (buffer.bytes, buffer.end)
    var offset = buffer.start
    let delimiter = dialect.delimiter
    let quote = dialect.quote ?? UInt8(ascii: "\n")
    let bound = PlainBytes(above: max(delimiter, UInt8(ascii: "\r")))
    // The line may be empty.
    guard bound.isUsable, offset < end, bytes[offset] > UInt8(ascii: " "),
      bytes[offset] != commentStart
    else { return false }
    for field in 0..<spans.capacity {
      guard offset < end, bytes[offset] != quote else { return false }
      let start = offset
      var byte: UInt8
      repeat {
        offset = bound.end(in: bytes, from: offset)
        if offset >= end { return false }
        byte = bytes[offset]
        offset &+= 1
      } while byte != delimiter && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r")
      if byte == UInt8(ascii: "\r") { return false }
      spans[field] = CSVSpan(start: start, end: offset &- 1, isQuoted: false, hasEscapes: false)
      if byte == UInt8(ascii: "\n") {
        count = field &+ 1
        line = nextLine
        nextLine &+= 1
        buffer.start = offset
        return true
      }
    }
    return false
  }

  /// Scans a record; if the buffer ends before it does, nothing is consumed.
  private mutating func scan() throws(JSONReader.Failure) -> Outcome {
    repeat {
      if !hasOneColumn, !skipEmptyLines() { return .incomplete }
      guard let isComment = skipComment() else { return .incomplete }
      if !isComment { break }
    } while true
    let (bytes, end, isComplete) = (buffer.bytes, buffer.end, buffer.isComplete)
    var offset = buffer.start
    var lines = nextLine
    guard offset < end else { return isComplete ? .end : .incomplete }
    count = 0
    // Reading a constant of another target is a function call, too slow to make for each byte.
    let (newline, carriageReturn) = (Byte.newline, Byte.carriageReturn)
    let delimiter = dialect.delimiter
    let quote = dialect.quote.map(Int.init) ?? -1
    while true {
      if offset < end, Int(bytes[offset]) == quote {
        guard let span = try quotedSpan(from: offset, &lines) else { return .incomplete }
        append(span)
        offset = span.end + 1
      } else {
        let start = offset
        while offset < end {
          let byte = bytes[offset]
          if byte == delimiter || byte == newline || byte == carriageReturn { break }
          offset += 1
        }
        append(CSVSpan(start: start, end: offset, isQuoted: false, hasEscapes: false))
      }
      if offset < end, bytes[offset] == delimiter { offset += 1 } else { break }
    }
    if offset < end {
      guard let length = lineEnd(at: offset) else { return .incomplete }
      guard length > 0 else {
        throw JSONReader.Failure(line: lines, reason: "unexpected text after a closing quote")
      }
      offset += length
      lines += 1
    } else if !isComplete {
      return .incomplete
    }
    (line, nextLine) = (nextLine, lines)
    buffer.start = offset
    return .record
  }

  @inline(__always)
  private mutating func append(_ span: CSVSpan) {
    if count == spans.capacity { spans.grow() }
    spans[count] = span
    count &+= 1
  }

  /// The length of the line end at an offset: 0 if there is none, nil if the next byte of the file decides.
  private func lineEnd(at offset: Int) -> Int? {
    switch buffer.bytes[offset] {
    case UInt8(ascii: "\n"): return 1
    case UInt8(ascii: "\r"):
      guard offset + 1 < buffer.end else { return buffer.isComplete ? 1 : nil }
      return buffer.bytes[offset + 1] == Byte.newline ? 2 : 1
    default: return 0
    }
  }

  /// Returns false if the next bytes of the file decide whether a line is empty.
  private mutating func skipEmptyLines() -> Bool {
    let (bytes, end) = (buffer.bytes, buffer.end)
    while true {
      var offset = buffer.start
      while offset < end, bytes[offset] != dialect.delimiter,
        bytes[offset] == UInt8(ascii: " ") || bytes[offset] == UInt8(ascii: "\t")
      {
        offset += 1
      }
      if offset == end {
        if buffer.isComplete { buffer.start = end }
        return buffer.isComplete
      }
      guard let length = lineEnd(at: offset) else { return false }
      if length == 0 { return true }
      buffer.start = offset + length
      nextLine += 1
    }
  }

  /// Skips a line that begins with the comment sign, and returns whether there is one; nil if the next bytes of the file
  /// decide.
  private mutating func skipComment() -> Bool? {
    let comment = dialect.comment
    if comment.isEmpty { return false }
    let (bytes, end) = (buffer.bytes, buffer.end)
    var offset = buffer.start
    for byte in comment {
      if offset == end { return buffer.isComplete ? false : nil }
      if bytes[offset] != byte { return false }
      offset += 1
    }
    while offset < end {
      guard let length = lineEnd(at: offset) else { return nil }
      offset += max(1, length)
      if length > 0 { break }
      if offset == end, !buffer.isComplete { return nil }
    }
    if offset == end, !buffer.isComplete, comment.count == end - buffer.start { return nil }
    buffer.start = offset
    nextLine += 1
    return true
  }

  /// Makes fields of a record that has too few, if it may.
  mutating func fill(to expected: Int) {
    while count < expected {
      append(CSVSpan(start: buffer.start, end: buffer.start, isQuoted: false, hasEscapes: false))
    }
  }

  /// Scans a quoted field; returns nil if the buffer ends before it does.
  private func quotedSpan(from start: Int, _ lines: inout Int) throws(JSONReader.Failure)
    -> CSVSpan?
  {
    let (bytes, end) = (buffer.bytes, buffer.end)
    let (quote, newline, carriageReturn) = (bytes[start], Byte.newline, Byte.carriageReturn)
    let firstLine = lines
    let escape = dialect.escape.map(Int.init) ?? -1
    var offset = start + 1
    var hasEscapes = false
    while offset < end {
      let byte = bytes[offset]
      if Int(byte) == escape, byte != quote {
        if offset + 1 == end, !buffer.isComplete { return nil }
        if offset + 1 < end, bytes[offset + 1] == quote || Int(bytes[offset + 1]) == escape {
          hasEscapes = true
          offset += 1
        }
      } else if byte == quote {
        if offset + 1 == end, !buffer.isComplete { return nil }
        guard offset + 1 < end, bytes[offset + 1] == quote else {
          return CSVSpan(start: start + 1, end: offset, isQuoted: true, hasEscapes: hasEscapes)
        }
        hasEscapes = true
        offset += 1
      } else if byte == newline || byte == carriageReturn && !isBeforeNewline(offset) {
        lines += 1
      }
      offset += 1
    }
    if !buffer.isComplete { return nil }
    throw JSONReader.Failure(line: firstLine, reason: "a quoted field is never closed")
  }

  private func isBeforeNewline(_ offset: Int) -> Bool {
    offset + 1 < buffer.end && buffer.bytes[offset + 1] == Byte.newline
  }
}

/// Finds the end of a run of bytes above a bound, eight at a time.
private struct PlainBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  private let bounds: UInt64
  let isUsable: Bool

  @inline(__always)
  init(above bound: UInt8) {
    bounds = Self.ones &* UInt64(bound &+ 1)
    isUsable = bound < 127
  }

  /// Returns the offset of the first byte that is not above the bound; it may be beyond the text, of which eight more
  /// bytes can be read.
  @inline(__always)
  func end(in bytes: UnsafeMutablePointer<UInt8>, from start: Int) -> Int {
    var offset = start
    while true {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(bytes + offset).loadUnaligned(as: UInt64.self))
      // The lowest bit that is set is right; a borrow can only set bits above it.
      let found = (word &- bounds) & ~word & Self.highBits
      if found != 0 { return offset &+ found.trailingZeroBitCount >> 3 }
      offset &+= 8
    }
  }
}
