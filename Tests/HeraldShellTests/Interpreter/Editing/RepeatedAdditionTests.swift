import TestSupport
import Testing

@testable import HeraldShell

private let seeds = (0..<200).map { firstSeed + $0 }

/// Additions of one shape, which are not parsed one by one (language 2), beside the same ones with a comment behind
/// each, which are.
struct RepeatedAdditionTests {
  private static let comment = " #="

  static let classes = """
    class A { i: int = 7; s: string?; d: double?; b: bool?; t: date?; m: decimal?; x: any; f: float? }
    class K { id: int primary; s: string? indexed; d: double? indexed }
    class L { tags: list<string>; a: A; n: int = 3 }

    """

  /// What a run printed, and its errors without the comments.
  private static func result(of script: String) -> [String] {
    var options = Interpreter.Options()
    options.keepsGoing = true
    let run = ScriptRun(script, options)
    let errors = run.errors.split(separator: comment, omittingEmptySubsequences: false).joined()
    return [run.output, errors, "\(run.status)"]
  }

  @Test(arguments: seeds)
  func `additions of one shape do what each of them does`(seed: UInt64) {
    var writer = RandomAdditions(seed: seed)
    let blocks = (0..<4).map { _ in writer.block() }
    let end = "show A\nshow K\nshow L\ncount K where d >= 0\ncount K where s == nil\ndump\n"
    func script(_ ending: String) -> String {
      Self.classes + blocks.map { $0.map { $0 + ending }.joined(separator: "\n") + "\n" }.joined()
        + end
    }
    let repeated = script("").replacing(Self.comment, with: "")
    #expect(Self.result(of: repeated) == Self.result(of: script(Self.comment)), "seed \(seed)")
  }

  @Test func `additions of one shape become one statement`() throws {
    let text = """
      write {
        add A { i: 1, s: "a" }
        add A { i: -2, s: 'b' }

        add A { i: 3.5, s: nil }\r
        add A { i: 4, s: "\\n" }
        add A { i: 5, s: "é" }; add A { i: 6, s: "f" }
        add A { i: 007, s: true }
        add A { i: 8, s: "h" } as $h
      }
      """
    var parser = StatementParser(Source(name: "test", text: text))
    guard let write = try parser.next()?.form as? WriteStatement else {
      Issue.record("no write")
      return
    }
    let spans = write.statements.map { statement in
      let text = Source(name: "", text: text).text(statement.span)
      if statement.form is AddRepeatedlyStatement { return "* " + text }
      return text
    }
    #expect(
      spans == [
        #"add A { i: 1, s: "a" }"#,
        "* add A { i: -2, s: 'b' }\n\n  add A { i: 3.5, s: nil }",
        #"add A { i: 4, s: "\n" }"#, #"add A { i: 5, s: "é" }"#,
        "* add A { i: 6, s: \"f\" }\n  add A { i: 007, s: true }",
        #"add A { i: 8, s: "h" } as $h"#,
      ])
  }

  @Test func `an invalid addition is reported at its own line`() {
    let run = ScriptRun(
      """
      class A { i: int; s: string }
      write {
        add A { i: 1, s: "a" }
        add A { i: 2, s: "b" }
        add A { i: "3", s: "c" }
      }
      """, named: "x")
    let error = "x:5:14: error: property 'i' of class 'A' is int and cannot hold \"3\"\n"
    #expect(run.errors.hasPrefix(error), "\(run.errors)")
  }
}

/// Writes blocks of additions, of which many have the same shape, and some are invalid.
struct RandomAdditions {
  private var random: SplitMix64
  private var keys = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let shapes: [[String]] = [
    ["A", "i", "s"], ["A", "s", "d", "b"], ["A", "t", "i"], ["A", "m", "f"], ["A", "x"],
    ["K", "id", "s"], ["K", "id", "d", "s"], ["L", "n"], ["L", "tags"],
    // Of no class, or with wrong names.
    ["B", "i"], ["A", "i", "i"], ["A", "j"],
  ]
  private static let rightShapes = 9
  private static let ints = [
    "1", "-2", "0", "-0", "007", "42", "1234567890123456", "9223372036854775807",
  ]
  private static let doubles = ["1.5", "-0.0", "0.1", "12345.678901234", "1e3", "3.0", "inf"]
  private static let texts = [
    "\"a\"", "'b'", "\"\"", "\"é\"", "\"a\\nb\"", "\"it's\"", "\"a # b\"",
    "\"more than 15 bytes\"",
  ]
  private static let others = [
    "true", "false", "nil", "2026-01-02", "\"2026-01-02\"", "[\"a\"]", "2026-01-02 10:00",
    "1 + 2", "0x10", "NIL",
  ]
  private static let mistakes = ["1.5.2", "nilx", "\"a", "-", "1 2", "9223372036854775808", "{"]

  private mutating func literal(of property: String) -> String {
    if random.oneIn(60) { return random.pick(Self.mistakes) }
    if random.oneIn(10) { return random.pick(Self.others + Self.texts + Self.ints) }
    switch property {
    case "id":
      keys += 1
      return "\(random.oneIn(30) ? keys / 2 : keys)"
    case "i", "n": return random.pick(Self.ints)
    case "d", "m", "f": return random.pick(Self.doubles + Self.ints)
    case "s": return random.pick(Self.texts)
    case "t": return random.pick(["\"2026-01-02\"", "nil", "2026-03-04"])
    default: return random.pick(Self.others + Self.texts + Self.doubles)
    }
  }

  private mutating func addition(_ shape: [String]) -> String {
    let entries = shape.dropFirst().map { "\($0): \(literal(of: $0))" }
    return "  add \(shape[0]) { \(entries.joined(separator: ", ")) }"
  }

  /// The lines of a block, or of statements outside of blocks.
  mutating func block() -> [String] {
    let heads = ["write {", "write {", "for $x in [1, 2] {", "if 1 == 1 {"]
    let head = random.oneIn(4) ? nil : random.pick(heads)
    var lines = head.map { [$0] } ?? []
    let shapes = random.oneIn(8) ? Self.shapes[...] : Self.shapes.prefix(Self.rightShapes)
    let chosen = (random.pick(shapes), random.pick(shapes))
    for _ in 0...random.below(12) {
      lines.append(addition(random.oneIn(4) ? chosen.1 : chosen.0))
    }
    return head == nil ? lines : lines + ["}"]
  }
}
