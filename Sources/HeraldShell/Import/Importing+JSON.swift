import Herald

extension Importing {
  /// The columns of a JSON file that are read in place.
  private struct RowForm {
    var names: [String] = []
    var fields: [JSONField?] = []
    var columns: [RowColumn] = []
  }

  /// Adds the records of a JSON file or a log. Those of JSON that have only plain values, of columns that were seen before,
  /// are read in place and added as rows.
  mutating func runRecords(
    _ reader: inout ImportReader, _ progress: (Int, Double) throws -> Void
  ) throws {
    var names: [String] = []
    var known = KeySet()
    var form = RowForm()
    var insertion: RowInsertion?
    var formed = 0
    while let record = try addNext(&reader, progress) {
      let before = names.count
      for entry in record.entries where known.insert(entry.name) { names.append(entry.name) }
      // Records with new names may follow, for each of which the form would be another.
      if names.count > before || !reader.isJSON { continue }
      if names.count > formed {
        form = rowForm(names)
        formed = names.count
        insertion = self.insertion(of: form.columns)
      }
      guard let insertion else { continue }
      var pace = RecordsAlone()
      var rows = JSONRowReader(reader, form.names, form.fields, count: count)
      try addRows(&rows, form.columns, insertion, progress) { importing, rows in
        for _ in 0..<pace.next(after: rows.count) {
          guard let record = try importing.addNext(&rows.reader, progress) else { return false }
          rows.count += 1
          for entry in record.entries where known.insert(entry.name) { names.append(entry.name) }
          // What is new becomes a column of the next rows.
          if names.count > formed { return false }
        }
        return true
      }
      reader = rows.reader
    }
  }

  private mutating func rowForm(_ names: [String]) -> RowForm {
    var form = RowForm()
    for name in names {
      switch plan.target(of: name) {
      case .property(let property, let isText):
        let field = FieldForm(property.type, index: form.columns.count)
        guard field.isPlain else { continue }
        form.fields.append(JSONField(property, isText: isText))
        form.columns.append(RowColumn(name: name, property: property, form: field))
      case .skipped: form.fields.append(nil)
      case .number, .unknown, .unclear: continue
      }
      form.names.append(name)
    }
    return form
  }

  /// Adds the object of the next record, which it returns; nil after the last.
  private mutating func addNext(
    _ reader: inout ImportReader, _ progress: (Int, Double) throws -> Void
  ) throws -> ImportRecord? {
    guard let record = try reader.next() else { return nil }
    count += 1
    try add(record, number: count, &reader)
    if count % Self.recordsBetween == 0 { try progress(count, reader.progress) }
    return record
  }
}

/// How many records in a row are read alone, before others are tried to be read in place: more where that is in vain.
private struct RecordsAlone {
  private static let most = 64

  private var count = 1
  private var last = -1

  /// `records`: how many have been read.
  mutating func next(after records: Int) -> Int {
    count = records == last ? min(Self.most, 2 * count) : 1
    last = records + count
    return count
  }
}
