import HeraldQuery
import TestSupport
import Testing

@testable import HeraldShell

/// Files whose classes are inferred from some of their records, compared with an import that reads all of them first, as it
/// does in an open transaction.
@Suite struct SampledImportTests {
  private static let count = 9_600

  private static let values = [
    "0", "1", "-1", "-0", "42", "123456789012345678", "9007199254740993", "9223372036854775808",
    "1.5", "-2.25e3", "0.1", "5.0", "1200340056.0070080090", "0.30000000000000004",
    "1234567890123456789012345678901234567890", "null", "true", "false", "\"\"", "\"x\"",
    "\"a text that is longer than a word\"", "\"é日本\"", "\"a\\n\\u00e9\"", "\"2020-01-01\"",
    "\"2020-01-01T10:00:00.5Z\"", "\"9f2c1a52-6a5b-4b0e-8c1d-0123456789ab\"",
    "\"9F2C1A52-6A5B-4B0E-8C1D-0123456789AB\"", "\"yes\"", "\"NO\"", "\"1\"", "[]", "[1, null]",
    "[2.5]", "{}", "{\"b\": [1]}", "{\"b\": 2}", "{\"$oid\": \"507f1f77bcf86cd799439011\"}",
  ]

  /// Records whose columns have values of one or two kinds, and here and there others.
  private static func text(_ random: inout SplitMix64) -> String {
    let names = ["id", "a", "é", "b c"].prefix(random.below(4) + 1)
    let usual = names.map { _ in (0..<random.below(2) + 1).map { _ in random.pick(values) } }
    let rest = names.map { _ in random.chance(30) }
    var odd: [Int: String] = [:]
    for _ in 0..<random.below(4) { odd[random.below(count)] = random.pick(values) }
    let isOrdered = random.chance(70)
    var records = (0..<count).map { index in
      var members = names.indices.compactMap { column -> String? in
        if rest[column], index % 7 == 3 { return nil }
        let value = column == 0 && isOrdered ? "\(index)" : random.pick(usual[column])
        return "\"\(names[column])\": \(value)"
      }
      guard !members.isEmpty, let value = odd[index] else {
        return "{\(members.joined(separator: ", "))}"
      }
      switch random.below(4) {
      case 0: members.removeLast()
      case 1: members.append("\"new\": \(value)")
      case _: members[members.count - 1] = "\"\(names[names.count - 1])\": \(value)"
      }
      return "{\(members.joined(separator: ", "))}"
    }
    if random.chance(10) { records[random.below(count)] = "{\"a\": ]}" }
    return records.joined(separator: "\n") + "\n"
  }

  @Test(arguments: seeds(8))
  func `some records stand for all where no other is of another kind`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try withFile(Array(Self.text(&random).utf8)) { path in
      let sampled = ScriptRun("import \"\(path)\" as new T\nschema\ndump")
      let whole = ScriptRun("begin\nimport \"\(path)\" as new T\ncommit\nschema\ndump")
      let isSame = sampled.output == whole.output
      #expect(isSame, "seed \(seed): \(sampled.output.prefix(400)) \(whole.output.prefix(400))")
      #expect(
        sampled.errors.split(separator: ": ").last == whole.errors.split(separator: ": ").last,
        "seed \(seed): \(sampled.errors.prefix(300)) \(whole.errors.prefix(300))")
    }
  }

  /// There is a check for each thousand of records that are read.
  @Test(arguments: [nil, "{\"id\": 11999, \"x\": 1}", "{\"id\": \"a\"}"])
  func `a file is read once where its sample stands for all`(last: String?) throws {
    let lines = (0..<12_000).map { index in
      let x = index % 3 == 0 ? "null" : "\(index).5"
      return
        "{\"id\": \(index), \"x\": \(x), \"text\": \"\(index) é\\n\", \"sub\": {\"a\": [\(index)]}}"
    }
    try withFile(Array((lines + [last ?? ""]).joined(separator: "\n").utf8)) { path in
      let sink = CollectingSink()
      let interpreter = Interpreter(options: .init(), sink: sink)
      interpreter.interruption.request(afterChecks: 25)
      _ = interpreter.run(Source(name: "test", text: "import \"\(path)\" as new T"))
      interpreter.interruption.clear()
      #expect(sink.errors.contains("interrupted") == (last != nil), "\(sink.errors)")
      interpreter.finishChecked()
    }
  }

  @Test(arguments: [
    ("1.5", "123456789012345678", "x: decimal"), ("true", "\"yes\"", "x: any"),
    (
      "\"9f2c1a52-6a5b-4b0e-8c1d-0123456789ab\"", "\"9F2C1A52-6A5B-4B0E-8C1D-0123456789AB\"",
      "x: string"
    ),
    ("\"2026-01-01\"", "\"9f2c1a52-6a5b-4b0e-8c1d-0123456789ab\"", "x: string"),
  ])
  func `a late value that would be taken, but is of another kind, counts`(
    _ usual: String, _ late: String, _ property: String
  ) throws {
    let lines = (0..<10_000).map { "{\"x\": \($0 == 9_500 ? late : usual)}" }
    try withFile(Array(lines.joined(separator: "\n").utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T\nschema")
      #expect(run.errors.isEmpty && run.output.contains(property + "\n"), "\(run)")
    }
  }

  @Test(arguments: [
    ("\"x\": null", "x: int?"), ("\"x\": 1.5", "x: double"), ("\"x\": \"t\"", "x: any"),
    ("\"x\": 7, \"y\": true", "y: bool?"), ("", "x: int?"),
    ("\"x\": 9223372036854775808", "x: decimal"),
    ("\"x\": [1]", "x: any"),
  ])
  func `a late record of another kind counts`(_ members: String, _ property: String) throws {
    for place in [5_000, 9_000, 11_999] {
      let lines = (0..<12_000).map { $0 == place ? "{\(members)}" : "{\"x\": \($0)}" }
      try withFile(Array(lines.joined(separator: "\n").utf8)) { path in
        let run = ScriptRun("import \"\(path)\" as new T\nschema\ncount T")
        #expect(run.errors.isEmpty && run.output.hasSuffix("12000\n"), "\(run)")
        #expect(run.output.contains(property), "\(place): \(run.output)")
      }
    }
  }
}
