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
