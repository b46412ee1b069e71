import Foundation
import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// The log of commits: what the statements about it print and refuse.
struct LogTests {
  static let scene = """
    class Dog { id: int primary; name: string = ""; age: int = 0; tags: list<string>; mate: Dog }
    add Dog [ {id: 1, name: "Max", age: 3, tags: ["a", "b"]}, {id: 2, name: "Rex", age: 7} ]
    write message "a birthday" { set Dog#1.age = 4; append "c" to Dog#1.tags; set Dog#2.mate = Dog#1 }
    delete Dog#1

    """

  private static let declaration = """
    class Dog {
      id: int primary
      name: string = ""
      age: int = 0
      tags: list<string>
      mate: Dog
    }

    """

  private func output(_ statements: String) -> String {
    let run = ScriptRun(Self.scene + statements)
    #expect(run.errors == "")
    return run.output
  }

  private func errors(_ statements: String) -> String { ScriptRun(Self.scene + statements).errors }

  @Test func `a commit is shown with the values before and after it`() {
    let lines = output("log version 3; log version 4").split(separator: "\n")
    #expect(lines[0].hasPrefix("version 3, ") && lines[0].hasSuffix(": \"a birthday\""))
    #expect(
      lines[1...2] == [
        "  ~ Dog#1 age: 3 → 4, tags: +[2] \"c\"",
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
    ("diff 2 4 Dog", "- Dog#1 {id: 1, name: \"Max\", age: 3, tags: [\"a\", \"b\"], mate: nil}\n"),
    (
      "diff 2 3 Dog sort(age)",
      "~ Dog#1 age: 3 → 4, tags: +\"c\"\n~ Dog#2 mate: nil → Dog#1\n"
    ),
    (
      "diff 0 2 Dog",
      """
      + Dog#1 {id: 1, name: "Max", age: 3, tags: ["a", "b"], mate: nil}
      + Dog#2 {id: 2, name: "Rex", age: 7, tags: [], mate: nil}

      """
    ),
    // The property by which the rows are sorted is dropped, and another one gets its name.
    (
      "undo; alter Dog { drop age }; alter Dog { add age: int? }; diff 3 7 Dog sort(age desc)",
      "deletions [1]\ninsertions [0]\n"
    ),
    ("diff 2 3 Dog#1.tags", "insertions [2]\n"),
    (
      "diff -2 2040-01-01 Dog",
      "- Dog#1 {id: 1, name: \"Max\", age: 3, tags: [\"a\", \"b\"], mate: nil}\n"
    ),
    ("let $v = version; print $v, version; version", "4 4\n4\n"), ("version at 2040-01-01", "4\n"),
    ("version at \"2020-01-01\"", "0\n"), ("print Dog#2.age at 2040-01-01 10:00", "7\n"),
    ("print Dog.@count at 3, Dog#1.tags.@count at 3", "2 3\n"),
    ("expect Dog#1.age at 3 == 4; if Dog.@count at 2 == 2 { print \"then\" }", "then\n"),
    ("let $f = freeze at 3; Dog#1.tags in $f", "[\"a\", \"b\", \"c\"]\n"),
    ("let $f = freeze at 3; count Dog#1.tags in $f; print Dog#1.age in $f", "3\n4\n"),
    ("let $a = [4]; print 4 in $a", "true\n"),
    ("show Dog where age > 3 { name } at 3", "   name\n0  Max\n1  Rex\n"),
    ("show group Dog by age { n: @count } at 2", "   age  n\n0    3  1\n1    7  1\n"),
    ("drop Dog; dump at 1; schema at 1", String(repeating: LogTests.declaration, count: 2)),
    ("keep log; keep log 12h; keep log", "64MB\n12h\n"),
  ])
  func `earlier versions are read as they were`(statements: String, expected: String) {
    #expect(output(statements) == expected, "\(statements)")
  }

