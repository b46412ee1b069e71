import Glibc
import TestSupport
import Testing

/// The whole program, at a terminal.
@Suite(.serialized) struct PromptTests {
  private static let prompt = RunningProgram.prompt

  private func start(
    _ arguments: [String] = ["--quiet"], home: TemporaryFolder? = nil, columns: Int = 80
  ) throws -> RunningProgram {
    try RunningProgram(arguments, home: home, columns: columns).atPrompt()
  }

  @Test func `The greeting names help and quit`() throws {
    let program = try start([])
    #expect(program.terminal.screen.rows[0].joined().contains("'help' lists the commands"))
    try program.leave()
  }

  @Test func `A statement's output is printed between two prompts`() throws {
    let program = try start()
    try program.terminal.send("print \"né 日本 🐶\"\r")
    try program.terminal.waitForScreen(
      "memory main> print \"né 日本 🐶\"\nné 日本 🐶\nmemory main>")
    try program.leave()
  }

  @Test func `The prompt shows a store's name`() throws {
    let home = try TemporaryFolder()
    let program = try RunningProgram(["--quiet", home.path + "/walk.hdb"], home: home)
    try program.terminal.waitForLine("walk.hdb main>")
    try program.leave()
  }

  @Test func `The prompt shows that a store is read-only`() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/walk.hdb"
    let program = try RunningProgram(["--quiet", path], home: home)
    try program.terminal.send("class D { n: int }\ropen \(path) read-only\r")
    try program.terminal.waitForLine("walk.hdb (read-only) main>")
    try program.leave()
    let reader = try RunningProgram(["--quiet", "--read-only", path], home: home)
    try reader.terminal.waitForLine("walk.hdb (read-only) main>")
    try reader.terminal.send("open \(path)\r")
    try reader.terminal.waitForLine("walk.hdb main>")
    try reader.leave()
  }

  @Test func `A query without rows says so, and what its predicate does not mean`() throws {
    let program = try start()
    try program.terminal.send("class D { n: int; name: string }\r")
    for query in ["D", "show D { n }", "group D by n { c: @count }", "mode line; D; mode text"] {
      try program.terminal.send("\u{C}\(query)\r")
      try program.terminal.waitForText("\(query)\n0 rows\n\(Self.prompt)")
    }
    try program.terminal.send("\u{C}count D where n > 1 AND name LIKE \"%a\"\r")
    try program.terminal.waitForText(
      "\n0\nhint: in LIKE '*' stands for any text, and '%' for itself: \"*a\"\n\(Self.prompt)")
    try program.terminal.send("\u{C}D where \"name\" == \"a\"\r")
    try program.terminal.waitForText(
      "\n0 rows\nhint: \"name\" is a text; a property is written without quotes: name\n\(Self.prompt)"
    )
    try program.terminal.send("\u{C}mode csv; D; mode text; D > \"/dev/null\"; print 7\r")
    try program.terminal.waitForText("\nn,name\n7\n")
    try program.leave()
  }

  @Test func `A class that names one which does not exist yet says so at once`() throws {
    let program = try start()
    try program.terminal.send("class D { name: text; owner: Preson; other: D }\r")
    try program.terminal.waitForText(
      "\nclass D\nhint: there is no class 'text' yet; did you mean 'string'?\n"
        + "hint: there is no class 'Preson' yet\n\(Self.prompt)")
    try program.terminal.send("class Person { }\ralter D { add x: list<Preson>; add y: Person }\r")
    try program.terminal.waitForText(
      "\naltered D\nhint: there is no class 'Preson' yet; did you mean 'Person'?\n\(Self.prompt)")
    try program.leave()
  }

  @Test(arguments: [80, 31])
  func `Ctrl-C leaves the line that it drops readable`(columns: Int) throws {
    let program = try start(columns: columns)
    try program.terminal.send("count U\u{1}\u{3}")
    try program.terminal.waitForText("\(Self.prompt) count U^C\n\(Self.prompt)")
    // Its last row is full.
    let words = String(repeating: "日", count: columns / 2 * 2 - 7) + "x"
    try program.terminal.send(words + "\u{1}\u{3}")
    try program.terminal.waitForText("x^C\n\(Self.prompt)")
    try program.leave()
  }

  @Test func `Combining marks are drawn without colours too`() throws {
    let program = try start(["--quiet", "--color", "never"])
    try program.terminal.send("print \"e\u{301}")
    try program.terminal.waitForOutput("print \"e\u{301}")
    try program.terminal.send("a\"\r")
    try program.terminal.waitForText("\nea\n\(Self.prompt)")
    try program.leave()
  }

  @Test func `An open bracket continues the statement on the next line`() throws {
    let program = try start()
    try program.terminal.send("class Dog {\r")
    try program.terminal.waitForLine("..........{>")
    try program.terminal.send("name: string }\r")
    try program.terminal.waitForLine(Self.prompt)
    try program.leave()
  }

  @Test func `Ctrl-D drops an unfinished statement before it leaves`() throws {
    let program = try start()
    try program.terminal.send("print [\r")
    try program.terminal.waitForLine("..........[>")
    try program.terminal.send("\u{4}")
    try program.terminal.waitForLine(Self.prompt)
    try program.terminal.send("print 1\r")
    try program.terminal.waitForText("\n1\n")
    try program.leave()
  }

  @Test func `Ctrl-C drops what was typed, and the program continues`() throws {
    let program = try start()
    try program.terminal.send("class Dog {\r")
    try program.terminal.waitForLine("..........{>")
    try program.terminal.send("name\u{3}")
    try program.terminal.waitForLine(Self.prompt)
    try program.terminal.send("print \"alive\"\r")
    try program.terminal.waitForText("\nalive\n")
    try program.leave()
  }

  @Test func `Ctrl-C stops one query that would take for ever`() throws {
    let program = try start()
    try program.terminal.send(
      "class H { id: int primary; all: backlinks<N.h> }; class N { h: H }; add H { id: 1 }\r")
    try program.terminal.waitForLine(Self.prompt)
    let many = Array(repeating: "{h: H#1}", count: 100).joined(separator: ", ")
    try program.terminal.send("add N [\(many)]\r")
    try program.terminal.waitForLine(Self.prompt)
    var condition = "$e.h.id == 2"
    for (outer, inner) in [("$d", "$e"), ("$c", "$d"), ("$b", "$c"), ("$a", "$b")] {
      condition = "SUBQUERY(\(outer).h.all, \(inner), \(condition)).@count == 0"
    }
    try program.terminal.send(
      "print \"begun\"; count N where SUBQUERY(h.all, $a, \(condition)).@count == 0\r")
    try program.terminal.waitForText("\nbegun")
    try program.terminal.send("\u{3}")
    try program.terminal.waitForText("error: interrupted")
    try program.terminal.send("count N\r")
    try program.terminal.waitForText("\n100\n")
    try program.leave()
  }

  @Test func `Ctrl-C stops deliveries that would go on for ever`() throws {
    let program = try start()
    try program.terminal.send("class N { n: int }\r")
    try program.terminal.send(
      "observe N as n do { if N.@count == 5 { print \"five\" }; write async { add N { n: 1 } } }\r")
    try program.terminal.waitForOutput("\nfive\r\n")
    try program.terminal.send("\u{3}")
    try program.terminal.wait(for: "a prompt") { $0.cursorLine == Self.prompt }
    try program.terminal.send("invalidate all\rprint \"alive\"\r")
    try program.terminal.waitForText("\nalive\n")
    try program.leave()
  }

  @Test func `Ctrl-C stops a running statement and rolls its transaction back`() throws {
    let home = try TemporaryFolder()
    let script = home.path + "/long.herald"
    let additions = String(repeating: "add N { n: 1 }\n", count: 50_000)
    try FileTree.save("class N { n: int }\nprint \"begun\"\nwrite {\n\(additions)}\n", to: script)
    let program = try start(home: home)
    try program.terminal.send("read \"\(script)\"\r")
    try program.terminal.waitForOutput("begun\r\n")
    try program.terminal.send("\u{3}")
    try program.terminal.waitForText("error: interrupted")
    try program.terminal.waitForLine(Self.prompt)
    try program.terminal.send("count N\r")
    try program.terminal.waitForText("\n0\nmemory main>")
    try program.leave()
  }

  @Test func `Statements of an earlier run come back with the arrow keys`() throws {
    let home = try TemporaryFolder()
    let first = try start(home: home)
    try first.terminal.send("print \"a\"\r")
    try first.terminal.waitForText("\na\n")
    try first.terminal.send("print [\r1\r]\r")
    try first.terminal.waitForText("\n[1]\n")
    try first.leave()
    #expect(FileTree.permissions(home.path + "/state/herald/history") == 0o600)

    let second = try start(home: home)
    try second.terminal.send("\u{1B}[A")
    try second.terminal.waitForScreen("memory main> print [\n1\n]")
    try second.terminal.send("\u{1B}[A")
    try second.terminal.waitForScreen("memory main> print \"a\"")
    try second.terminal.send("\u{3}")
    try second.terminal.waitForLine(Self.prompt)
    try second.leave()
  }

  @Test func `A line that begins with a space is not kept`() throws {
    let home = try TemporaryFolder()
    let program = try start(home: home)
    try program.terminal.send(" print \"secret\"\r")
    try program.terminal.waitForText("\nsecret\n")
    try program.leave()
    #expect(access(home.path + "/state/herald/history", F_OK) != 0)
  }

  @Test func `A paste of several statements runs with Enter, not before`() throws {
    let program = try start()
    try program.terminal.send("\u{1B}[200~print \"a\"\rprint \"b\"\r\u{1B}[201~")
    try program.terminal.waitForScreen("memory main> print \"a\"\nprint \"b\"")
    try program.terminal.send("\r")
    try program.terminal.waitForText("\na\nb\nmemory main>")
    try program.leave()
  }

  @Test func `A new window size takes effect while a line is typed`() throws {
    let program = try start()
    try program.terminal.send("print \"abcdefgh\"")
    try program.terminal.waitForLine("memory main> print \"abcdefgh\"")
    program.terminal.resize(rows: 24, columns: 20)
    try program.terminal.waitForText("memory main> print \"\nabcdefgh\"")
    try program.terminal.send("\r")
    try program.terminal.waitForText("\nabcdefgh\nmemory main>")
    try program.leave()
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `A signal that ends the program restores the terminal`(number: Int32) throws {
    let program = try start()
    try program.terminal.send("half")
    try program.terminal.waitForLine("memory main> half")
    #expect(!program.terminal.isCooked)
    program.signal(number)
    #expect(program.exitStatus() == 128 + number)
    #expect(program.terminal.isCooked)
    let bytes = String(decoding: program.terminal.received, as: UTF8.self)
    #expect(bytes.contains("\u{1B}[?2004h"))
  }

  @Test func `Signals without a meaning at a prompt are ignored`() throws {
    let program = try start()
    program.signal(SIGQUIT)
    program.signal(SIGCONT)
    try program.terminal.send("print \"alive\"\r")
    try program.terminal.waitForText("\nalive\n")
    try program.leave()
  }

  @Test func `quit ends with status 0`() throws {
    let program = try start()
    try program.terminal.send("quit\r")
    #expect(program.exitStatus() == 0)
  }
}
