import Glibc
import TestSupport
import Testing

/// `| program` and `> FILE`, and the end of output that nobody wants any more.
@Suite(.serialized) struct RedirectionTests {
  private static let dogs = """
    class Dog { name: string; age: int }
    add Dog [ { name: "Max", age: 3 }, { name: "Rex", age: 7 }, { name: "Ace", age: 5 } ]

    """

  /// A script that makes a class of so many rows, whose output is longer than a pipe takes.
  private static let manyRows = """
    class Row { n: int; text: string }
    for $i in [\((0..<100).map(String.init).joined(separator: ","))] {
      write { for $j in [\((0..<100).map(String.init).joined(separator: ","))] {
        add Row { n: $i * 100 + $j, text: "\(String(repeating: "x", count: 100))" } } } }

    """

  private func run(_ statements: String, _ options: [String] = []) throws -> ProgramRun {
    try ProgramRun(options, input: Self.dogs + statements)
  }

  @Test(arguments: [
    ("show Dog sort(name) | cut -c 1", " \n0\n1\n2\n"),
    ("show Dog where name == \"Max\" || age > 5 { name } | tail -n 1", "1  Rex\n"),
    ("Dog | wc -l; echo \"a;b\" # }", "4\na;b\n"),
    ("5 + 3 | cat", "8\n"),
    ("print \"a\", 2 | tr a b", "b 2\n"),
    ("count Dog | cat\ncount Dog", "3\n3\n"),
    ("mode csv; show Dog | head -n 1", "name,age\n"),
    ("schema | grep age", "  age: int\n"),
    ("dump | grep -c name:", "4\n"),
    ("tokens | cat", ""),
    ("write { Dog#1.age = 4\n print Dog#1.age | cat\n }", "4\n"),
    // The brace that closes a block ends the command, unless sh(1) would not see a brace or the command opened it.
    ("write { Dog#1.age = 4; print Dog#1.age | cat }; count Dog", "4\n3\n"),
    ("if Dog.@count > 1 { print 1 | tr 1 2 } else { print 3 }", "2\n"),
    ("for $i in [1, 2] { if $i > 1 { print $i | cat } }", "2\n"),
    ("for $i in [1] { print $i | sed 's/1/}/' }; print \"end\"", "}\nend\n"),
    ("for $i in [1] { print $i | awk \"{ print \\\"}\\\" }\" }; print 2", "}\n2\n"),
    ("for $i in [1] { print $i | { cat; echo ${UNSET:-\\}}; } }; print 2", "1\n}\n2\n"),
    ("for $i in [1] { print $i | cat # }\n}; print 2", "1\n2\n"),
    ("expect error \"unknown\" { show Cat | cat }; print 2", "2\n"),
    ("@other count Dog | cat", "3\n"),
    ("observe Dog as dogs | cat", "dogs: initial 3 rows\n"),
    ("show Dog | true\nprint 1", "1\n"),
    ("follow Dog where age > 5 --count 0 | tail -n 1", "  0: Dog#2 {name: \"Rex\", age: 7}\n"),
  ])
  func `a program reads the output of one statement`(statement: String, output: String) throws {
    let run = try run(statement + "\n")
    #expect(run.errors == "")
    #expect(run.output == output)
  }

  @Test(arguments: [
    ("show Dog { name } >", "   name\n0  Max\n1  Rex\n2  Ace\n"),
    ("show Dog where age > 5 { name } >", "   name\n0  Rex\n"),
    ("show Dog where age > 5 >", "          name  age\n0  Dog#2  Rex     7\n"),
    ("show Dog where age > 3 sort(name) limit(1) >", "          name  age\n0  Dog#3  Ace     5\n"),
    ("print 5 >", "5\n"), ("print \"a\" == \"b\" >", "false\n"), ("5 + 3 >", "8\n"),
    ("$n = 1; $n >", "1\n"), ("count Dog >", "3\n"),
    ("schema Dog >", "class Dog {\n  name: string\n  age: int\n}\n"),
    ("group Dog by age { n: @count } limit(1) >", "   age  n\n0    3  1\n"),
  ])
  func `the output of one statement goes to a file`(statement: String, text: String) throws {
    let folder = try TemporaryFolder()
    for path in ["\(folder.path)/out", "\"\(folder.path)/out\""] {
      let run = try run("\(statement) \(path)\nprint \"end\"\n")
      #expect(run.errors == "")
      #expect(run.output == "end\n")
      #expect(FileTree.text(folder.path + "/out") == text)
    }
  }

  @Test func `a comparison in print stays one`() throws {
    let run = try run("print 5 > 3, \"b\" > \"a\"\nprint (\"/b\" > \"/a\")\n")
    #expect(run.errors == "")
    #expect(run.output == "true true\ntrue\n")
  }

