import Herald
import Testing

@testable import HeraldShell

/// Scripts and files of which each part must not cost more the more parts there are.
struct SizeTests {
  @Test func `many classes, each named before it is declared`() {
    let count = 600
    let classes = (0..<count).map { number in
      "class C\(number) { n: int; next: C\((number + 1) % count); from: backlinks<C"
        + "\((number + count - 1) % count).next> }\n"
    }.joined()
    let run = ScriptRun(
      classes + "add C599 { n: 1, next: nil } as $last; add C598 { n: 2, next: $last }\n"
        + "print $last.from.@count, C598#1.next.n\ncount C0\n")
    #expect(run.errors == "")
    #expect(run.output == "1 1\n0\n")
  }

  @Test func `many sessions, each with an observer`() {
    let count = 250
    var script = "class Dog { n: int }\n"
    for number in 0..<count { script += "@s\(number) observe Dog as d\(number)\n" }
    script += "add Dog { n: 1 }\n@s7 add Dog { n: 2 }\n@s\(count - 1) count Dog\n"
    let lines = ScriptRun(script).output.split(separator: "\n").map(String.init)
    let names = (0..<count).map { "s\($0)/d\($0)" }
    let others = names.filter { $0 != "s7/d7" }
    #expect(
      lines == names.map { "\($0): initial 0 rows" } + names.map { "\($0): insertions [0]" }
        + ["s7/d7: insertions [1]"] + others.map { "\($0): insertions [1]" } + ["2"])
  }

  /// Sessions that are not used must miss nothing.
  @Test func `a session that only waits sees what others commit when it is used again`() {
    let run = ScriptRun(
      """
      class Dog { n: int }
      @a count Dog
      @b count Dog
      @b autorefresh off
      print 1
      print 2
      add Dog { n: 1 }
      print 3
      @a count Dog
      @b count Dog
      @a add Dog { n: 2 }
      @b refresh
      @b count Dog
      count Dog
      """)
    #expect(run.errors == "")
    #expect(run.output == "0\n0\n1\n2\n3\n1\n0\n2\n2\n")
  }

  @Test func `a header of very many columns, and a duplicate one`() throws {
    let names = (0..<40_000).map { "c\($0)" }
    var reader = try ImportReader(Array((names.joined(separator: ",") + "\n").utf8))
    #expect(reader.columns == names)
    #expect(try reader.next() == nil)
    #expect(throws: JSONReader.Failure(line: 1, reason: "duplicate column 'c7'")) {
      try ImportReader(Array(((names + ["c7"]).joined(separator: ",") + "\n").utf8))
    }
    // Names are the same where their bytes are.
    var form = ImportForm()
    form.numbersDuplicate = { _ in true }
    let many = Array(repeating: "c", count: 20_000)
    let numbered = try ImportReader(Array((many.joined(separator: ",") + "\n").utf8), form)
    #expect(numbered.columns.last == "c_20000")
    let twoForms = try ImportReader(Array("é,e\u{301}\n1,2\n".utf8))
    #expect(twoForms.columns.count == 2)
  }

  @Test func `observers in two sessions that react to each other without end are stopped`() {
    var options = Interpreter.Options()
    options.keepsGoing = true
    let run = ScriptRun(
      """
      class A { n: int }
      class B { n: int }
      observe A as a do { write { add B { n: 1 } } }
      @bg observe B as b do { write { add A { n: 1 } } }
      invalidate b
      add A { n: 1 }
      print "on"
      """, options)
    #expect(
      run.errors == """
        test:4:25: error: observers have written 1000 times in a row, each in response to \
        the previous write: this write is refused to end the loop
        @bg observe B as b do { write { add A { n: 1 } } }
                                ^

        """)
    #expect(run.output.hasSuffix("on\n"))
  }

  @Test func `an observer that writes what it observes is stopped, and its session continues`() {
    var options = Interpreter.Options()
    options.keepsGoing = true
    let run = ScriptRun(
      """
      class Dog { n: int }
      observe Dog as d do { write { add Dog { n: 1 } } }
      invalidate d
      add Dog { n: 1 }
      count Dog
      """, options)
    #expect(run.errors.hasPrefix("test:2:23: error: observers have written 1000 times in a row"))
    #expect(run.errors.split(separator: "\n").count == 3)
    #expect(run.output.hasSuffix("\n1001\n"))
  }
}
