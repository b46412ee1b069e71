import Herald
import HeraldShell
import TestSupport
import Testing

/// The log of commits: what the statements about it print and refuse.
struct LogTests {
  private let scene = """
    class Dog { id: int primary; name: string = ""; age: int = 0; tags: list<string>; mate: Dog }
    add Dog [ {id: 1, name: "Max", age: 3, tags: ["a", "b"]}, {id: 2, name: "Rex", age: 7} ]
    write message "a birthday" { set Dog#1.age = 4; append "c" to Dog#1.tags; set Dog#2.mate = Dog#1 }
    delete Dog#1

    """

  private func output(_ statements: String) -> String {
    let run = ScriptRun(scene + statements)
    #expect(run.errors == "")
    return run.output
  }

  private func errors(_ statements: String) -> String { ScriptRun(scene + statements).errors }

  @Test func `a commit is shown with the values before and after it`() {
    let lines = output("log version 3; log version 4").split(separator: "\n")
    #expect(lines[0].hasPrefix("version 3, ") && lines[0].hasSuffix(": \"a birthday\""))
    #expect(
      lines[1...2] == [
        "  ~ Dog#1 age: 3 → 4, tags: [\"a\", \"b\"] → [\"a\", \"b\", \"c\"]",
        "  ~ Dog#2 mate: nil → Dog#1",
      ])
    #expect(
      lines[4...] == [
        "  ~ Dog#2 mate: Dog#1 → nil",
        "  - Dog#1 {id: 1, name: \"Max\", age: 4, tags: [\"a\", \"b\", \"c\"], mate: nil}",
      ])
  }

  @Test(arguments: [
    ("print (Dog#1 at 2).age", "3\n"), ("print Dog#1.tags at -1", "[\"a\", \"b\", \"c\"]\n"),
    ("count Dog at 2", "2\n"), ("count Dog where age > 3 at 3", "2\n"),
    ("let $f = freeze at 2; count Dog where age == 3 in $f; print $f", "1\n2\n"),
    ("let $f = freeze; delete Dog; count Dog in $f; count Dog", "1\n0\n"),
    ("expect (Dog at 2).@count == 2; version", "4\n"),
    ("print (Dog where name == \"Max\" at 3).@sum.age", "4\n"),
    ("for $d in Dog at 2 { print $d.name }", "Max\nRex\n"),
    ("alter Dog { drop age; rename name to title }; print (Dog#1 at 3).age", "4\n"),
    ("drop Dog; count Dog at 3", "2\n"), ("count group Dog at 2 by age { n: @count }", "2\n"),
    ("undo; print Dog#1.age; redo; count Dog", "4\n1\n"),
    ("undo; undo; print Dog#1.tags; redo; redo; count Dog", "[\"a\", \"b\"]\n1\n"),
    ("diff 2 4 Dog", "deletions [0]\n"),
    ("diff 2 3 Dog sort(age)", "modifications [0, 1]\n"),
  ])
  func `earlier versions are read as they were`(statements: String, expected: String) {
    #expect(output(statements) == expected, "\(statements)")
  }

  @Test(arguments: [
    ("count Dog at 9", "there is no version 9; the newest is 4"),
    ("count Dog at -9", "there is no version -5; the newest is 4"),
    ("count Dog at \"soon\"", "expected a version or a time, found '\"soon\"'"),
    ("log version 0", "version 0 has no commit: it is the new store"),
    ("count Dog at 0", "unknown class 'Dog'"),
    ("keep log 2; set Dog#2.age = 1; set Dog#2.age = 2; count Dog at 2", "is not kept; the oldest"),
    ("keep log 2 apples", "expected the end of the statement, found 'apples'"),
    ("keep log soon", "expected '7d', '1GB', '10000' or 'all', found 'soon'"),
    ("undo 3", "version 3 cannot be undone: later commits changed the same objects: Dog#1, Dog#2"),
    ("undo; undo; undo; undo", "a change of classes cannot be undone"),
    ("redo", "nothing to redo"), ("undo; add Dog {id: 5}; redo", "nothing to redo"),
    ("undo 4; undo 4", "it is undone already"), ("begin; undo", "a write is already in progress"),
    ("delete Dog at 2", "frozen objects and results cannot be changed"),
    ("observe Dog at 2", "cannot be observed"), ("follow Dog at 2", "cannot be observed"),
    ("diff 4 2 Dog", "expected a version from 4 on, found 2"),
    ("define Old as Dog at 2", "expected a query of the present"),
    ("write message 3 { add Dog {id: 7} }", "expected a string, found '3'"),
  ])
  func `what is not there is refused`(statements: String, expected: String) {
    let errors = errors(statements)
    #expect(errors.contains(expected), "\(statements): \(errors)")
  }

  @Test func `an undone commit is as if it had not been, for what observers have`() {
    let run = ScriptRun(
      scene + """
        observe Dog sort(id) as dogs
        undo
        observe Dog#1.tags as tags
        undo 3
        """)
    #expect(run.errors == "")
    #expect(run.output.contains("dogs: insertions [0]\ndogs: modifications [0->1]\n"))
    #expect(run.output.contains("tags: deletions [2]"))
  }
}
