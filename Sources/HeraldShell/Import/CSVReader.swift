/// Reads comma-separated values (RFC 4180) from bytes, record by record.
///
/// A field in double quotes may hold commas, newlines and doubled quotes; lines may end in CR LF or
/// LF; empty lines are passed, unless there is but one column.
struct CSVReader {
  struct Field: Equatable {
    var text: String
    /// An empty field in quotes is an empty string, one without them is no value.
    var isQuoted: Bool
  }

  private let bytes: [UInt8]
  private var place: Int
  /// The line on which the record that was read last began.
  private(set) var line = 0
  private var nextLine = 1
  /// An empty line is a record without a value, not one to be passed.
  var hasOneColumn = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The fields of the next record; nil at the end.
  mutating func next() throws(JSONReader.Failure) -> [Field]? {
    if !hasOneColumn { skipEmptyLines() }
    guard place < bytes.count else { return nil }
    line = nextLine
    var fields = [try field()]
    while place < bytes.count, bytes[place] == Byte.comma {
      place += 1
      fields.append(try field())
    }
    let endsInReturn = place < bytes.count && bytes[place] == Byte.carriageReturn
    if endsInReturn { place += 1 }
    if place < bytes.count {
      guard bytes[place] == Byte.newline else {
        throw JSONReader.Failure(
          line: nextLine,
          reason: endsInReturn
            ? "a carriage return stands without a newline after it"
            : "something stands after a closing quote")
      }
      place += 1
      nextLine += 1
    }
    return fields
  }

  private mutating func skipEmptyLines() {
    while place < bytes.count {
      if bytes[place] == Byte.newline {
        nextLine += 1
      } else if bytes[place] != Byte.carriageReturn {
        return
      }
      place += 1
    }
  }

  private mutating func field() throws(JSONReader.Failure) -> Field {
    if place < bytes.count, bytes[place] == Byte.doubleQuote { return try quotedField() }
    let start = place
    while place < bytes.count, bytes[place] != Byte.comma, bytes[place] != Byte.newline,
      bytes[place] != Byte.carriageReturn
    {
      place += 1
    }
    return Field(text: try text(bytes[start..<place]), isQuoted: false)
  }

  private mutating func quotedField() throws(JSONReader.Failure) -> Field {
    let start = nextLine
    place += 1
    var content: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == Byte.doubleQuote {
        guard place < bytes.count, bytes[place] == Byte.doubleQuote else {
          return Field(text: try text(content[...]), isQuoted: true)
        }
        place += 1
      } else if byte == Byte.newline {
        nextLine += 1
      }
      content.append(byte)
    }
    throw JSONReader.Failure(line: start, reason: "a quote is never closed")
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(JSONReader.Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONReader.Failure(line: nextLine, reason: "invalid UTF-8")
    }
    return text
  }
}
