import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// Records of JSON that are read in place, compared with those that are read value by value.
@Suite struct JSONRecordTests {
  private static let seeds = (0..<UInt64(40)).map { firstSeed + $0 }

  private static let names = ["id", "a", "é", "long name of a column", "n"]
  private static let values = [
    "0", "1", "-1", "-0", "42", "123456789012345678", "9007199254740993", "9223372036854775808",
    "1.5", "-2.25e3", "0.1", "1e400", "-1e-400", "5.0", "007", "1.", ".5", "+1", "-", "1e",
    "1200340056.0070080090", "1234567890123456789012345678901234567890", "null", "true", "false",
    "nul", "True", "\"\"", "\"x\"", "\"a text that is longer than a word\"", "\"é日本\"",
    "\"a\\n\\\"b\\\" \\u00e9 \\ud83d\\ude00\"", "\"\\x\"", "\"\\ud800\"", "\"tab\there\"",
    "\"2020-01-01\"", "\"2020-01-01T10:00:00.5Z\"", "\"9f2c1a52-6a5b-4b0e-8c1d-0123456789ab\"",
    "\"9F2C1A52-6A5B-4B0E-8C1D-0123456789AB\"", "\"yes\"", "\"NO\"", "\"nan\"", "[]", "[1, null]",
    "{}", "{\"b\": [1, \"]\"]}", "{\"$oid\": \"507f1f77bcf86cd799439011\"}", "[1,", "\"open",
  ]

  private static func text(_ random: inout SplitMix64) -> String {
    let choices = names.map { _ in (0..<random.below(3) + 1).map { _ in random.pick(values) } }
    let isArray = random.chance(50)
    var records: [String] = []
    for _ in 0..<random.below(12) {
      var members = zip(names, choices).map {
        "\(gap(&random))\"\($0)\"\(gap(&random)):" + random.pick($1)
      }
      if random.chance(15) { members.shuffle(using: &random) }
      if random.chance(20) { members.removeLast(random.below(members.count)) }
      if random.chance(3) { members.append(members[0]) }
      if random.chance(5) { members.append("\"other\": 1") }
      records.append("{\(members.joined(separator: "\(gap(&random)),"))\(gap(&random))}")
    }
    let separator = isArray ? "," : "\n"
    let body = records.map { gap(&random) + $0 }.joined(separator: separator)
    return isArray ? "[\(body)]\(gap(&random))" : body
  }

  private static func gap(_ random: inout SplitMix64) -> String {
    random.chance(80) ? "" : random.pick([" ", "\n", "\r\n", "\t ", "\n\n"])
  }

  private static func reader(_ text: String, _ random: inout SplitMix64) throws -> ImportReader {
    let source = PieceSource(Array(text.utf8), largest: random.pick([7, 60, 1 << 16]))
    return try ImportReader(try ImportInput(source), ImportForm(isJSON: true))
  }

  /// A record as the values of its fields, if all are plain.
  private static func row(
    _ line: Int, _ record: ImportRecord, _ columns: [PropertySchema]
  ) -> String {
    var row = "\(line):"
    for entry in record.entries where !columns.contains(where: { $0.name == entry.name }) {
      row += " \(entry)"
    }
    for column in columns {
      let entry = record.entries.first { $0.name.hasSameBytes(as: column.name) }
      guard let entry, entry.content != .json(.null) else {
        row += column.type.isOptional || entry == nil ? " null" : " wrong"
        continue
      }
      let value = ImportValue.plain(entry.content, column.type)
      row += value.map { " \($0)" } ?? " \(entry.content)"
    }
    return row
  }

  private static func expected(_ reader: ImportReader, _ columns: [PropertySchema]) -> [String] {
    var reader = reader
    var rows: [String] = []
    do {
      while let record = try reader.next() { rows.append(row(record.line, record, columns)) }
    } catch {
      rows.append("\(error.line): \(error.reason)")
    }
    return rows
  }

  private static func found(
    _ reader: ImportReader, _ columns: [PropertySchema]
  ) -> (rows: [String], inPlace: Int) {
    var read = JSONRowReader(
      reader, columns.map(\.name), columns.map { JSONField($0, isText: false) }, count: 0)
    let rows = PlainRows(columnCount: columns.count)
    var found: [String] = []
    var inPlace = 0
    do {
      while true {
        let stop = read.fill(rows)
        inPlace += rows.count
        for index in 0..<rows.count {
          let position = rows.position(index)
          #expect(position.record == found.count + 1)
          let values = rows.values(index..<index + 1).map { " \($0.value)" }.joined()
          found.append("\(position.line):" + values)
        }
        rows.removeAll()
        switch stop {
        case .full, .failure: break
        case .window: #expect(try read.next())
        case .other:
          guard let record = try read.reader.next() else { return (found, inPlace) }
          read.count += 1
          found.append(row(record.line, record, columns))
        }
      }
    } catch {
      return (found + ["\(error.line): \(error.reason)"], inPlace)
    }
  }

