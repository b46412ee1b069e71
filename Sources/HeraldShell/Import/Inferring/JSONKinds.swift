import Herald

/// What the members of records of JSON look like, noted without making values of them.
struct JSONKinds {
  /// A column; nil in place of its value if it is skipped.
  struct Column {
    let value: InferredValue?
    let isText: Bool
  }

  private struct Noted {
    let isText: Bool
    let isKey: Bool
    var kinds: ScalarKinds = []
    var hasNil = false
    /// Whether a value is no string.
    var hasOther = false
    /// How many of the records that lack some columns have this one.
    var appearances = 0

    init(_ column: Column) {
      isText = column.isText
      isKey = column.value?.key != nil
    }

    /// Adds the kind of a value that is no string.
    @inline(__always)
    mutating func add(_ kind: ScalarKinds) {
      kinds.insert(isText ? .text : kind)
      if !isText { hasOther = true }
    }
  }

  private let table: JSONTable
  private let columns: [Column]
  private var noted: [Noted]
  /// How many records have every column.
  private var wholeRecords = 0
  /// The arrays and objects in it, which count only once the record has been read.
  private var nested: [(index: Int, value: JSONValue)] = []
  /// Its values of columns that may be keys; an empty range for one that cannot be.
  private var keys: [(index: Int, text: Range<Int>?)] = []

  init(_ names: [String], _ columns: [Column]) {
    table = JSONTable(names)
    self.columns = columns
    noted = columns.map { Noted($0) }
  }

  var count: Int { columns.count }

  /// Notes the records that can be read in place, at most `limit`; returns how many, and whether they ended with the part of
  /// the file that is in memory.
  mutating func note(_ reader: inout ImportReader, limit: Int) -> (count: Int, isAtEnd: Bool) {
    var count = 0
    let isAtEnd = reader.readInPlace { cursor, isArray, isFirst in
      while count < limit {
        let place = cursor
        guard isFirst || !isArray || cursor.take(Byte.comma), cursor.next == Byte.openBrace,
          noteRecord(&cursor)
        else { return cursor.return(to: place) }
        isFirst = false
        count += 1
      }
    }
    return (count, isAtEnd)
  }

  private mutating func noteRecord(_ cursor: inout JSONCursor) -> Bool {
    nested.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    guard cursor.takeRecord(table, { note(&$0, $1) }) else { return false }
    if table.marked == table.count {
      wholeRecords += 1
    } else {
      for index in noted.indices where table.isMarked(index) { noted[index].appearances += 1 }
    }
    for (index, value) in nested { columns[index].value?.note(value) }
    for (index, text) in keys {
      columns[index].value?.noteKey(ofJSON: text.map { cursor.text($0) })
    }
    return true
  }

  /// Notes a value; of a record that turns out to be of another form, kinds that are noted twice are the same.
  @inline(__always)
  private mutating func note(_ cursor: inout JSONCursor, _ index: Int) -> Bool {
    switch cursor.bytes[cursor.offset] {
    case 0x22: return noteString(&cursor, index)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let range = cursor.takeNumber(), let kind = Self.kind(ofNumber: cursor.text(range))
      else { return false }
      noted[index].add(kind)
      if noted[index].isKey {
        keys.append((index, kind.isSubset(of: [.int, .wideInt]) ? range : nil))
      }
      return true
    case UInt8(ascii: "n"):
      guard cursor.take(word: "null") else { return false }
      noted[index].hasNil = true
      if noted[index].isKey { keys.append((index, nil)) }
      return true
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard cursor.take(word: "true") || cursor.take(word: "false") else { return false }
      noted[index].add(.bool)
      if noted[index].isKey { keys.append((index, nil)) }
      return true
    case Byte.openBrace, Byte.openBracket:
      guard let value = cursor.takeNested() else { return false }
      nested.append((index, noted[index].isText ? .string(value.text) : value))
      return true
    default: return false
    }
  }

  @inline(__always)
  private mutating func noteString(_ cursor: inout JSONCursor, _ index: Int) -> Bool {
    guard let string = cursor.takeString() else { return false }
    if string.hasEscapes {
      guard let text = cursor.unescaped(string.range) else { return false }
      if noted[index].isKey { return false }
      noted[index].kinds.formUnion(ScalarKinds.kind(of: .string(text)) ?? .text)
      return true
    }
    let bytes = cursor.text(string.range)
    guard string.isASCII || String(validating: bytes, as: UTF8.self) != nil else { return false }
    if !noted[index].kinds.contains(.text) {
      noted[index].kinds.insert(ScalarKinds.kind(ofJSONText: bytes))
    }
    if noted[index].isKey { keys.append((index, string.range)) }
    return true
  }

  /// The kind of a number; nil if it is none of JSON, or another way to read it must decide.
  @inline(__always)
  private static func kind(ofNumber bytes: CellText.Bytes) -> ScalarKinds? {
    // Such a number is one of JSON.
    if let kind = ScalarKinds.kind(ofShortNumber: bytes) { return kind == .bit ? .int : kind }
    guard JSONReader.isNumber(bytes) else { return nil }
    return JSONValue(number: String(decoding: bytes, as: UTF8.self)).flatMap { value in
      // Digits that are kept as a text are read as such.
      if case .digits = value { return nil }
      return ScalarKinds.kind(of: value)
    }
  }

  /// Adds what was noted to what is known of the columns; `appearances` is called with the number of records of each.
  mutating func report(_ appearances: (Int, Int) -> Void) {
    for index in noted.indices {
      let one = noted[index]
      columns[index].value?.note(one.kinds, hasNil: one.hasNil, hasOther: one.hasOther)
      appearances(index, one.appearances + wholeRecords)
    }
    noted = columns.map { Noted($0) }
    wholeRecords = 0
  }
}
