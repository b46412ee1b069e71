import HeraldQuery
import TestSupport
import Testing

@testable import HeraldShell

/// Files so long that their halves are inferred at once, and that their rows are read ahead of those that are added.
@Suite struct LongFileTests {
  private static let count = 30_000

  /// The lines of a file with columns `n`, `text` and `x`; `line` may replace some, by their index.
  private static func lines(_ line: (Int) -> String? = { _ in nil }) -> [String] {
    ["n,text,x"]
      + (0..<count).map {
        line($0) ?? "\($0 % 1000),a text that has a certain length \($0),\($0).25"
      }
  }

  private static func run(
    _ lines: [String], _ statements: (String) -> String
  ) throws -> ScriptRun {
    var run: ScriptRun?
    try withFile(Array((lines.joined(separator: "\n") + "\n").utf8)) { path in
      run = ScriptRun(statements(path))
    }
    return try #require(run)
  }

  /// Imports lines and expects that the export has the same.
  private static func expectSame(_ lines: [String]) throws {
    let run = try run(lines) { "import \"\($0)\" as new T\nexport T to - as csv" }
    #expect(!run.errors.contains("error:"), "\(run.errors.prefix(300))")
    let exported = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    let isSame = exported.dropLast().elementsEqual(
      lines.joined(separator: "\n").split(separator: "\n"))
    #expect(isSame, "\(exported.prefix(3)) … \(exported.suffix(3))")
  }

  @Test func `every row is there, in order`() throws { try Self.expectSame(Self.lines()) }

  @Test func `rows that have to be read alone are in their places`() throws {
    var random = SplitMix64(seed: givenSeed ?? 11)
    let odd = Set((0..<300).map { _ in random.below(Self.count) })
    try Self.expectSame(
      Self.lines { odd.contains($0) ? "\($0),\"a \"\"quoted\"\" text, \($0)\",\($0).5" : nil })
    try Self.expectSame(Self.lines { odd.contains($0) ? ",é日本 \($0),\($0).5" : nil })
  }

  @Test func `a line that only looks like a record may be in the middle`() throws {
    let half = Self.count / 2
    let inside = (0..<3_000).map { "1,in a quoted field,\($0)" }.joined(separator: "\n")
    try Self.expectSame(
      Self.lines { $0 == half ? "7,\"\(inside)\",0.5" : nil })
  }

  @Test func `a kind of value that only the second half has counts`() throws {
    let last = Self.count - 5
    let run = try Self.run(
      Self.lines { $0 == last ? "many,t,\(1)" : $0 == last + 1 ? "2,,3" : nil }
    ) { "import \"\($0)\" as new T\nschema" }
    #expect(run.output.contains("n: string"), "\(run.output)")
    #expect(run.output.contains("text: string?"), "\(run.output)")
  }

  @Test(arguments: [100, 18_000, 29_999])
  func `an error names the line of its record`(index: Int) throws {
    let short = try Self.run(Self.lines { $0 == index ? "1,2" : nil }) {
      "import \"\($0)\" as new T"
    }
    #expect(
      short.errors.contains("line \(index + 2): 2 fields where the header has 3"),
      "\(short.errors)")
    let wrong = try Self.run(Self.lines { $0 == index ? "x,y,1.5" : nil }) {
      "class T { n: int; text: string; x: double }\nimport \"\($0)\" into T\ncount T"
    }
    #expect(
      wrong.errors.contains("line \(index + 2), record \(index + 1), property 'n'"),
      "\(wrong.errors)")
    let open = try Self.run(Self.lines { $0 == index ? "1,\"never closed,2" : nil }) {
      "import \"\($0)\" as new T"
    }
    #expect(
      open.errors.contains("line \(index + 2): a quoted field is never closed"), "\(open.errors)")
  }

  @Test(arguments: [100, 29_000])
  func `the first of two errors is reported`(index: Int) throws {
    let key = "class T { n: int primary; text: string; x: double }\n"
    let lines = Self.lines {
      $0 == index ? "0,again,1.5" : $0 == index + 3 ? "1,2" : "\($0),t,1.5"
    }
    let run = try Self.run(lines) { "\(key)import \"\($0)\" into T" }
    #expect(run.errors.contains("line \(index + 2), record \(index + 1)"), "\(run.errors)")
  }

  @Test(arguments: [0, 5, 18, 32, 40])
  func `an interruption at any record leaves nothing`(checks: Int) throws {
    try withFile(Array((Self.lines().joined(separator: "\n") + "\n").utf8)) { path in
      let sink = CollectingSink()
      let interpreter = Interpreter(options: .init(), sink: sink)
      _ = interpreter.run(Source(name: "before", text: "class Other { n: int }"))
      interpreter.interruption.request(afterChecks: checks)
      _ = interpreter.run(Source(name: "test", text: "import \"\(path)\" as new T"))
      interpreter.interruption.clear()
      #expect(sink.errors.contains("interrupted"), "\(sink.errors)")
      _ = interpreter.run(Source(name: "after", text: "schema"))
      #expect(!sink.output.contains("class T"))
      interpreter.finishChecked()
    }
  }

  /// A record of JSON, of which what is rare may be in one half of the file alone.
  private static func record(_ n: Int, of all: Int, _ random: inout SplitMix64) -> String {
    var members = ["\"id\": \(n)", "\"text\": \"a text that has a certain length \(n)\""]
    let isLate = n > all / 2 + all / 10
    if Bool.random(using: &random) { members.append("\"x\": \(isLate ? "\(n).5" : "\(n)")") }
    if !isLate || n % 1000 == 0 { members.append("\"early\": \(n % 3 == 0 ? "null" : "true")") }
    if isLate, n % 777 == 0 { members.append("\"late\": [1, 2.5]") }
    if n % 5 == 0 {
      members.append("\"sub\": { \(isLate ? "\"a\": \"t\"" : "\"b\": \(n)") }")
    }
    if n % 2 == 0 { members.shuffle(using: &random) }
    return "{\(members.joined(separator: ", "))}"
  }

  @Test(arguments: seeds(3))
  func `records of lines are inferred as those of an array are`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = 20_000
    let records = (0..<count).map { Self.record($0, of: count, &random) }
    var scripts: [String] = []
    for text in [
      records.joined(separator: "\n"), "[\n\(records.joined(separator: ",\n"))\n]",
    ] {
      try withFile(Array(text.utf8)) { path in
        let run = ScriptRun("import \"\(path)\" as new T\ndump")
        #expect(!run.errors.contains("error:"), "\(run.errors.prefix(300))")
        scripts.append(run.output)
      }
    }
    let isSame = scripts[0] == scripts[1]
    #expect(isSame, "seed \(seed): \(scripts[0].prefix(500))")
    #expect(scripts[0].contains("late: list<double>"))
  }

  @Test func `a record of several lines may be in the middle`() throws {
    let lines = (0..<20_000).map {
      "{\"n\": \($0),\n\"text\": \"a text of a certain length\",\n\"x\": [\n1\n]\n}"
    }
    try withFile(Array(lines.joined(separator: "\n").utf8)) { path in
      let run = ScriptRun("import \"\(path)\" as new T\ncount T\nprint T.@sum.n")
      #expect(run.output.hasSuffix("20000\n199990000\n"), "\(run.output) \(run.errors)")
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
