import Herald

/// Reads records of a CSV file as rows of plain values. It needs no store, so that any thread may read.
struct PlainRowReader {
  enum Stop {
    /// No more rows fit.
    case full
    /// The next record needs another part of the file, whose text replaces that of the rows, or cannot be read.
    case window
    /// The record that was read last has more than plain values, and is in none of the rows.
    case other
    /// The record that was read last is wrong.
    case failure(JSONReader.Failure)
  }

  var reader: CSVReader
  let forms: [FieldForm]
  /// The same by the fields of a record.
  private let fields: [PlainField]
  /// The number of records that were read.
  private(set) var count = 0
  /// Whether the record that was read last is the next row.
  private var hasRecord = false

  init(_ reader: CSVReader, _ forms: [FieldForm], fieldCount: Int) {
    self.reader = reader
    self.forms = forms
    fields = PlainField.fields(forms, count: fieldCount)
  }

  /// Reads rows, in the part of the file that is in memory.
  mutating func fill(_ rows: PlainRows) -> Stop {
    rows.begin(in: reader.window, from: count + 1, progress: reader.progress)
    while !rows.isFull {
      if hasRecord {
        hasRecord = false
      } else {
        let read = rows.takePlain(&reader, fields)
        count += read
        if rows.isFull { break }
        if !reader.nextInPlace() { return .window }
      }
      if let failure = reader.failure(unlessCount: fields.count) { return .failure(failure) }
      count += 1
      guard read(into: rows.next) else { return .other }
      rows.take(line: reader.line)
    }
    return .full
  }

  /// Reads the next record, which becomes the next row; the texts of earlier rows must not be used any more, unless
  /// these retain their window. Returns false at the end of the file.
  mutating func next() throws(JSONReader.Failure) -> Bool {
    hasRecord = try reader.next()
    return hasRecord
  }

  /// Reads the fields of a record; returns false if another way to read one must decide.
  private mutating func read(into values: UnsafeMutablePointer<PlainValue>) -> Bool {
    for position in forms.indices {
      let form = forms[position]
      let bytes = reader.bytes(form.index)
      let isQuoted = reader.isQuoted(form.index)
      if bytes.isEmpty, !isQuoted, form.isOptional {
        values[position] = .null
      } else if let value = CellText.value(bytes, isQuoted: isQuoted, form.element) {
        values[position] = value
      } else {
        return false
      }
    }
    return true
  }
}
