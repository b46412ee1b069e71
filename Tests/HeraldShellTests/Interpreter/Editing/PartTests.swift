import Testing

@testable import HeraldShell

private let classes = """
  embedded class Part { v: int = 0; next: Part; kids: list<Part>; named: map<Part>; a: any }
  class Box { id: int primary; part: Part; parts: list<Part>; a: any; all: list<any> }

  """

/// Parts in lists of one another, and in the last a value that has lists in one another.
private func box(_ levels: Int, innermost: String) -> String {
  let opening = String(repeating: "{kids: [", count: levels - 1)
  let closing = String(repeating: "]}", count: levels - 1)
  return "add Box {id: 1, parts: [\(opening){a: \(innermost)}\(closing)]}\n"
}

private func lists(_ levels: Int) -> String {
  String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
}

/// Embedded objects: one owner each, and so many in one another as can be written and read back.
@Suite struct PartTests {
  @Test func `the deepest object that a store takes is dumped, and rebuilt from that`() {
    let first = ScriptRun(classes + box(100, innermost: lists(100)) + "dump\n")
    #expect(first.errors == "")
    let second = ScriptRun(first.output + "dump\n")
    #expect(second.errors == "")
    #expect(second.output == first.output)
  }

  @Test(arguments: ["kids: [{v: 1}]", "next: {v: 1}", "named: {\"k\": {v: 1}}"])
  func `no embedded object can stand deeper, in whatever way it comes`(part: String) {
    let message = "embedded objects nest at most 100 levels deep"
    let way = String(repeating: "let $p = $p.kids[0]\n", count: 99)
    let run = ScriptRun(
      classes + box(100, innermost: "1") + "let $p = Box#1.parts[0]\n" + way + """
        expect error "\(message)" { set $p { \(part) } }
        expect error "\(message)" { append {v: 1} to $p.kids }
        expect error "\(message)" { set $p.named["k"] = {v: 1} }
        expect error "\(message)" { set Box#1.part = {next: \(chain(100))} }
        expect error "\(message)" { add Box {id: 2, part: \(chain(101))} }
        set Box#1.part = \(chain(100))
        set Box#1.part.next.next = nil
        count Part
        delete Box#1
        count Part

        """)
    #expect(run.errors == "")
    #expect(run.output == "102\n0\n")
  }

  private func chain(_ levels: Int) -> String {
    String(repeating: "{next: ", count: levels - 1) + "{v: 1}"
      + String(repeating: "}", count: levels - 1)
  }

  @Test func `maps become embedded objects where they are not nested too deep`() {
    let maps = { (levels: Int) in
      String(repeating: "{\"next\": ", count: levels) + "nil"
        + String(repeating: "}", count: levels)
    }
    let run = ScriptRun(
      """
      embedded class Inner { next: Inner }
      embedded class Outer { next: Outer; a: any }
      class Box { id: int primary; outer: Outer }
      add Box {id: 1, outer: {next: {a: \(maps(98))}}}
      alter Outer { a: Inner }
      count Inner
      alter Outer { a: any }
      set Box#1.outer.next.a = \(maps(99))
      expect error "cannot convert" { alter Outer { a: Inner } }
      count Inner

      """)
    #expect(run.errors == "")
    #expect(run.output == "98\n0\n")
  }

  @Test(arguments: [
    "set Box#1.a = Box#1.part", "set Box#1.a = [1, Box#1.part]", "append Box#1.part to Box#1.all",
    "set Box#1.a = {\"k\": Box#1.part}", "set Box#1.all = [Box#1.part]",
    "add Box {id: 2, a: Box#1.part}",
  ])
  func `a value of any type holds no embedded object, which has its owner`(statement: String) {
    let run = ScriptRun(
      classes + """
        add Box {id: 1, part: {v: 7}, a: []}
        expect error "the embedded object Part#1 has an owner already" { \(statement) }
        expect error "has an owner already" { append Box#1.part to Box#1.a }
        set Box#1.a = 5
        print Box#1.part.v
        count Box

        """)
    #expect(run.errors == "")
    #expect(run.output == "7\n1\n")
  }
}
