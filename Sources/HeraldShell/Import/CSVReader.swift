import Herald

/// Reads comma-separated values (RFC 4180) from bytes, record by record.
///
/// A field in double quotes may contain commas, newlines and doubled quotes; lines may end in CR LF or
/// LF; empty lines are skipped, unless there is only one column.
struct CSVReader {
  struct Field: Equatable {
    var text: String
    /// Whether the field is quoted: an empty field is an empty string with quotes, and nil without.
    var isQuoted: Bool
  }

  private let bytes: [UInt8]
  private var offset: Int
  /// The first line of the record that was read last.
  private(set) var line = 0
  private var nextLine = 1
  /// Whether an empty line is a record without a value rather than skipped.
  var hasOneColumn = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The fields of the next record; nil at the end.
  mutating func next() throws(JSONReader.Failure) -> [Field]? {
    if !hasOneColumn { skipEmptyLines() }
    guard offset < bytes.count else { return nil }
    line = nextLine
    var fields = [try field()]
    while offset < bytes.count, bytes[offset] == Byte.comma {
      offset += 1
      fields.append(try field())
    }
    let endsInReturn = offset < bytes.count && bytes[offset] == Byte.carriageReturn
    if endsInReturn { offset += 1 }
    if offset < bytes.count {
      guard bytes[offset] == Byte.newline else {
        throw JSONReader.Failure(
          line: nextLine,
          reason: endsInReturn
            ? "a carriage return without a newline after it"
            : "unexpected text after a closing quote")
      }
      offset += 1
      nextLine += 1
    }
    return fields
  }

  private mutating func skipEmptyLines() {
    while offset < bytes.count {
      if bytes[offset] == Byte.newline {
        nextLine += 1
      } else if bytes[offset] != Byte.carriageReturn {
        return
      }
      offset += 1
    }
  }

  private mutating func field() throws(JSONReader.Failure) -> Field {
    if offset < bytes.count, bytes[offset] == Byte.doubleQuote { return try quotedField() }
    let start = offset
    // A constant of another target is a call, which is too slow for each byte.
    let (comma, newline, carriageReturn) = (Byte.comma, Byte.newline, Byte.carriageReturn)
    while offset < bytes.count, bytes[offset] != comma, bytes[offset] != newline,
      bytes[offset] != carriageReturn
    {
      offset += 1
    }
    return Field(text: try text(bytes[start..<offset]), isQuoted: false)
  }

  private mutating func quotedField() throws(JSONReader.Failure) -> Field {
    let start = nextLine
    offset += 1
    var content: [UInt8] = []
    let (quote, newline) = (Byte.doubleQuote, Byte.newline)
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == quote {
        guard offset < bytes.count, bytes[offset] == quote else {
          return Field(text: try text(content[...]), isQuoted: true)
        }
        offset += 1
      } else if byte == newline {
        nextLine += 1
      }
      content.append(byte)
    }
    throw JSONReader.Failure(line: start, reason: "a quoted field is never closed")
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(JSONReader.Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONReader.Failure(line: nextLine, reason: "invalid UTF-8")
    }
    return text
  }
}