  @Test(arguments: [
    ("count Dog at 9", "there is no version 9; the newest is 4"),
    ("count Dog at -9", "there is no version -9; the newest is 4"),
    ("count Dog at \"soon\"", "expected a version or a time, found '\"soon\"'"),
    ("log version 0", "version 0 has no commit: it is the new store"),
    ("count Dog at 0", "unknown class 'Dog' at version 0"),
    ("print Dog#1 at -4", "unknown class 'Dog' at version 0"),
    ("let $d = Dog#2; print $d at 1", "the object Dog#2 of '$d' does not exist at version 1"),
    ("print Dog#9 at 2", "there is no object Dog#9 at version 2"),
    ("diff 2 3 Dog at 2", "expected a query without a version, found 'at 2'"),
    ("diff 2 3 Dog#2", "'Dog#2' is an object, not a collection"),
    ("undo 77", "test:5:6: error: there is no version 77"),
    ("follow store from 77 --once", "test:5:19: error: there is no version 77"),
    ("keep log 2; set Dog#2.age = 1; set Dog#2.age = 2; count Dog at 2", "is not kept; the oldest"),
    ("keep log 2 apples", "expected the end of the statement, found 'apples'"),
    ("keep log soon", "expected '7d', '1GB', '10000' or 'all', found 'soon'"),
    ("undo 3", "version 3 cannot be undone: later commits changed the same objects: Dog#1, Dog#2"),
    ("undo; undo; undo; undo", "a change of classes cannot be undone"),
    ("redo", "nothing to redo"), ("undo; add Dog {id: 5}; redo", "nothing to redo"),
    ("undo 4; undo 4", "it is undone already"),
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

  /// Statements that ask, with `@` where a version may stand.
  private static let forms = [
    "show Dog@", "show Dog { name, mate.name, age * 2 as twice }@", "count Dog where age > 3@",
    "Dog@",
    "show Dog where age > 3 sort(name desc, age) limit(2)@", "show Dog distinct(name) offset(1)@",
    "show group Dog by name { n: @count, s: @sum.age, m: @max.age } sort(n desc)@",
    "count group Dog by mate.name { n: @count }@", "group Dog by name { a: @avg.age }@",
    "show Card where title == \"Rex\"@", "show Card of Dog#1@", "show Old@", "Old@",
    "count Old where name == \"Rex\"@",
    "print (Dog@).@count, (Dog@).@avg.age, (Dog where age > 3@).@max.age",
    "print (Dog sort(age desc)@)[0].name",
    "show Dog where SUBQUERY(owners, $o, $o.name == \"Ann\").@count > 0@",
    "show Dog where age > (Dog).@avg.age@",
    "show Dog where @links.@count > 0@", "show Dog where ANY tags == \"a\"@",
    "show Dog where x[1].a == 2@",
    "show Dog where scores[\"x\"] == 1@", "show Dog where mate.name == \"Max\"@",
    "explain Dog where age > 3@",
    "show Dog where name MATCHES \"M.*\" OR age % 2 == 0@", "dump@", "schema@", "schema Dog@",
    "export Dog@ to - as csv", "export Dog { name, age }@ to - as jsonl", "show Dog#1@",
    "print Dog#1.age@",
    "export group Dog by name { n: @count }@ to - as csv", "print Dog#1.tags@",
    "show Dog#1.scores@",
    "show Dog#1.kinds@", "count Dog#1.tags@", "show Dog#1.owners@", "print Dog#1.x@, Dog#1.x[1].a@",
    "show Person#1.dogs where age > 3 { name }@",
    "print Person#1.home.town@, Person#1.dogs[0].name@",
    "for $d in Dog where age > 3@ { print $d.name, $d.mate }", "for $t in Dog#1.tags@ { print $t }",
    "let $q = Dog where age > 3@; show $q; count $q; print $q.@max.age",
    "print $d.age@, ($d@).name",
    "let $f = freeze@; show Dog in $f; print Dog#2.name in $f; count Old in $f; dump in $f",
  ]

  @Test(arguments: forms)
  func `each form of query reads a kept version as it read the present then`(form: String) {
    let setup = """
      class Dog { id: int primary; name: string = ""; age: int = 0; tags: list<string>; scores: map<int>
        kinds: set<string>; mate: Dog; x: any; owners: backlinks<Person.dogs> }
      class Person { name: string; dogs: list<Dog>; home: Address }
      embedded class Address { street: string; town: string }
      projection Card of Dog { title: name; years: age }
      define Old as Dog where age > 5 { name, age }
      add Dog [ {id: 1, name: "Max", age: 3, tags: ["a", "b"], scores: {x: 1}, kinds: ["k"], x: [1, {a: 2}]}
        {id: 2, name: "Rex", age: 7, mate: Dog#1}, {id: 3, name: "Rex", age: 9} ]
      add Person { name: "Ann", dogs: [Dog#1, Dog#2], home: { street: "Lane", town: "Bree" } }
      let $d = Dog#1; let $v = version

      """
    let change = """
      write { set Dog#1 { age: 30, tags: [], name: "Old Max", x: nil }; delete Dog#2; clear Person#1.dogs }
      write { Person#1.home.town = "Dale"; remove Dog#1.scores["x"]; clear Dog#1.kinds }
      add Dog { id: 4, name: "New", age: 100 }
      drop Old; alter Dog { rename age to years; drop kinds; add weight: double = 1 }

      """
    let present = ScriptRun(setup + form.withVersion("") + "\n")
    let past = ScriptRun(setup + change + form.withVersion(" at $v") + "\n")
    #expect(present.errors == "" && past.errors == "", "\(form)")
    #expect(present.output != "" && past.output == present.output, "\(form)")
  }

  @Test func `the log has the commits of a class that was dropped since`() {
    let lines = output("drop Dog; class Cat { n: int }; add Cat { n: 1 }; log Dog")
      .split(separator: "\n").dropFirst()
    #expect(lines.count == 4)
    #expect(lines.map { $0.contains(" -1") } == [true, true, false, false])
    #expect(lines.allSatisfy { !$0.contains("Cat") })
    // A class of the same name is another one, and has both.
    let both = output("drop Dog; class Dog { n: int }; add Dog { n: 1 }; log 2 Dog; log 20 Dog")
    #expect(both.split(separator: "\n").count == 3 + 6)
  }

  @Test(arguments: ["undo", "undo 3", "redo", "keep log 10"])
  func `what is a transaction of its own is refused in another`(statement: String) {
    let word = statement.filter { !$0.isNumber }.trimmingCharacters(in: .whitespaces)
    for text in ["write { \(statement) }", "begin; \(statement)"] {
      #expect(
        errors(text).contains(
          "error: '\(word)' is a transaction of its own; 'commit' or 'rollback' the open one first"),
        "\(text)")
    }
  }

  @Test func `a commit says what lists, sets and maps had done to them`() {
    let lines = output(
      """
      alter Dog { add marks: set<int>; add scores: map<int>; add x: any }
      set Dog#2 { tags: ["a", "b", "c"], marks: [1, 2], scores: {a: 1, b: 2}, x: [1] }
      write { move Dog#2.tags[0] to 1; remove Dog#2.tags[2]; append "d" to Dog#2.tags }
      set Dog#2.tags[0] = "z"
      write { insert 3 into Dog#2.marks; remove 1 from Dog#2.marks; Dog#2.scores["a"] = 5 }
      write { remove Dog#2.scores["b"]; Dog#2.scores["c"] = 7; append 2 to Dog#2.x }
      log version 7; log version 8; log version 9; log version 10
      """
    ).split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(
      lines == [
        "  ~ Dog#2 tags: [0→1] \"a\", -[2] \"c\", +[2] \"d\"", "  ~ Dog#2 tags: [0]: \"b\" → \"z\"",
        "  ~ Dog#2 marks: +3, -1, scores: [\"a\"]: 1 → 5",
        "  ~ Dog#2 scores: +[\"c\"] 7, -[\"b\"] 2, x: +2",
      ])
  }

  @Test func `a change of classes says what it did to the objects`() {
    let lines = output(
      "alter Dog { add w: int = 3; drop tags; rename age to years }; log version 5"
    ).split(separator: "\n").dropFirst()
    #expect(
      lines.prefix(2) == [
        "  ~ class Dog { id: int primary; name: string = \"\"; years: int = 0; mate: Dog; w: int = 3 }",
        "  ~ Dog#2 age: 7 → nil, tags: [] → nil, years: nil → 7, w: nil → 3",
      ])
  }

