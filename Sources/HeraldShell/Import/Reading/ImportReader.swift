import Herald

/// Reads the records of a file: a JSON array, JSON Lines, one JSON object around an array, a log, or CSV. The
/// first character of the text decides which, and of what is no JSON the first line.
struct ImportReader {
  typealias Failure = JSONReader.Failure

  private enum Format {
    case array(JSONStream, isFirst: Bool, isWrapped: Bool)
    case lines(JSONStream)
    case log(LogReader)
    case csv(CSVReader)
    case empty
  }
  private var buffer: ImportBuffer
  private var format = Format.empty
  /// The columns of a CSV file.
  private(set) var columns: [String] = []
  /// What the header of a CSV file looks like, as if it were a record; empty without a header.
  private(set) var headerKinds: [ScalarKinds] = []
  /// The number of lines before a CSV file's header that begin with `#`.
  private(set) var commentCount = 0
  /// Whether a line before the header names the delimiter.
  var namesDelimiter: Bool { buffer.separator != nil }
  /// The name around the records, in a file of one JSON object.
  private(set) var wrapper: String?

  /// The same with another part of the file.
  private init(_ reader: ImportReader, _ buffer: ImportBuffer, _ format: Format) {
    self = reader
    self.buffer = buffer
    self.format = format
  }

  /// Returns a reader of the second half of what is left, from the start of a line on; until it is begun again, this one ends
  /// there. Nil if little is left, or records do not begin with a line. Whether one begins there is known once this one has
  /// reached its end without an error.
  func secondHalf() -> ImportReader? {
    let isByLine =
      switch format {
      case .lines, .csv: true
      case .array, .log, .empty: false
      }
    guard isByLine, let rest = buffer.secondHalf() else { return nil }
    let half = csv.map { Format.csv($0.reading(rest)) } ?? .lines(JSONStream(rest, isByLine: true))
    return ImportReader(self, rest, half)
  }

  /// Whether nothing is left to read.
  var isEmpty: Bool { if case .empty = format { true } else { false } }

  /// The form of a log; nil for other files.
  var log: LogForm? { if case .log(let log) = format { log.form } else { nil } }

  /// Whether the records are JSON, which can be read in place.
  var isJSON: Bool {
    switch format {
    case .array, .lines: true
    case .log, .csv, .empty: false
    }
  }

  /// The part of the file that has been read, from 0 to 1.
  var progress: Double { buffer.progress }

  init(_ input: ImportInput, _ form: ImportForm) throws(Failure) {
    do throws(File.Failure) {
      buffer = try ImportBuffer(
        input, skipping: form.skippedLines, mayNameDelimiter: form.log == nil && !form.isJSON)
    } catch { throw Failure(line: 1, reason: error.reason) }
    try begin(form)
    try checkOptions(form)
  }

  private mutating func begin(_ form: ImportForm) throws(Failure) {
    var json = JSONStream(buffer)
    guard let first = try json.firstByte() else { return }
    if let log = form.log {
      format = .log(LogReader(buffer, log))
      return
    }
    if form.isJSON, !form.isCSV, first != Byte.openBrace, first != Byte.openBracket {
      _ = try json.isAtEnd()
      throw Failure(
        line: json.line,
        reason: "expected an object or an array, found \(JSONReader.description(of: first)); "
          + "'with header yes' reads the file as CSV")
    }
    switch first {
    case Byte.openBrace where !form.isCSV:
      wrapper =
        form.isByLine ? nil : try json.wrapper().flatMap { form.isWrapper($0) ? $0 : nil }
      if wrapper == nil {
        format = .lines(JSONStream(buffer, isByLine: true))
      } else {
        try json.enterWrapper()
        format = .array(json, isFirst: true, isWrapped: true)
      }
    case Byte.openBracket where !form.isCSV:
      _ = try json.takeIf(first)
      format = .array(json, isFirst: true, isWrapped: false)
    default:
      if form.mayBeLog, !form.isCSV, buffer.separator == nil,
        let log = try LogReader.form(of: buffer)
      {
        format = .log(LogReader(buffer, log))
      } else {
        try beginCSV(form)
      }
    }
  }

  /// Throws if an option of the statement says what only CSV has.
  private func checkOptions(_ form: ImportForm) throws(Failure) {
    guard let word = form.fieldOption, isJSON || log != nil else { return }
    throw Failure(
      line: 1,
      reason: "'\(word)' is of CSV, and this is \(isJSON ? "JSON" : "a log"); "
        + "'with header yes' reads it as CSV")
  }

  /// The next record; nil after the last.
  mutating func next() throws(Failure) -> ImportRecord? {
    switch format {
    case .empty: return nil
    case .array(var stream, let isFirst, let isWrapped):
      guard let value = try stream.nextElement(isFirst: isFirst) else {
        if isWrapped, try !stream.takeIf(Byte.closeBrace) {
          throw Failure(line: stream.line, reason: "expected '}' after the array")
        }
        guard try stream.isAtEnd() else {
          throw Failure(line: stream.line, reason: "unexpected text after the array")
        }
        format = .empty
        return nil
      }
      format = .array(stream, isFirst: false, isWrapped: isWrapped)
      return try record(value, stream.line)
    case .lines(var stream):
      defer { format = .lines(stream) }
      if try stream.isAtEnd() { return nil }
      let line = stream.line
      return try record(try stream.value(), line)
    case .log(var log):
      defer { format = .log(log) }
      return try log.next()
    case .csv(var csv):
      format = .empty
      defer { format = .csv(csv) }
      guard try csv.next(count: columns.count) else { return nil }
      var entries: [ImportRecord.Entry] = []
      for (index, name) in columns.enumerated() {
        entries.append(ImportRecord.Entry(name: name, content: .field(try csv.field(index))))
      }
      return ImportRecord(line: csv.line, entries: entries)
    }
  }