  @Test(arguments: [
    "show Dog > 0", "count Dog > 3", "count Dog>3", "show Dog where age > 3 > 4",
    "show Dog sort(age) > -1", "show Dog { name } > 2.5", "delete Dog > 1", "show $n > $n",
    "show $n > 2026-01-01", "show Dog#1.age > Dog#2.age", "show $n > Dog.@count",
    "set Dog#1 { age: 1 } > 0", "begin > 1", "observe Dog > 1", "watch Dog > 1", "tokens > nil",
    "add Dog { name: \"x\", age: 1 } > true", "explain Dog > 5", "log > 3", "schema > 1",
    "group Dog by age { n: @count } > 1", "count group Dog by age { n: @count } > 1",
    "write { count Dog > 1 }", "for $d in Dog { show $d.age > 5 }", "@bg count Dog > 1",
    "help where > 1", "version > 1", "count Dog >= 3", "count Dog >=3", "show Dog >> 3",
    "show Dog >>log", "show Dog > (3)", "show Dog > [3]", "dump > 3", "refresh > 3",
  ])
  func `a comparison where none can stand is an error, and writes no file`(
    statement: String
  ) throws {
    try withFolder { folder in
      let run = try ProgramRun(
        ["-c", "cd \(folder) && exec \(RunningProgram.path)"],
        input: Self.dogs + "$n = 2\n\(statement)\n", program: "/bin/sh")
      #expect(run.status == 1)
      #expect(
        run.errors.contains("a comparison cannot stand here")
          || run.errors.contains("expected a file"))
      #expect(run.output == "")
      #expect(FileTree.names(in: folder) == [])
    }
  }

  @Test(arguments: [
    "print 5 > 0", "print $n > 0, 1", "print Dog#1.age > 0", "print Dog.@count > 0",
    "print nil > 0", "print ($n) > 0", "5 > 3", "$n > 0", "$n>0", "Dog#1.age > 0",
    "Dog.@count > 0", "(Dog).@count > 0", "Dog where age > 0", "let $y = $n > 0", "$y = $n > 0",
    "if $n > 0 { print 1 }", "if Dog#1.age > 0 { print 1 }", "expect $n > 0",
    "expect Dog.@count > 0", "count Dog where age > 0", "explain Dog where age > 0",
    "show Dog { name, age > 0 as isOld }", "for $d in Dog where age > 0 { print $d.age > 0 }",
    "delete Dog where age > 0", "set Dog where age > 0 { age: 1 }", "write print $n > 0",
    "@bg print $n > 0", "observe Dog where age > 0", "export Dog where age > 0 to - as csv",
    "define Old as Dog where age > 0", "$n >= 0", "write { Dog#1.age = 2; expect $n > 0 }",
  ])
  func `a comparison writes no file`(statement: String) throws {
    try withFolder { folder in
      let run = try ProgramRun(
        ["-c", "cd \(folder) && exec \(RunningProgram.path)"],
        input: Self.dogs + "$n = 2\n\(statement)\n", program: "/bin/sh")
      #expect(run.status == 0, "\(run.errors)")
      #expect(FileTree.names(in: folder) == [])
    }
  }

  @Test func `a file stays as it was if the statement fails`() throws {
    let folder = try TemporaryFolder()
    try FileTree.save("before", to: folder.path + "/out")
    let run = try run("show Cat > \(folder.path)/out\n")
    #expect(run.status == 1)
    #expect(FileTree.text(folder.path + "/out") == "before")
    #expect(FileTree.names(in: folder.path) == ["out"])
  }

  @Test(arguments: [
    ("show Dog | no-such-program", "cannot run 'no-such-program'"),
    ("show Dog |", "expected a program"),
    ("show Dog >", "expected a file, found the end"),
    ("show Dog > /no/such/folder/x", "cannot write '/no/such/folder/x': No such file or directory"),
    ("show Dog > /tmp", "cannot write '/tmp': it is a directory"),
    ("show Dog > a > b", "expected the end of the statement, found '>'"),
    ("show Cat | cat", "unknown class 'Cat'"),
  ])
  func `what cannot be redirected is an error`(statement: String, message: String) throws {
    let run = try run(statement, ["--json"])
    #expect(run.status == 1)
    #expect(run.errors.contains(message))
  }

  @Test func `a device is written directly`() throws {
    let run = try run("show Dog > /dev/null\n")
    #expect(run.status == 0)
    #expect(run.errors + run.output == "")
  }

  @Test
  func `a program that reads only the beginning ends a long statement, and the script goes on`()
    throws
  {
    let run = try ProgramRun(
      [], input: Self.manyRows + "show Row | head -n 1\nprint Row | head -n 1\nprint 1\n")
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output.hasSuffix("\nRow#1 {n: 0, text: \"\(String(repeating: "x", count: 100))\"}\n1\n"))
  }

  @Test(arguments: ["show Row", "print Row", "mode csv; show Row", "dump", "mode json; show Row"])
  func `an interruption ends output that nobody takes`(statement: String) throws {
    let conversation = try Conversation()
    try conversation.send(Self.manyRows + "\(statement)\nprint \"end\"\n")
    var output = try conversation.read()
    conversation.interrupt()
    while let more = try? conversation.read(), !more.isEmpty { output += more }
    #expect(conversation.leave() == 130)
    #expect(!output.hasSuffix("end\n"))
    #expect(output.utf8.count < 1_000_000)
  }

  @Test func `many rows are written as all of them at once would be`() throws {
    // The thousand rows that determine the columns, and pieces after them.
    let run = try ProgramRun(
      [], input: Self.manyRows + "show Row where n < 3000 { n, n > 2500 as late }\n")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3001)
    #expect(lines.first == "       n  late")
    #expect(lines.last == "2999  2999  true")
  }
}