  @Test func `what undo moves back is what the commit moved`() {
    let run = ScriptRun(
      """
      class A { id: int primary; l: list<int> }
      add A { id: 1, l: [1, 2, 3] }
      observe A#1.l as l
      move A#1.l[0] to 2
      undo
      redo
      """)
    #expect(
      run.output == """
        l: initial 3 rows
        l: deletions [0]
        l: insertions [2]
        l: deletions [2]
        l: insertions [0]
        l: deletions [0]
        l: insertions [2]

        """)
  }

  @Test func `an embedded object that keeps a commit from being undone is named by what holds it`()
  {
    let run = ScriptRun(
      """
      embedded class E { n: int }
      class A { id: int primary; e: E; es: list<E> }
      add A { id: 7, e: {n: 1}, es: [{n: 1}] }
      A#7.e.n = 2
      A#7.e.n = 3
      expect error "version 4 cannot be undone: later commits changed the same objects: A#7" { undo 4 }
      A#7.es[0].n = 2
      remove A#7.es[0]
      expect error "changed the same objects: A#7" { undo 6 }
      """)
    #expect(run.errors == "")
  }

  @Test(arguments: [
    (
      "add Dog {id: 3, mate: Dog#2}; delete Dog#3; add Dog {id: 3}; undo 6",
      "the primary keys of objects that it deleted are taken: Dog#3 (added by version 7)"
    ),
    (
      "add Dog {id: 3, mate: Dog#2}; delete Dog#3; delete Dog#2; undo 6",
      "objects to which it removed links are deleted: Dog#2 (deleted by version 7)"
    ),
    (
      "add Dog {id: 3, mate: Dog#2}; Dog#3.mate = nil; delete Dog#2; undo 6",
      "objects to which it removed links are deleted: Dog#2 (deleted by version 7)"
    ),
    (
      "add Dog {id: 3}; Dog#2.mate = Dog#3; undo 5",
      "other objects link to those that it added: Dog#2"
    ),
    (
      "Dog#2.age = 9; alter Dog { age: string }; undo 5",
      "later commits dropped or converted what it changed: Dog#2"
    ),
    (
      "add Dog [{id: 3}, {id: 4}]; delete Dog where id > 2; add Dog {id: 4}; undo 6; undo 7; undo 6",
      "the primary keys of objects that it deleted are taken: Dog#4 (added by version 7)"
    ),
  ])
  func `what keeps a commit from being undone is named`(statements: String, expected: String) {
    let errors = errors(statements)
    #expect(errors.contains("cannot be undone: " + expected + "\n"), "\(statements): \(errors)")
  }

  @Test func `a log of two commits leads back to the version before them, in memory and in a file`()
    throws
  {
    let folder = try TemporaryFolder()
    for store in ["", "open \"\(folder.path)/a.hdb\"\n"] {
      let run = ScriptRun(
        store + Self.scene
          + "keep log 2; Dog#2.age = 1; Dog#2.age = 2; print Dog#2.age at 4; count Dog at 3")
      #expect(run.output.hasSuffix("7\n"), "\(run.output)")
      #expect(
        run.errors.contains("version 3 is not kept; the oldest version that is kept is 4"),
        "\(run.errors)")
    }
  }

  @Test func `a commit whose conflict was undone can be undone`() {
    #expect(
      output(
        "add Dog {id: 3}; delete Dog#3; add Dog {id: 3}; undo 7; undo 6; print Dog#3.id") == "3\n")
  }

  @Test func `an undone commit is as if it had not been, for what observers have`() {
    let run = ScriptRun(
      Self.scene + """
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

extension String {
  /// Replaces each `@` at the end of a word or a parenthesis, where a version may stand.
  fileprivate func withVersion(_ text: String) -> String {
    replacing(/@(?![a-z])/, with: text)
  }
}