  @Test(arguments: seeds)
  func `rows are those that are read value by value`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let elements: [ElementType] = [.int, .double, .string, .bool, .date, .uuid, .decimal]
    for _ in 0..<100 {
      let columns = Self.names.enumerated().map { index, name in
        PropertySchema(
          id: PropertyID(UInt32(index)), name: name,
          type: PropertyType(random.pick(elements), isOptional: random.chance(80)))
      }
      let text = Self.text(&random)
      guard let reader = try? Self.reader(text, &random) else { continue }
      let expected = Self.expected(try Self.reader(text, &random), columns)
      let found = Self.found(reader, columns)
      #expect(found.rows == expected, "seed \(seed): \(text)")
    }
  }

  @Test func `records of plain values are all read in place`() throws {
    var random = SplitMix64(seed: firstSeed)
    let columns = zip(Self.names, [ElementType.int, .double, .string, .bool, .date]).enumerated()
      .map { index, column in
        PropertySchema(
          id: PropertyID(UInt32(index)), name: column.0,
          type: PropertyType(column.1, isOptional: true))
      }
    let record = """
      {"id": 1, "a": 1.5, "é": "x", "long name of a column": true, "n": "2020-01-01"}

      """
    let text = String(repeating: record, count: 20)
    let found = Self.found(try Self.reader(text, &random), columns)
    #expect(found.rows == Self.expected(try Self.reader(text, &random), columns))
    #expect(found.inPlace == 20)
  }

  @Test(arguments: seeds)
  func `what is inferred is what its values are, one by one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let text = Self.text(&random)
      guard var reader = try? Self.reader(text, &random) else { continue }
      var values: [String: InferredValue] = [:]
      var counts: [String: Int] = [:]
      var records = 0
      var other = try Self.reader(text, &random)
      var failure: JSONReader.Failure?
      do throws(JSONReader.Failure) {
        while let record = try other.next() {
          records += 1
          for entry in record.entries {
            guard case .json(let json) = entry.content else { continue }
            let value = values[entry.name] ?? InferredValue(isKey: entry.name == "id")
            values[entry.name] = value
            value.note(json)
            counts[entry.name, default: 0] += 1
          }
        }
      } catch {
        failure = error
      }
      var inference = ColumnInference(className: "T", ColumnChoice())
      do {
        try inference.run(&reader) { _, _ in }
        #expect(failure == nil, "seed \(seed): \(text)")
      } catch {
        #expect(error as? JSONReader.Failure == failure, "seed \(seed): \(text)")
        continue
      }
      #expect(inference.columns.count == values.count)
      for column in inference.columns {
        let value = try #require(values[column.name])
        #expect(
          Self.description(column.value) == Self.description(value), "seed \(seed): \(text)")
        #expect(column.isAlwaysThere == (counts[column.name] == records), "seed \(seed): \(text)")
      }
    }
  }

  private static func description(_ value: InferredValue) -> String {
    let elements = value.elements.map(description) ?? "-"
    let members = value.object?.members.map {
      "\($0.name) \(description($0.value)) \($0.isAlwaysThere)"
    }
    // What else a string looks like decides nothing once another is only a text.
    let kinds = value.kinds.contains(.text) ? value.kinds.subtracting([.date, .uuid]) : value.kinds
    return "\(kinds) \(value.hasNil) \(value.isText) \(value.key?.isUnique ?? false) "
      + "[\(elements)] \(members ?? []) \(value.object?.count ?? 0)"
  }

  @Test func `a file of many names and one of many rows are both read in place`() throws {
    let names = (0..<600).map { "column number \($0)" }
    let table = JSONTable(names)
    for (index, name) in names.enumerated() {
      let found = Array(name.utf8).withUnsafeBufferPointer { table.index(of: $0) }
      #expect(found == index)
    }
    table.begin()
    #expect(table.mark(5) && !table.mark(5) && table.mark(6))
    table.begin()
    #expect(table.mark(5))
  }

  @Test func `a long file of JSON Lines keeps every record, whatever stands between`() throws {
    var lines = (0..<40_000).map {
      "{\"n\": \($0), \"text\": \"a text, number \($0)\", \"x\": \($0).25}"
    }
    for index in stride(from: 700, to: 40_000, by: 5_003) {
      lines[index] = "{\"text\": \"\\u00e9 \\\"\(index)\\\"\", \"n\": \(index), \"x\": null}"
      lines[index + 1] = "{\"x\": \(index), \"n\": \(index + 1), \"new\(index)\": [1]}"
    }
    for text in [lines.joined(separator: "\n"), "[" + lines.joined(separator: ",\n") + "]"] {
      try withFile(Array(text.utf8)) { path in
        let run = ScriptRun(
          """
          import "\(path)" as new T
          print T.@count, T.@sum.n, (T where text == nil).@count, (T where x == nil).@count
          print (T where text CONTAINS "é").@count, (T where new700.@count == 1)[0].n
          """)
        #expect(!run.errors.contains("error:"), "\(run.errors)")
        #expect(run.output == "40000 799980000 8 8\n8 701\n")
      }
    }
  }
}

/// Bytes in memory, read in pieces.
private final class PieceSource: RewindableSource {
  private let bytes: [UInt8]
  private let largest: Int
  private(set) var position = 0

  init(_ bytes: [UInt8], largest: Int) {
    self.bytes = bytes
    self.largest = largest
  }

  var size: Int { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position, largest)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }

  func rewind() { position = 0 }
}
