import Herald
import Testing

@testable import HeraldShell

private let dogs = "class Dog { id: int primary; name: string; age: int = 0 }\n"

/// Statements that fail, with standard error as it is written.
private let failures: [(text: String, errors: String)] = [
  (
    "add Dog { id: 1, name: \"x\", ag: 3 }",
    """
    test:2:29: error: class 'Dog' has no property 'ag'; did you mean 'age'?
    add Dog { id: 1, name: "x", ag: 3 }
                                ^

    """
  ),
  (
    "add Dog [\n  {id: 1, name: \"a\"}\n  {id: 2, name: 7}\n]",
    """
    test:4:17: error: property 'name' of class 'Dog' is string and cannot hold 7
      {id: 2, name: 7}
                    ^

    """
  ),
  (
    "write { add Dgo { } }",
    """
    test:2:13: error: unknown class 'Dgo'; did you mean 'Dog'?
    write { add Dgo { } }
                ^

    """
  ),
  (
    "count Dog where agee > 3",
    """
    test:2:17: error: class 'Dog' has no property 'agee'; did you mean 'age'?
    count Dog where agee > 3
                    ^

    """
  ),
  (
    "print \"日本\", $x",
    """
    test:2:13: error: unknown variable '$x'
    print "日本", $x
                  ^

    """
  ),
  (
    "\tset Dog#1.name = 3",
    """
    test:2:6: error: there is no object Dog#1
    \tset Dog#1.name = 3
    \t    ^

    """
  ),
  (
    "add Dog { id: 1, name: \"x\" } as $d; print $d.name[0]",
    """
    test:2:43: error: '$d.name' is a value, not a collection
    add Dog { id: 1, name: "x" } as $d; print $d.name[0]
                                              ^

    """
  ),
  (
    "observe Dog as t keypaths name, agee",
    """
    test:2:33: error: class 'Dog' has no property 'agee'; did you mean 'age'?
    observe Dog as t keypaths name, agee
                                    ^

    """
  ),
  (
    "add Dog { id: 1, name: \"x\" }\nset Dog#1.age = \"four\"",
    """
    test:3:17: error: property 'age' of class 'Dog' is int and cannot hold "four"
    set Dog#1.age = "four"
                    ^

    """
  ),
  (
    "class Box { a: list<int> }; add Box { } as $b; move $b.a[0] to 1",
    """
    test:2:58: error: row 0 is out of range: there are 0 rows
    class Box { a: list<int> }; add Box { } as $b; move $b.a[0] to 1
                                                             ^

    """
  ),
  (
    "help obsrve",
    """
    test:2:6: error: no help on 'obsrve'; did you mean 'observe'?
    help obsrve
         ^

    """
  ),
]

@Suite struct InterpreterTests {
  @Test(arguments: failures)
  func `a failure shows its position and its line`(text: String, errors: String) {
    let run = ScriptRun(dogs + text)
    #expect(run.errors == errors)
    #expect(run.status == 1)
  }

  @Test func `a failure in JSON is an object with its position`() {
    var options = Interpreter.Options()
    options.mode = .json
    let run = ScriptRun(dogs + "count Dgo", options)
    #expect(
      run.errors == """
        {"error":{"message":"unknown class 'Dgo'; did you mean 'Dog'?","file":"test","line":2,"column":7}}

        """)
  }

  @Test func `a long line is shown around the position`() {
    let run = ScriptRun("print " + String(repeating: "1, ", count: 500) + "$x, 2")
    let lines = run.errors.split(separator: "\n")
    #expect(lines[0] == "test:1:1507: error: unknown variable '$x'")
    #expect(lines[1].count < 100 && lines[1].hasPrefix("…") && lines[1].hasSuffix("$x, 2"))
    #expect(lines[2].count == 82)
  }

  @Test func `the first error ends a script, and with keep-going it does not`() {
    let text = "print 1\nadn\nprint 2\nexpect 1 == 2\nprint 3"
    let run = ScriptRun(text)
    #expect(run.output == "1\n" && run.status == 1)
    var options = Interpreter.Options()
    options.keepsGoing = true
    let all = ScriptRun(text, options)
    #expect(all.output == "1\n2\n3\n" && all.status == 1)
    #expect(all.errors.contains("no command 'adn'"))
    #expect(all.errors.contains("expected 1 == 2; seen 1"))
  }

  @Test(arguments: [
    ("print 1", 0), ("adn", 1), ("expect 1 == 2", 3), ("open \"/nowhere/at/all.hdb\"", 4),
    ("read /nowhere.herald", 4), ("expect error \"\" { open \"/nowhere/at/all.hdb\" }", 0),
    ("quit\nadn", 0), ("class A { }\nexpect error \"x\" { count A }", 3),
  ])
  func `the exit status shows what failed`(text: String, status: Int32) {
    #expect(ScriptRun(text).status == status)
  }

  @Test
  func `an interrupted statement fails, its transaction is rolled back, and the shell continues`()
    throws
  {
    let sink = CollectingSink()
    let interpreter = Interpreter(sink: sink)
    interpreter.run(Source(name: "test", text: dogs))
    interpreter.interrupt()
    #expect(!interpreter.run(Source(name: "test", text: "write { add Dog { id: 1, name: \"\" } }")))
    #expect(sink.errors.hasPrefix("test:1:1: error: interrupted\n"))
    #expect(interpreter.exitStatus == 130)
    #expect(interpreter.run(Source(name: "test", text: "count Dog")))
    #expect(sink.output == "0\n")
    interpreter.finishChecked()
  }

  @Test func `sessions call one another without end`() {
    let run = ScriptRun(
      """
      class N { n: int }
      add N { n: 0 }
      @a @b @c { }
      """)
    #expect(run.errors.contains("expected a statement, found '{'"))
    let deep = ScriptRun(
      """
      class N { n: int = 0 }
      add N { } as $n
      @a @b @main @c @a @b print "here"
      observe $n as t do { if $n.n < 20 { @a @b set $n.n = $object.n + 1; write async { @b print $n.n } } }
      @c set $n.n = 1
      sessions
      """)
    #expect(deep.errors == "")
    #expect(deep.output.contains("t: change n 19 -> 20\n"))
  }

  @Test func `a hundred sessions are notified in the order of their creation`() {
    var text = "class N { n: int = 0 }\nadd N { } as $n\n"
    for number in 1...100 { text += "@s\(number) observe N as t\(number)\n" }
    text += "set $n.n = 1\n"
    let run = ScriptRun(text)
    let lines = run.output.split(separator: "\n").suffix(100)
    #expect(lines.map(String.init) == (1...100).map { "s\($0)/t\($0): modifications [0]" })
  }

  @Test func `the prompt names the store and the session`() {
    let interpreter = Interpreter(sink: CollectingSink())
    #expect(interpreter.promptText == "memory main> ")
    interpreter.run(Source(name: "test", text: "session bg"))
    #expect(interpreter.promptText == "memory bg> ")
    interpreter.run(Source(name: "test", text: "close"))
    #expect(interpreter.promptText == "no store main> ")
    interpreter.finishChecked()
  }

  @Test func `changes are confirmed at a prompt`() {
    var options = Interpreter.Options()
    options.isInteractive = true
    let text = dogs + "add Dog { id: 1, name: \"x\" }\nset Dog#1.age = 3\ndelete Dog\nrefresh"
    let run = ScriptRun(text, options)
    #expect(
      run.output == "class Dog\nadded Dog#1\nchanged\ndeleted 1 object\nnothing new\n")
    #expect(ScriptRun(text).output == "")
  }
}

