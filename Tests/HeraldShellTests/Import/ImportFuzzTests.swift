import TestSupport
import Testing

@testable import HeraldShell

/// Makes files of values of every kind.
private struct RandomFile {
  var random: SplitMix64

  private static let cells = [
    "", "\"\"", "0", "1", "-7", "007", "9007199254740993", "123456789012345678901", "2.5", "-.5",
    "1e5", "1e999", "nan", "inf", "true", "No", "2020-01-01", "2020-01-01T10:00:00.25+02:00",
    "2020-02-30", "9f2c1a52-6a5b-4b0e-8c1d-0123456789ab", "x", " y ", "\"a,b\"", "\"a\"\"b\"",
    "\"line\nbreak\"", "é日本", "\"\r\n\"", "[1]", "{\"a\": 1}", "\u{1}",
  ]
  private static let names = [
    "id", "a", "A b", "é", "2x", "", "where", "a", "T_id", "uuid", "\"q\"\"\"",
  ]
  private static let scalars = [
    "null", "true", "0", "-3", "12345678901234567890", "2.5", "1e300", "\"\"", "\"7\"",
    "\"2020-01-01\"", "\"é\\u0000\\n\"", "\"9f2c1a52-6a5b-4b0e-8c1d-0123456789ab\"",
    "{\"$oid\": \"507f1f77bcf86cd799439011\"}", "{\"$date\": \"2020-01-01\"}", "{\"$date\": 5}",
  ]

  /// CSV in which each column has cells of few kinds.
  mutating func csv() -> String {
    let columns = (0..<random.below(6) + 1).map { _ in
      (0..<random.below(3) + 1).map { _ in random.pick(Self.cells) }
    }
    // An empty line is no header.
    var text = (columns.count == 1 ? "a" : "")
    text += columns.map { _ in random.pick(Self.names) }.joined(separator: ",") + "\n"
    for _ in 0..<random.below(12) {
      text += columns.map { random.pick($0) }.joined(separator: ",")
      text += random.chance(20) ? "\r\n" : "\n"
    }
    return text
  }

  mutating func json() -> String {
    let records = (0..<random.below(6) + 1).map { _ in object(0) }
    return switch random.below(3) {
    case 0: "[" + records.joined(separator: ",") + "]"
    case 1: "{\"all\": [" + records.joined(separator: ",") + "]}"
    default: records.joined(separator: "\n")
    }
  }

  private mutating func object(_ depth: Int) -> String {
    var names = ["a", "b c", "1", "", "é", "id", "a_b"].shuffled(using: &random)
    names.removeLast(random.below(7))
    return "{" + names.map { "\"\($0)\": \(value(depth + 1))" }.joined(separator: ", ") + "}"
  }

  private mutating func value(_ depth: Int) -> String {
    let choice = depth > 4 ? 9 : random.below(10)
    if choice == 0 { return object(depth) }
    if choice > 1 { return random.pick(Self.scalars) }
    return "[" + (0..<random.below(4)).map { _ in value(depth + 1) }.joined(separator: ", ") + "]"
  }

  mutating func damaged(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<random.below(4) where !bytes.isEmpty {
      let index = random.below(bytes.count)
      switch random.below(4) {
      case 0: bytes.remove(at: index)
      case 1: bytes[index] = UInt8(random.below(256))
      case 2: bytes.insert(random.pick(Array("\",\n\r{}[]:;\u{0}".utf8)), at: index)
      default: bytes.removeSubrange(index..<min(bytes.count, index + random.below(9)))
      }
    }
    return bytes
  }
}

/// What is imported, as CSV or JSON Lines; nil if the file is refused.
private func exported(_ content: [UInt8], as format: String, seed: UInt64) throws -> String? {
  var text: String?
  try withFile(content) { path in
    let run = ScriptRun("import \"\(path)\" as new T\nexport T to - as \(format)\nschema")
    if !run.errors.contains("error:") { text = run.output }
  }
  return text
}

/// What `exported` returns, without the classes.
private func exportedRows(_ text: String) throws -> [UInt8] {
  let rows = try #require(text.split(separator: "class T {").first, "exported: \(text)")
  let body = try #require(rows.split(separator: "embedded class").first, "exported: \(text)")
  return Array(body.utf8)
}

@Suite struct ImportFuzzTests {
  private static let seeds = (0..<UInt64(60)).map { firstSeed + $0 }

  @Test(arguments: seeds)
  func `whatever a CSV file contains is inferred and kept`(seed: UInt64) throws {
    var file = RandomFile(random: SplitMix64(seed: seed))
    for _ in 0..<10 {
      let text = file.csv()
      try withFile(Array(text.utf8)) { path in
        let run = ScriptRun("import \"\(path)\" as new T")
        #expect(!run.errors.contains("error:"), "seed \(seed): \(run.errors)\n\(text)")
      }
    }
  }

  @Test(arguments: seeds)
  func `whatever a JSON file contains is inferred and kept`(seed: UInt64) throws {
    var file = RandomFile(random: SplitMix64(seed: seed))
    for _ in 0..<10 {
      let text = file.json()
      try withFile(Array(text.utf8)) { path in
        let run = ScriptRun("import \"\(path)\" as new T")
        let isFine =
          !run.errors.contains("error:") || run.errors.contains("nothing to infer a class from")
        #expect(isFine, "seed \(seed): \(run.errors)\n\(text)")
      }
    }
  }

  @Test(arguments: seeds)
  func `a damaged file is imported or refused, never a crash`(seed: UInt64) throws {
    var file = RandomFile(random: SplitMix64(seed: seed))
    for _ in 0..<20 {
      let bytes = file.damaged(file.random.chance(50) ? file.csv() : file.json())
      try withFile(bytes) { path in
        let run = ScriptRun("import \"\(path)\" as new T")
        #expect(run.output == "", "seed \(seed): \(bytes)")
      }
    }
  }

  @Test(arguments: seeds, ["csv", "jsonl", "json"])
  func `what was inferred, exported and inferred again is the same`(
    seed: UInt64, format: String
  ) throws {
    var file = RandomFile(random: SplitMix64(seed: seed))
    let content = Array((format == "csv" ? file.csv() : file.json()).utf8)
    guard let first = try exported(content, as: format, seed: seed) else { return }
    let rows = try exportedRows(first)
    guard let second = try exported(rows, as: format, seed: seed) else { return }
    let third = try exported(exportedRows(second), as: format, seed: seed)
    // JSON has decimals as text, which is inferred as text: also one that an any had as `{"$decimal": …}`.
    let texts = [second, third].map { $0?.replacing(": decimal", with: ": string") }
    #expect(texts[1] == texts[0], "seed \(seed)")
  }
}
