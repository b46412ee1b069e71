import TestSupport
import Testing

@testable import HeraldShell

/// Expressions of the rows beside a slow, obvious model of them.
struct RowExpressionTests {
  @Test(arguments: seeds(30))
  func `set computes each row from what it was before`(seed: UInt64) throws {
    var run = RowRun(SplitMix64(seed: seed))
    for _ in 0..<12 { run.step() }
    let result = Self.run(run.script)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)\n\(run.script)")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == run.expected.count, "\(run.script)")
    for (line, expected) in zip(lines, run.expected) {
      #expect(line == expected, "seed \(seed)\n\(run.script)")
      if line != expected { break }
    }
    #expect(run.errors < 12 && run.divisions < 12)
  }

  private static func run(_ script: String) -> ScriptRun {
    var options = Interpreter.Options()
    options.mode = .json
    return ScriptRun(script, named: "test", options)
  }

  private static let books = """
    class Book { id: int primary; author_id: int?; author: Author; n: int = 0 }
    class Author { id: int primary; name: string? }
    add Author [ {id: 1, name: "Ann"}, {id: 2} ]
    add Book [ {id: 1, author_id: 1}, {id: 2, author_id: 7}, {id: 3}, {id: 4, author_id: 8} ]

    """

  private func output(_ script: String) -> String {
    let run = Self.run(Self.books + script)
    return run.output + run.errors
  }

  @Test func `a key that is not there is named with the number of its rows`() {
    let text = output("set Book { author: Author#(author_id) }")
    #expect(text.contains("Book#2: there is no object Author#7; 2 rows have such keys"))
    let one = output("set Book where id < 3 { author: Author#(author_id) }")
    #expect(one.contains("Book#2: there is no object Author#7; 1 row has such a key"))
  }

  @Test func `the first row's error is the one that is reported`() {
    let text = output("set Book { n: 1 / (id - 1), author: Author#(author_id) }")
    #expect(text.contains("Book#1: '1 / (id - 1)' divides an int by zero"))
    let later = output("set Book { n: 1 / (id - 4), author: Author#(author_id) }")
    #expect(later.contains("Book#2: there is no object Author#7"))
    // A text that cannot be converted is not nil.
    let unfit = output("set Book { n: int(author.name ?? \"x\") ?? 0 }")
    #expect(unfit.contains("Book#1: 'x' is not an int"))
  }

  @Test(arguments: [
    (
      "set Book { n: Author.@count * id }; show Book { n }",
      "[{\"n\":2},{\"n\":4},{\"n\":6},{\"n\":8}]"
    ),
    (
      "set Book { n: (Book where id > 2).@count + id }; show Book { n }",
      "[{\"n\":3},{\"n\":4},{\"n\":5},{\"n\":6}]"
    ),
    ("set Book where id == 1 { n: Book.@max.id }; show Book { n } where n > 0", "[{\"n\":4}]"),
    (
      "set Book { author: Author#(author_id) ?? Author#2 }; show Book { author.id as a }",
      "[{\"a\":1},{\"a\":2},{\"a\":2},{\"a\":2}]"
    ),
    (
      "let $a = 2; set Book { author: Author#$a, n: Author#$a.id }; show Book { n } limit(1)",
      "[{\"n\":2}]"
    ),
    (
      "set Book { n: Author#(id).name.length ?? 0 - 1 }; show Book { n }",
      "[{\"n\":3},{\"n\":-1},{\"n\":-1},{\"n\":-1}]"
    ),
    (
      "new Book { id: 9, n: 3 } as $b; set $b { n: n * 2, author: Author#(n - 2) }; add $b; show Book#9 { n, author.id as a }",
      "{\"n\":6,\"a\":1}"
    ),
    ("set Book#3 { n: id + 4 }; show Book { n } where n > 0", "[{\"n\":7}]"),
    (
      "write { set Book { n: n + 1 }; set Book { n: n + 1 } }; show Book { n } limit(1)",
      "[{\"n\":2}]"
    ),
    ("count Book where Author#(author_id).name == \"Ann\"", "1"),
    ("count Book where author_id != nil and Author#(author_id) == nil", "2"),
  ])
  func `what else a value may read`(script: String, result: String) {
    let text = output(script)
    #expect(
      text.contains("{\"result\":\(result)}") || text.contains("{\"result\":[\(result)]}"),
      "\(text)")
  }

  @Test func `a row that finds another by its key is notified of it`() {
    let text = output(
      """
      observe Book where Author#(author_id).name == "Bob" as found
      expect found initial 0
      write { add Author { id: 7, name: "Bob" } }
      expect found insertions [0]
      Author#7.name = "Eve"
      expect found deletions [0]
      write { Author#7.name = "Bob"; Book#3.author_id = 7 }
      expect found insertions [0, 1]
      delete Author#7
      expect found deletions [0, 1]
      observe Book where (Author#8.name ?? "none") == "none" as fixed
      expect fixed initial 4
      add Author { id: 8, name: "Zoe" }
      expect fixed deletions [0, 1, 2, 3]
      """)
    #expect(!text.contains("error"), "\(text)")
  }

  @Test func `the row that is named is the first`() {
    let run = ScriptRun(
      """
      class A { id: int primary; x: int = 0; n: int? }
      class P { id: int primary; list: list<int?>; date: date?; others: list<A> }
      embedded class Part { name: string? }
      class Whole { name: string; parts: list<Part>; any: list<any> }
      add A [{ id: 1 }, { id: 2, n: 9223372036854775807 }]
      add P { id: 1, list: [1, 2], date: T9223372036854775807:0, others: [A#1] }
      expect error "A#1: " { set A sort(id) { x: n + 1 } }
      expect error "A#2: the result is too large" { set A sort(id) { n: n + 1 } }
      expect error "no property 'y'" { set A where x > 100 { y: x } }
      expect error "P#1: the result is too large" { set P { list: list * 9223372036854775807 } }
      expect error "P#1: the result is too large" { set P { date: date + 1d } }
      expect error "A#1: there is no object P#9; 2 rows have such keys" {
        set A { x: SUBQUERY(P#(id * 0 + 9).others, $a, $a.x == 0).@count }
      }
      new Whole { name: "A" } as $w
      set $w { parts: [{ name: name }], any: [name, { key: name }] }
      expect $w.parts[0].name == "A"
      expect error "no property 'nme'" { set $w { name: nme } }
      """)
    #expect(run.errors.isEmpty && run.status == 0, "\(run.errors)")
  }

  @Test(arguments: [" ?? nil", ".replace(\"a\", \"b\")", " + 1s"])
  func `a long chain exhausts no stack`(link: String) {
    let start = link.hasPrefix(" +") ? "now" : "\"a\""
    let run = ScriptRun("print \(start)\(String(repeating: link, count: 5000))")
    #expect(link.hasPrefix(" +") ? run.errors.isEmpty : run.errors.contains("levels of nesting"))
  }

  @Test func `now is one time for a statement`() {
    let run = ScriptRun(
      """
      class Row { id: int primary; a: date?; b: date? }
      for $i in [1, 2, 3] { add Row { id: $i } }
      set Row { a: now, b: now }
      expect (Row distinct(a)).@count == 1
      expect (Row where a != b).@count == 0
      observe Row where a > now - 1h as recent
      expect recent initial 3
      Row#1.a = now - 2h
      expect recent deletions [0]
      define Today as Row where a > now - 1d
      expect (Today).@count == 3
      class Old { now: int = 4; version: int = 5 }
      add Old {}
      set Old { version: version + now }
      expect Old.@max.version == 9
      """)
    #expect(run.output.isEmpty || !run.output.contains("error"), "\(run.output)")
    #expect(run.errors.isEmpty && run.status == 0, "\(run.errors)")
  }
}
