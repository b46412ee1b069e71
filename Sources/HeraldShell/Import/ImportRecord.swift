import Herald

/// An object of an imported file: property names and their contents.
struct ImportRecord: Equatable {
  enum Content: Equatable {
    case json(JSONValue)
    /// A CSV field, whose meaning depends on the property's type.
    case field(CSVReader.Field)
  }
  struct Entry: Equatable {
    var name: String
    var content: Content
  }
  /// The first line of the record.
  var line: Int
  var entries: [Entry]
}

/// Reads the records of a file: a JSON array, JSON Lines, or CSV with a header. The first character of
/// the text decides which.
struct ImportReader {
  private enum Format {
    case array(JSONReader, isFirst: Bool)
    case lines(JSONReader)
    case csv(CSVReader, header: [String])
    case empty
  }
  private var format: Format

  /// The header of a CSV file.
  var columns: [String] {
    switch format {
    case .csv(_, let header): header
    case .array, .lines, .empty: []
    }
  }

  init(_ bytes: [UInt8]) throws(JSONReader.Failure) {
    var json = JSONReader(bytes)
    if json.isAtEnd() {
      format = .empty
    } else if bytes.first(where: { !Byte.isBlank($0) && $0 != Byte.newline && $0 < 0x80 })
      == Byte.openBrace
    {
      format = .lines(json)
    } else if json.enterArray() {
      format = .array(json, isFirst: true)
    } else {
      var csv = CSVReader(bytes)
      let header = try csv.next() ?? []
      var names: Set<[UInt8]> = []
      if let duplicate = header.first(where: { !names.insert(Array($0.text.utf8)).inserted }) {
        throw JSONReader.Failure(
          line: csv.line, reason: "duplicate column '\(duplicate.text)'")
      }
      csv.hasOneColumn = header.count == 1
      format = .csv(csv, header: header.map(\.text))
    }
  }

  /// The next record; nil after the last.
  mutating func next() throws(JSONReader.Failure) -> ImportRecord? {
    switch format {
    case .empty: return nil
    case .array(var reader, let isFirst):
      defer { format = .array(reader, isFirst: false) }
      guard let value = try reader.nextElement(isFirst: isFirst) else {
        guard reader.isAtEnd() else {
          throw JSONReader.Failure(line: reader.line, reason: "unexpected text after the array")
        }
        return nil
      }
      return try record(value, reader.line)
    case .lines(var reader):
      defer { format = .lines(reader) }
      if reader.isAtEnd() { return nil }
      let line = reader.line
      return try record(try reader.value(), line)
    case .csv(var reader, let header):
      defer { format = .csv(reader, header: header) }
      guard let fields = try reader.next() else { return nil }
      guard fields.count == header.count else {
        throw JSONReader.Failure(
          line: reader.line,
          reason: "\(fields.count) field\(fields.count == 1 ? "" : "s") where the header has "
            + "\(header.count)")
      }
      return ImportRecord(
        line: reader.line,
        entries: zip(header, fields).map { ImportRecord.Entry(name: $0, content: .field($1)) })
    }
  }

  private func record(_ value: JSONValue, _ line: Int) throws(JSONReader.Failure) -> ImportRecord {
    guard case .object(let members) = value else {
      throw JSONReader.Failure(
        line: line, reason: "expected an object, found \(value.description)")
    }
    return ImportRecord(
      line: line,
      entries: members.map { ImportRecord.Entry(name: $0.name, content: .json($0.value)) })
  }
}
