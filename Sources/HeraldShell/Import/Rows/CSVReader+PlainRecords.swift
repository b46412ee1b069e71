import Herald

/// How a field of a record becomes a value of a row.
struct PlainField {
  enum Kind: UInt8 {
    case int, double, text, other, skipped
  }

  let kind: Kind
  let isOptional: Bool
  let element: ElementType
  /// The position of its value in the row.
  let position: Int

  /// A field that becomes no value.
  static let skipped = PlainField(kind: .skipped, isOptional: true, element: .string, position: 0)

  /// The fields of a record, of which these become values.
  static func fields(_ forms: [FieldForm], count: Int) -> [PlainField] {
    var fields = [PlainField](repeating: .skipped, count: count)
    for (position, form) in forms.enumerated() {
      let kind: Kind =
        switch form.element {
        case .int: .int
        case .double: .double
        case .string: .text
        case .bool, .float, .data, .date, .decimal, .uuid, .objectID, .link, .any: .other
        }
      fields[form.index] = PlainField(
        kind: kind, isOptional: form.isOptional, element: form.element, position: position)
    }
    return fields
  }
}

extension CSVReader {
  /// Reads records without quotes straight into values, `stride` of them for each, until there are `limit`, or there is one
  /// that has to be read in another way. Returns how many.
  @inline(never)
  mutating func readPlain(
    _ fields: UnsafeBufferPointer<PlainField>, limit: Int,
    into target: UnsafeMutablePointer<PlainValue>, stride: Int, lines: UnsafeMutablePointer<Int>
  ) -> Int {
    guard readsPlainRecords else { return 0 }
    let plain = PlainFields(buffer, dialect)
    let last = fields.count &- 1
    var values = target
    var offset = buffer.start
    var count = 0
    CellText.withPowersOfTen { powers in
      records: while count < limit, plain.mayBegin(at: offset) {
        var start = offset
        for index in 0...last {
          guard let end = plain.end(from: start, isLast: index == last),
            let value = Self.value(plain, start..<end, fields[index], powers)
          else { break records }
          if fields[index].kind != .skipped { values[fields[index].position] = value }
          start = end &+ 1
        }
        offset = start
        lines[count] = nextLine &+ count
        count &+= 1
        values += stride
      }
    }
    buffer.start = offset
    nextLine &+= count
    return count
  }

  /// The value of a field; nil if another way to read it must decide.
  @inline(__always)
  private static func value(
    _ plain: PlainFields, _ range: Range<Int>, _ field: PlainField, _ powers: UnsafePointer<Double>
  ) -> PlainValue? {
    if range.isEmpty { return field.isOptional ? .null : nil }
    switch field.kind {
    case .int:
      guard let value = plain.int(range) else { return nil }
      return .int(value)
    case .double:
      guard let value = plain.double(range, powers) else { return nil }
      return .double(value)
    case .text:
      guard plain.isPrintableASCII(range) else { return nil }
      return .text(UnsafeRawBufferPointer(plain.text(range)))
    case .other:
      guard plain.isPrintable(range) else { return nil }
      return other(plain.text(range), field.element)
    case .skipped: return plain.isPrintable(range) ? .null : nil
    }
  }

  @inline(never)
  private static func other(_ bytes: CellText.Bytes, _ element: ElementType) -> PlainValue? {
    CellText.value(bytes, isQuoted: false, element)
  }

  /// Notes what the fields of records without quotes look like, one of `fields` for each, until there are `limit`, or there
  /// is one that has to be read in another way. Returns how many.
  @inline(never)
  mutating func notePlain(_ fields: UnsafeMutableBufferPointer<FieldKinds>, limit: Int) -> Int {
    guard readsPlainRecords else { return 0 }
    let plain = PlainFields(buffer, dialect)
    let last = fields.count &- 1
    let hasKeys = fields.contains(where: \.isKey)
    var offset = buffer.start
    var count = 0
    records: while count < limit, plain.mayBegin(at: offset) {
      var start = offset
      for index in 0...last {
        // Of a record that turns out to be of another form, what is noted twice is the same.
        guard let end = plain.end(from: start, isLast: index == last),
          fields[index].note(plain, start..<end)
        else { break records }
        start = end &+ 1
      }
      if hasKeys { Self.noteKeys(fields, plain, from: offset) }
      offset = start
      count &+= 1
    }
    buffer.start = offset
    nextLine &+= count
    return count
  }

  /// Notes the fields of a record in columns that may be keys.
  @inline(never)
  private static func noteKeys(
    _ fields: UnsafeMutableBufferPointer<FieldKinds>, _ plain: PlainFields, from offset: Int
  ) {
    var start = offset
    for index in fields.indices {
      guard let end = plain.end(from: start, isLast: index == fields.count - 1) else { return }
      if fields[index].isKey { fields[index].noteKey(plain.text(start..<end)) }
      start = end &+ 1
    }
  }
}
