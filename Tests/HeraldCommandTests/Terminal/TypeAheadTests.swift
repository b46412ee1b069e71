import Glibc
import Testing

/// What is typed before the prompt is there, and what Ctrl-C and Ctrl-Z mean by their positions
/// among other keys.
@Suite(.serialized) struct TypeAheadTests {
  private static let prompt = RunningProgram.prompt

  private func start() throws -> RunningProgram {
    let program = try RunningProgram(["--quiet"]).atPrompt()
    try program.terminal.send("class Dog { }\r")
    try program.terminal.waitForText("\nclass Dog\n\(Self.prompt)")
    return program
  }

  @Test func `What is typed while a statement runs is shown once, by the next prompt`() throws {
    let program = try start()
    try program.terminal.send("follow Dog --for 500ms\r")
    try program.terminal.waitForText("initial 0 rows")
    #expect(!program.terminal.isCooked)
    try program.terminal.send("print \"thx\u{7F}en\"\r")
    try program.terminal.waitForText("initial 0 rows\n\(Self.prompt) print \"then\"\nthen\n")
    try program.leave()
  }

  @Test func `Ctrl-D typed while a statement runs takes effect after it`() throws {
    let program = try start()
    try program.terminal.send("follow Dog --for 500ms\r")
    try program.terminal.waitForText("initial 0 rows")
    try program.terminal.send("print \"then\"\r\u{4}")
    #expect(program.exitStatus() == 0)
    try program.terminal.waitForText("\nthen\n")
  }

  @Test func `Keys behind Ctrl-C are those of the next line`() throws {
    let program = try start()
    try program.terminal.send("print 1\u{3}print 2\u{3}print 3\r")
    try program.terminal.waitForText(
      "\(Self.prompt) print 1^C\n\(Self.prompt) print 2^C\n\(Self.prompt) print 3\n3\n")
    try program.leave()
  }

  @Test func `Ctrl-C right behind Enter stops the statement`() throws {
    let program = try start()
    try program.terminal.send("follow Dog\rprint 1\r\u{3}print 2\r")
    try program.terminal.waitForText("error: interrupted")
    try program.terminal.waitForText("\(Self.prompt) print 2\n2\n\(Self.prompt)")
    #expect(!program.terminal.screen.text.contains("print 1"))
    try program.leave()
  }

  @Test func `Ctrl-C right behind the line of an unfinished statement drops it`() throws {
    let program = try start()
    try program.terminal.send("print [\r1\r\u{3}print 2\r")
    try program.terminal.waitForText("^C\n\(Self.prompt) print 2\n2\n\(Self.prompt)")
    try program.leave()
  }

  @Test func `Ctrl-C that stops a statement drops what was typed before it`() throws {
    let program = try start()
    try program.terminal.send("follow Dog\rprint 1\r")
    try program.terminal.waitForText("initial 0 rows")
    try program.terminal.send("print 2\r\u{3}")
    try program.terminal.waitForLine(Self.prompt)
    try program.terminal.send("print 3\r")
    try program.terminal.waitForText("\(Self.prompt) print 3\n3\n\(Self.prompt)")
    #expect(!program.terminal.screen.text.contains("print 1"))
    #expect(!program.terminal.screen.text.contains("print 2"))
    try program.leave()
  }

  @Test func `Ctrl-C ends a paste that has no end`() throws {
    let program = try start()
    try program.terminal.send("\u{1B}[200~print 1\u{3}print 2\r")
    try program.terminal.waitForText("\(Self.prompt) ^C\n\(Self.prompt) print 2\n2\n")
    try program.leave()
  }
}
