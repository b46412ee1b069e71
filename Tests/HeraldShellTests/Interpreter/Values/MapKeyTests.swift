import Testing

@testable import HeraldShell

/// Keys that differ in their Unicode scalars alone: "é" in one and in two, and the letter a with
/// two marks in either order.
@Suite struct MapKeyTests {
  private static let classes = """
    class D { id: int primary; m: map<int>; x: any; all: map<any> }
    add D {id: 1, x: {}} as $d

    """

  /// Scalar by scalar: two strings are equal that are written differently.
  private func expectSame(
    _ output: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      output.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(output)",
      sourceLocation: sourceLocation)
  }

  @Test func `keys that look alike are different keys`() {
    let run = ScriptRun(
      Self.classes + """
        set $d.m = {"\u{E9}": 1, "e\u{301}": 2}
        set $d.x = {"\u{E9}": 1, "e\u{301}": {"a\u{323}\u{301}": 3, "a\u{301}\u{323}": 4}}
        set $d.all["\u{E9}"] = 5
        set $d.all["e\u{301}"] = 6
        set $d.m["\u{E9}"] = 7
        set $d.x["e\u{301}"]["a\u{301}\u{323}"] = 8
        print $d.m
        print $d.m["\u{E9}"]
        print $d.x["e\u{301}"]
        print $d.all["\u{E9}"]
        print $d.all

        """)
    #expect(run.errors == "")
    expectSame(
      run.output,
      """
      {"e\u{301}": 2, "\u{E9}": 7}
      7
      {"a\u{301}\u{323}": 8, "a\u{323}\u{301}": 3}
      5
      {"e\u{301}": 6, "\u{E9}": 5}

      """)
  }

  @Test func `a store with such keys is dumped, and rebuilt from that`() {
    let first = ScriptRun(
      Self.classes + """
        set $d { m: {"\u{E9}": 1, "e\u{301}": 2}, x: {"\u{E9}": 1, "e\u{301}": 2} }
        set $d.all = {"\u{E9}": [1], "e\u{301}": {"\u{E9}": 3}}
        dump

        """)
    #expect(first.errors == "")
    let second = ScriptRun(first.output + "dump\n")
    #expect(second.errors == "")
    expectSame(second.output, first.output)
  }

  @Test func `observers receive such keys one by one`() {
    let run = ScriptRun(
      Self.classes + """
        set $d.m["\u{E9}"] = 1
        observe $d.m as map
        set $d.m["e\u{301}"] = 2
        begin
        remove $d.m["\u{E9}"]
        set $d.m["e\u{301}"] = 3
        commit

        """)
    #expect(run.errors == "")
    expectSame(
      run.output,
      """
      map: initial 1 row
      map: insertions ["e\u{301}"]
      map: deletions ["\u{E9}"]
      map: modifications ["e\u{301}"]

      """)
  }
}
