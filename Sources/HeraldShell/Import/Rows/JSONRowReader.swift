import Herald

/// A member of records of JSON that becomes a value of a row.
struct JSONField {
  let element: ElementType
  let isOptional: Bool
  /// Whether values that are no strings are not taken as they are.
  let isText: Bool
  /// Its value in records that lack it; nil if that is not plain.
  let absent: PlainValue?

  init(_ property: PropertySchema, isText: Bool) {
    element = property.type.element
    isOptional = property.type.isOptional
    self.isText = isText
    absent = isOptional && property.defaultValue == nil && !property.isGenerated ? .null : nil
  }
}

/// Reads records of JSON as rows of plain values.
struct JSONRowReader: RowSource {
  var reader: ImportReader
  private let table: JSONTable
  /// By their columns; nil for a column that is skipped.
  private let fields: [JSONField?]
  /// The positions of the columns' values in a row.
  private let positions: [Int]
  private let absent: [PlainValue?]
  let columnCount: Int
  var count: Int

  /// - Parameter count: The number of records that were read before.
  init(_ reader: ImportReader, _ names: [String], _ fields: [JSONField?], count: Int) {
    self.reader = reader
    self.fields = fields
    self.count = count
    table = JSONTable(names)
    var positions: [Int] = []
    var next = 0
    for field in fields {
      positions.append(next)
      if field != nil { next += 1 }
    }
    self.positions = positions
    absent = fields.compactMap { $0 }.map(\.absent)
    columnCount = next
  }

  mutating func fill(_ rows: PlainRows) -> RowStop {
    rows.begin(in: reader.window, from: count + 1, progress: reader.progress)
    let form = self
    let isAtEnd = reader.readInPlace { cursor, isArray, isFirst in
      while !rows.isFull {
        let place = cursor
        guard isFirst || !isArray || cursor.take(Byte.comma), cursor.next == Byte.openBrace
        else { return cursor.return(to: place) }
        let line = cursor.line
        guard form.takeRow(&cursor, rows) else { return cursor.return(to: place) }
        isFirst = false
        rows.take(line: isArray ? cursor.line : line)
      }
    }
    count += rows.count
    if rows.isFull { return .full }
    return isAtEnd ? .window : .other
  }

  mutating func next() throws(JSONReader.Failure) -> Bool {
    try reader.fill()
    return true
  }

  /// Takes a record as the next row; returns false if it has to be read in another way.
  @inline(__always)
  private func takeRow(_ cursor: inout JSONCursor, _ rows: PlainRows) -> Bool {
    let row = rows.next
    let isRow = cursor.takeRecord(table) { cursor, index in
      guard let value = Self.value(&cursor, fields[index], rows) else { return false }
      if fields[index] != nil { row[positions[index]] = value }
      return true
    }
    if !isRow { return false }
    if table.marked == table.count { return true }
    for index in fields.indices where !table.isMarked(index) && fields[index] != nil {
      guard let value = absent[positions[index]] else { return false }
      row[positions[index]] = value
    }
    return true
  }

  /// Takes a value; nil if it is not a plain one of the field.
  @inline(__always)
  private static func value(
    _ cursor: inout JSONCursor, _ field: JSONField?, _ rows: PlainRows
  ) -> PlainValue? {
    switch cursor.bytes[cursor.offset] {
    case 0x22:
      guard let string = cursor.takeString() else { return nil }
      return text(cursor, string, field, rows)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let range = cursor.takeNumber() else { return nil }
      return number(cursor.text(range), field)
    case UInt8(ascii: "n"):
      return cursor.take(word: "null") && field?.isOptional ?? true ? .null : nil
    case UInt8(ascii: "t"): return cursor.take(word: "true") ? bool(true, field) : nil
    case UInt8(ascii: "f"): return cursor.take(word: "false") ? bool(false, field) : nil
    default: return nil
    }
  }

  private static func bool(_ value: Bool, _ field: JSONField?) -> PlainValue? {
    guard let field else { return .null }
    return field.element == .bool && !field.isText ? .bool(value) : nil
  }

  @inline(__always)
  private static func text(
    _ cursor: JSONCursor, _ string: (range: Range<Int>, isASCII: Bool, hasEscapes: Bool),
    _ field: JSONField?, _ rows: PlainRows
  ) -> PlainValue? {
    let bytes: CellText.Bytes
    if string.hasEscapes {
      guard let text = cursor.unescaped(string.range) else { return nil }
      bytes = rows.keep(text)
    } else {
      bytes = cursor.text(string.range)
      guard string.isASCII || String(validating: bytes, as: UTF8.self) != nil else { return nil }
    }
    guard let field else { return .null }
    switch field.element {
    case .string: return .text(UnsafeRawBufferPointer(bytes))
    case .bool: return CellText.bool(CellText.trimmed(bytes)).map { .bool($0) }
    case .date: return Timestamp(iso8601: bytes).map { .date($0) }
    case .uuid: return UniqueID(utf8: bytes).map { .uuid($0) }
    case .int, .double, .float, .data, .decimal, .objectID, .any, .link: return nil
    }
  }

  @inline(__always)
  private static func number(_ bytes: CellText.Bytes, _ field: JSONField?) -> PlainValue? {
    guard JSONReader.isNumber(bytes) else { return nil }
    guard let field else { return .null }
    if field.isText { return nil }
    switch field.element {
    case .int: return CellText.int(bytes).map { .int($0) }
    case .double:
      guard let value = CellText.double(bytes) else { return nil }
      // A whole number has no negative zero.
      return bytes.count == 2 && value == 0 ? .double(0) : .double(value)
    case .bool:
      guard bytes.count == 1, bytes[0] <= UInt8(ascii: "1") else { return nil }
      return .bool(bytes[0] == UInt8(ascii: "1"))
    case .string, .date, .uuid, .float, .data, .decimal, .objectID, .any, .link: return nil
    }
  }
}
