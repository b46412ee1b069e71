import Testing

@testable import HeraldShell

/// What the prompt says of the changes that the statements in braces make.
struct ChangeSummaryTests {
  /// The output of a statement at a prompt, in a store with three dogs.
  private func confirmation(of statement: String) -> String {
    var options = Interpreter.Options()
    options.isInteractive = true
    let sink = CollectingSink()
    let interpreter = Interpreter(options: options, sink: sink)
    let setup = "class Dog { id: int primary; age: int = 0; tags: list<string> }\n"
    interpreter.run(
      Source(name: "prompt", text: setup + "add Dog [ {id: 1}, {id: 2}, {id: 3} ]"))
    let before = sink.output
    interpreter.run(Source(name: "prompt", text: statement))
    interpreter.finish()
    return String(sink.output.dropFirst(before.count))
  }

  @Test(arguments: [
    ("for $d in Dog { $d.age = 4 }", "changed 3 objects\n"),
    ("for $d in Dog { set $d { age: 4 } }", "changed 3 objects\n"),
    ("for $d in Dog { append \"a\" to $d.tags }", "changed 3 objects\n"),
    ("for $d in Dog { delete $d }", "deleted 3 objects\n"),
    ("for $i in [4, 5] { add Dog { id: $i } }", "added 2 objects\n"),
    (
      "for $i in [1, 5] { upsert Dog { id: $i, age: 2 } }",
      "added 1 object, changed 1 object\n"
    ),
    ("write { for $d in Dog { $d.age = 4 } }", "changed 3 objects\n"),
    (
      "write { add Dog { id: 4 }; Dog#1.age = 2; delete Dog#3 }",
      "added 1 object, changed 1 object, deleted 1 object\n"
    ),
    ("if Dog.@count == 3 { for $d in Dog { $d.age += 1 } }", "changed 3 objects\n"),
  ])
  func `the changes of all rounds are confirmed in one line`(statement: String, text: String) {
    #expect(confirmation(of: statement) == text)
  }

  @Test(arguments: [
    ("Dog#1.age = 4", "changed\n"), ("write { Dog#1.age = 4 }", "changed\n"),
    ("write { add Dog { id: 4 } }", "added Dog#4\n"),
    ("set Dog { age: 4 }", "changed 3 objects\n"), ("@bg Dog#1.age = 4", "changed\n"),
  ])
  func `a single change is confirmed as one without braces`(statement: String, text: String) {
    #expect(confirmation(of: statement) == text)
  }

  @Test func `what a failed write has rolled back is not confirmed`() {
    #expect(confirmation(of: "write { Dog#1.age = 4; Dog#9.age = 1 }") == "")
  }

  @Test func `what a loop did before it failed is confirmed`() {
    let statement = "for $d in Dog { $d.age = 4; if $d.id == 2 { add Dog { id: 1 } } }"
    #expect(confirmation(of: statement) == "changed 2 objects\n")
  }
}
