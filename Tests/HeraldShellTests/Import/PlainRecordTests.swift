import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// Records that are read in words of eight bytes, compared with those that are read byte by byte.
@Suite struct PlainRecordTests {
  private static let seeds = (0..<UInt64(40)).map { firstSeed + $0 }

  private static let cells = [
    "", "0", "1", "-0", "-7", "007", "42", "12345678", "123456789", "1234567890123456",
    "12345678901234567", "9223372036854775807", "9223372036854775808", "-", "--1", "2.5", "-2.25",
    "2.", ".5", "1.2.3", "4095.9375", "1234567.12345678", "12345678.12345678", "0.1", "1e5", "nan",
    "true", "x", "Entry 17", "twelve bytes", "sixteen bytes ok", "é日本", "a\u{1}b", "a\tb", " 1 ",
    "12:3", "1/2", "\"q\"", "\"a,b\"", "\"a\nb\"", "2020-01-01", "\r", "1\r2", "00", "10", "01.5",
  ]

  /// A file of columns with cells of few kinds, which may have wrong records.
  private static func text(_ random: inout SplitMix64, columns: Int) -> String {
    let choices = (0..<columns).map { _ in
      (0..<random.below(4) + 1).map { _ in random.pick(cells) }
    }
    var text = ""
    for _ in 0..<random.below(30) {
      text += choices.map { random.pick($0) }.joined(separator: ",")
      if random.chance(3) { text += "," }
      text += random.chance(15) ? "\r\n" : random.chance(4) ? "\n\n" : "\n"
    }
    return text
  }

  private static func reader(_ text: String) throws -> CSVReader {
    CSVReader(ImportBuffer(try ImportInput(MemorySource(Array(text.utf8)))))
  }

  /// What a reader's records contain, with their lines, to the first that is wrong.
  private static func rows(_ reader: CSVReader, _ forms: [FieldForm]) -> [String] {
    var reader = reader
    var found: [String] = []
    do {
      while try reader.next() {
        if reader.count != forms.count { return found + ["\(reader.line): \(reader.count) fields"] }
        found.append(row(&reader, forms))
      }
    } catch {
      found.append("\(error.line): \(error.reason)")
    }
    return found
  }

  /// The same of rows that were read for an import.
  private static func plainRows(_ reader: CSVReader, _ forms: [FieldForm]) -> [String] {
    var plain = PlainRowReader(reader, forms, fieldCount: forms.count)
    let rows = PlainRows(columnCount: forms.count)
    var found: [String] = []
    do {
      while true {
        let stop = plain.fill(rows)
        for row in 0..<rows.count {
          let values = rows.values(row..<row + 1).map { " \($0.value)" }.joined()
          let position = rows.position(row)
          #expect(position.record == found.count + 1)
          found.append("\(position.line):" + values)
        }
        rows.removeAll()
        switch stop {
        case .full: break
        case .window: if try !plain.next() { return found }
        case .other:
          found.append(row(&plain.reader, forms))
        case .failure: return found + ["\(plain.reader.line): \(plain.reader.count) fields"]
        }
      }
    } catch {
      return found + ["\(error.line): \(error.reason)"]
    }
  }

  private static func row(_ reader: inout CSVReader, _ forms: [FieldForm]) -> String {
    var row = "\(reader.line):"
    for form in forms {
      let bytes = reader.bytes(form.index)
      let isQuoted = reader.isQuoted(form.index)
      let isNil = bytes.isEmpty && !isQuoted && form.isOptional
      let value = CellText.value(bytes, isQuoted: isQuoted, form.element)
      row += " \(isNil ? .null : value?.value ?? .string("other"))"
    }
    return row
  }

  @Test(arguments: seeds)
  func `rows are those that are read byte by byte`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let elements: [ElementType] = [.int, .double, .string, .bool, .date, .uuid]
    for _ in 0..<100 {
      let forms = (0..<random.below(4) + 1).map { index in
        FieldForm(
          PropertyType(random.pick(elements), isOptional: random.chance(50)), index: index)
      }
      let text = Self.text(&random, columns: forms.count)
      let expected = Self.rows(try Self.reader(text), forms)
      let found = Self.plainRows(try Self.reader(text), forms)
      #expect(found == expected, "seed \(seed): \(text.debugDescription)")
    }
  }

  @Test(arguments: seeds)
  func `kinds are those of fields that are read one by one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let columns = random.below(4) + 1
      let text = Self.text(&random, columns: columns)
      let (expected, found) = (InferredKinds(columns), InferredKinds(columns))
      let isWhole = expected.note(try Self.reader(text), isPlain: false)
      #expect(found.note(try Self.reader(text), isPlain: true) == isWhole, "seed \(seed)")
      if isWhole { #expect(found.all == expected.all, "seed \(seed): \(text.debugDescription)") }
    }
  }

  @Test func `digits are counted and read as numbers`() throws {
    var random = SplitMix64(seed: givenSeed ?? 5)
    for _ in 0..<20_000 {
      var bytes = (0..<8).map { _ in
        random.chance(80) ? UInt8(random.below(10)) + 0x30 : UInt8(random.below(256))
      }
      let isDigit = bytes.map { (0x30..<0x3A).contains($0) }
      bytes += [0]
      let word = bytes.withUnsafeBufferPointer { DecimalDigits.word($0.baseAddress!) }
      #expect(DecimalDigits.count(word) == isDigit.prefix { $0 }.count, "\(bytes)")
      for count in 1...8 {
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        let expected = isDigit[..<count].allSatisfy(\.self) ? UInt64(text) : nil
        #expect(DecimalDigits.value(word, count: count) == expected, "\(bytes), \(count)")
      }
    }
  }

  @Test(arguments: seeds)
  func `a column is unique if its halves are, and have no value in common`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let range = random.pick([8, 40, 100_000])
      var (whole, first, second) = (KeyCandidate(), KeyCandidate(), KeyCandidate())
      let isAscending = random.chance(50)
      let count = random.below(30)
      for index in 0..<count {
        let text =
          isAscending
          ? "\(index * (random.chance(90) ? 1 : 2))"
          : random.chance(80) ? "\(random.below(range))" : "k\(random.below(range))"
        Array(text.utf8).withUnsafeBufferPointer {
          whole.note($0)
          if index < count / 2 { first.note($0) } else { second.note($0) }
        }
      }
      first.merge(second)
      #expect(first.isUnique == whole.isUnique, "seed \(seed)")
    }
  }
}

/// What is noted of the columns of a file.
private final class InferredKinds {
  private let values: [InferredValue]

  init(_ count: Int) { values = (0..<count).map { InferredValue(isKey: $0 == 0) } }

  var all: [String] { values.map { "\($0.kinds) \($0.hasNil) \($0.key?.isUnique ?? false)" } }

  /// Returns whether the whole file could be read.
  func note(_ reader: CSVReader, isPlain: Bool) -> Bool {
    var reader = reader
    let fields = UnsafeMutableBufferPointer<FieldKinds>.allocate(capacity: values.count)
    defer { fields.deallocate() }
    for (index, value) in values.enumerated() {
      fields.initializeElement(at: index, to: FieldKinds(position: index, value: value))
    }
    do {
      repeat {
        if isPlain { _ = reader.notePlain(fields, limit: 7) }
        guard try reader.next() else { break }
        if reader.count != values.count { return false }
        for index in fields.indices { fields[index].note(&reader) }
      } while true
    } catch {
      return false
    }
    for kinds in fields { kinds.report() }
    return true
  }
}
