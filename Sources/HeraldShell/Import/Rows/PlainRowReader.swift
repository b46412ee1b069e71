import Herald

/// Reads records of a CSV file as rows of plain values. A record that has to be added alone is the one that was read last.
struct PlainRowReader: RowSource {
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

  var columnCount: Int { forms.count }

  mutating func fill(_ rows: PlainRows) -> RowStop {
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

  /// Reads the next record, which becomes the next row.
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
      if bytes.isEmpty, form.isNil(isQuoted: isQuoted) {
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