/// Expectations that fail, with their messages.
@Test(arguments: [
  ("expect Dog.@count == 4", "expected Dog.@count == 4; seen 3"),
  (
    "expect Dog.@count == 3 AND Dog#1.name == \"Rex\"",
    "expected Dog#1.name == \"Rex\"; seen \"Max\""
  ),
  ("let $n = 7; expect Dog#1.age == $n", "expected Dog#1.age == $n; seen 9 == 7"),
  ("expect Dog#1.age < Dog#2.age", "expected Dog#1.age < Dog#2.age; seen 9 < 2"),
  ("expect Dog#1.age IN {2, 3}", "expected Dog#1.age IN {2, 3}; seen 9"),
  ("expect Dog#1.age BETWEEN {2, 3}", "expected Dog#1.age BETWEEN {2, 3}; seen 9"),
  ("expect NOT (Dog.@count == 3)", "expected NOT (Dog.@count == 3); seen false"),
  (
    "expect Dog#1.tags == {\"a\", \"c\"}",
    "expected Dog#1.tags == {\"a\", \"c\"}; seen [\"a\", \"b\"]; row 1 is \"b\", not \"c\""
  ),
  (
    "expect Dog#1.tags == {\"a\"}",
    "expected Dog#1.tags == {\"a\"}; seen [\"a\", \"b\"]; row 1 is not expected: \"b\""
  ),
  (
    "expect Dog#1.tags == {\"a\", \"b\", \"c\"}",
    "expected Dog#1.tags == {\"a\", \"b\", \"c\"}; seen [\"a\", \"b\"]; row 2 is missing: \"c\""
  ),
  (
    "expect dogs insertions [0, 1, 3]",
    "expected dogs: insertions [0, 1, 3]; seen dogs: insertions [0, 1, 2]; "
      + "missing: insertions [3]; not expected: insertions [2]"
  ),
  (
    "expect dogs deletions [0]", "expected dogs: deletions [0]; seen dogs: insertions [0, 1, 2]"
  ),
  (
    "expect dogs insertions [0, 1, 2] modifications [1->0]",
    "expected dogs: insertions [0, 1, 2], modifications [1->0]; "
      + "seen dogs: insertions [0, 1, 2]; missing: modifications [1->0]"
  ),
  (
    "write { Dog#1.name = \"M\"; Dog#1.age = 1 }; expect max change name \"Max\" -> \"M\"",
    "expected max: change name \"Max\" -> \"M\"; seen max: change name \"Max\" -> \"M\", "
      + "change age 9 -> 1; not expected: change age 9 -> 1"
  ),
])
func `a failed expectation shows both sides and how they differ`(
  statement: String, message: String
) {
  let run = ScriptRun(
    """
    class Dog { id: int primary; name: string; age: int; tags: list<string> }
    observe Dog as dogs
    expect dogs initial 0
    add Dog [
      {id: 1, name: "Max", age: 9, tags: ["a", "b"]}
      {id: 2, name: "Rex", age: 2}
      {id: 3, name: "Ada", age: 1}
    ]
    observe Dog#1 as max
    \(statement)
    """)
  #expect(
    run.errors.split(separator: "\n").first?.split(separator: " error: ").last == "\(message)")
  #expect(run.status == 3)
}

@Test func `blocks of two sessions that react to each other without end are stopped`() {
  let run = ScriptRun(
    """
    class A { n: int }
    add A { n: 1 } as $a
    observe $a as one do { set $a.n += 1 }
    observe A as two on bg do { set A#1.n += 1 }
    set $a.n = 5
    """)
  #expect(run.errors.contains("1000 times in a row"))
  #expect(run.output.split(separator: "\n").count < 5000)
  #expect(run.status == 1)
}
