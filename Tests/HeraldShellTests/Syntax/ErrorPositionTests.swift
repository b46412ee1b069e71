import Herald
import Testing

@testable import HeraldShell

private let rows = """
  embedded class Part { size: int }
  class Row {
    id: int primary; link: Row; n: int?; text: string?; numbers: list<int>; some: set<int>
    map: map<int>; texts: list<string>; part: Part
  }
  add Row { id: 1, n: 9223372036854775807, text: "x", numbers: [1], part: { size: 1 } } as $row
  add Row { id: 2 } as $two

  """

/// Statements that fail, with a `|` before the position that the error is about.
private let failures: [(text: String, message: String)] = [
  ("class A { a: int primary; |b: int primary }", "class 'A' has two primary keys, 'a' and 'b'"),
  (
    "class A { x: int; |a: double primary }",
    "a primary key is an int, a string, a uuid or an objectid; 'a' is not"
  ),
  ("class A { x: int; |a: list<int> indexed }", "property 'a' cannot be indexed"),
  (
    "class A { b: int; |a: backlinks<A.b> }",
    "the backlinks property 'A.a' comes from 'A.b', which does not link to 'A'"
  ),
  ("class A { a: int = |\"x\" }", "property 'a' of class 'A' is int and cannot hold \"x\""),
  ("class A { a: int = |nil }", "property 'a' of class 'A' needs a value"),
  (
    "class A { a: list<int> = [1, |\"x\"]; b: int }",
    "property 'a' of class 'A' is list<int> and cannot hold \"x\""
  ),
  ("alter Row { add a: int = |\"x\" }", "property 'a' of class 'Row' is int and cannot hold \"x\""),
  (
    "add Row { id: 3, texts: [\"a\", |5] }",
    "property 'texts' of class 'Row' is list<string> and cannot hold 5"
  ),
  (
    "append 1, |\"x\", 2 to $row.numbers",
    "property 'numbers' of class 'Row' is list<int> and cannot hold \"x\""
  ),
  (
    "insert 1, |\"x\" into $row.some",
    "property 'some' of class 'Row' is set<int> and cannot hold \"x\""
  ),
  (
    "insert 1, |true into $row.numbers at 0",
    "property 'numbers' of class 'Row' is list<int> and cannot hold true"
  ),
  ("insert 1 into $row.numbers at |7", "row 7 is out of range: there is 1 row"),
  (
    "set $row.map[\"n\"] = |\"x\"",
    "property 'map' of class 'Row' is map<int> and cannot hold \"x\""
  ),
  (
    "set $row.map = {a: 1, b: |\"x\"}",
    "property 'map' of class 'Row' is map<int> and cannot hold \"x\""
  ),
  (
    "$row.numbers[0] = |\"x\"",
    "property 'numbers' of class 'Row' is list<int> and cannot hold \"x\""
  ),
  ("set $two.part = |$row.part", "the embedded object Part#1 has an owner already"),
  ("$row.n += |1", "the result is too large for an int"),
  ("|$two.n += 1", "'$two.n' is nil, not a number"),
  ("$row.text += |1", "'$row.text' and its operand must be numbers"),
  ("print $two.link.|tetx", "class 'Row' has no property 'tetx'; did you mean 'text'?"),
  ("print $two.link.link.|nope", "class 'Row' has no property 'nope'"),
  (
    "count Row where SUBQUERY(numbers, $n, $n > 0) |== nil",
    "expected '.@count' after SUBQUERY(…), found '=='"
  ),
  (
    "count Row where SUBQUERY(numbers, $n, $n > 0).|@avg > 1",
    "a SUBQUERY can only be counted, with '.@count'"
  ),
]

struct ErrorPositionTests {
  @Test(arguments: failures)
  func `an error points at the word or the value that it is about`(text: String, message: String)
    throws
  {
    let place = try #require(text.firstIndex(of: "|"))
    let column = text.distance(from: text.startIndex, to: place) + 1
    let statement = text.replacing("|", with: "", maxReplacements: 1)
    let errors = ScriptRun(rows + statement).errors
    let expected = "test:8:\(column): error: \(message)\n\(statement)\n"
    #expect(errors == expected + String(repeating: " ", count: column - 1) + "^\n")
  }

  @Test func `a path through a link that is nil is nil`() {
    let run = ScriptRun(rows + "print $two.link.text, $two.link.link.n, $two.link.numbers")
    #expect(run.output == "nil nil nil\n")
  }

  @Test func `a class without properties is shown as it is typed`() {
    #expect(ScriptRun("class Empty {}; schema").output == "class Empty {\n}\n")
  }
}