  /// Reads records of a JSON file that are in memory: `read` gets a cursor, whether the records are elements of an array, and
  /// whether the next one is its first. Returns whether the reading ended with what is in memory, and the file goes on.
  mutating func readInPlace(_ read: (inout JSONCursor, Bool, inout Bool) -> Void) -> Bool {
    var cursor: JSONCursor
    switch format {
    case .array(var stream, var isFirst, let isWrapped):
      cursor = stream.cursor
      read(&cursor, true, &isFirst)
      stream.move(to: cursor)
      format = .array(stream, isFirst: isFirst, isWrapped: isWrapped)
    case .lines(var stream):
      cursor = stream.cursor
      var isFirst = true
      read(&cursor, false, &isFirst)
      stream.move(to: cursor)
      format = .lines(stream)
    case .csv, .log, .empty: return false
    }
    return cursor.isAtEnd && !buffer.isComplete
  }

  /// The memory that has what was read in place.
  var window: TextWindow { buffer.window }

  /// Reads more of the file.
  func fill() throws(Failure) {
    do throws(File.Failure) {
      try buffer.fill()
    } catch { throw Failure(line: 1, reason: error.reason) }
  }

  private func record(_ value: JSONValue, _ line: Int) throws(Failure) -> ImportRecord {
    guard case .object(let members) = value else {
      throw Failure(line: line, reason: "expected an object, found \(value.description)")
    }
    return ImportRecord(
      line: line,
      entries: members.map { ImportRecord.Entry(name: $0.name, content: .json($0.value)) })
  }
}

// MARK: CSV

extension ImportReader {
  /// The reader of a CSV file, at its first record; nil for other files.
  var csv: CSVReader? { if case .csv(let csv) = format { csv } else { nil } }

  private mutating func beginCSV(_ form: ImportForm) throws(Failure) {
    let sample = try sample(form)
    commentCount = sample.commentCount
    var dialect = form.dialect
    dialect.delimiter = sample.delimiter
    var csv = CSVReader(buffer, dialect)
    try skipComments(&csv)
    guard try csv.next() else { return }
    for index in 0..<csv.count {
      columns.append(form.hasHeader ? try csv.field(index).text : Self.name(ofColumn: index))
      if form.hasHeader { headerKinds.append(.kind(of: CellText.trimmed(csv.bytes(index)))) }
    }
    try numberDuplicates(csv.line, form.numbersDuplicate)
    if !form.hasHeader {
      try rewind()
      csv = CSVReader(buffer, dialect)
      try skipComments(&csv)
      try csv.skipToRecord()
      csv.model = "the first record"
    }
    csv.hasOneColumn = columns.count == 1
    format = .csv(csv)
  }

  private mutating func numberDuplicates(
    _ line: Int, _ mayBe: (String) -> Bool
  ) throws(Failure) {
    let given = KeySet(columns)
    guard given.count < columns.count else { return }
    var names = KeySet()
    var numbers: [MapKey: Int] = [:]
    for (index, name) in columns.enumerated() where !names.insert(name) {
      if name.isEmpty {
        columns[index] = Self.name(ofColumn: index)
        if !given.contains(columns[index]), names.insert(columns[index]) { continue }
      }
      let base = columns[index]
      var number = numbers[MapKey(base), default: 1]
      repeat {
        number += 1
        columns[index] = "\(base)_\(number)"
      } while given.contains(columns[index]) || !names.insert(columns[index])
      guard mayBe(columns[index]) else {
        throw Failure(line: line, reason: "duplicate column '\(name)'")
      }
      numbers[MapKey(base)] = number
    }
  }

  /// The name of a column that has none.
  private static func name(ofColumn index: Int) -> String { "column\(index + 1)" }

  private func skipComments(_ csv: inout CSVReader) throws(Failure) {
    for _ in 0..<commentCount { _ = try csv.next() }
  }

  private func rewind() throws(Failure) {
    do throws(File.Failure) {
      try buffer.rewind()
    } catch { throw Failure(line: 1, reason: error.reason) }
  }

  /// The first records, as the delimiter that the statement names, or else the likeliest one, separates them.
  private func sample(_ form: ImportForm) throws(Failure) -> TableSample {
    do throws(File.Failure) {
      var samples: [TableSample] = []
      for delimiter in (form.delimiter ?? buffer.separator).map({ [$0] }) ?? TableSample.delimiters
      {
        var dialect = form.dialect
        dialect.delimiter = delimiter
        samples.append(try TableSample(buffer, dialect))
      }
      return TableSample.likeliest(of: samples)
    } catch { throw Failure(line: 1, reason: error.reason) }
  }
}

extension CSVReader {
  /// Reads the next record, which must have this number of fields; returns false at the end.
  @inline(__always)
  mutating func next(count expected: Int) throws(JSONReader.Failure) -> Bool {
    guard try next() else { return false }
    if let failure = failure(unlessCount: expected) { throw failure }
    return true
  }

  /// What is wrong with the record that was read last, unless it has this number of fields, or may have fewer: then it
  /// has them now.
  @inline(__always)
  mutating func failure(unlessCount expected: Int) -> JSONReader.Failure? {
    count == expected ? nil : wrongCount(expected)
  }

  @inline(never)
  private mutating func wrongCount(_ expected: Int) -> JSONReader.Failure? {
    if dialect.allowsShortRecords, count < expected {
      fill(to: expected)
      return nil
    }
    return JSONReader.Failure(
      line: line,
      reason: "\(count) field\(count == 1 ? "" : "s") where \(model) has \(expected)")
  }
}
