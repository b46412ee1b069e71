import Testing

/// The tour at a terminal: one key a step.
@Suite(.serialized) struct TerminalTourTests {
  private static let prompt = "Enter continues, q leaves"

  private func start(rows: Int = 24) throws -> RunningProgram {
    let program = try RunningProgram(["--quiet"], rows: rows, columns: 80).atPrompt()
    try program.terminal.send("tour\r")
    try program.terminal.waitForLine(Self.prompt)
    return program
  }

  @Test func `A step fills the screen, and Enter shows the next one`() throws {
    let program = try start()
    #expect(program.terminal.screen.rows[0].joined().hasPrefix("memory main> tour"))
    #expect(program.terminal.screen.text.contains("\n1 of 14: Objects\n"))
    try program.terminal.send("x\r")
    try program.terminal.wait(for: "the second step") {
      $0.text.contains("2 of 14: An observer of the store") && $0.cursorLine == Self.prompt
    }
    #expect(!program.terminal.screen.text.contains("x\n"))
    try program.terminal.send(" ")
    try program.terminal.wait(for: "the third step") {
      $0.text.contains("3 of 14: An observer of a collection") && $0.cursorLine == Self.prompt
    }
    try program.terminal.send("q")
    try program.terminal.waitForLine("memory main>")
    #expect(!program.terminal.screen.text.contains(Self.prompt))
    #expect(!program.terminal.screen.text.contains("4 of 14"))
    try program.leave()
  }

  @Test(arguments: ["\u{3}", "\u{4}", "q"])
  func `Ctrl-C, Ctrl-D and q lead back to the prompt and to the user's own store`(key: String)
    throws
  {
    let program = try start()
    try program.terminal.send(key)
    try program.terminal.waitForLine("memory main>")
    try program.terminal.send("schema; print \"mine\"\r")
    try program.terminal.waitForText("memory main> schema; print \"mine\"\nmine\nmemory main>")
    try program.leave()
  }

  @Test func `After the last step the prompt is back`() throws {
    let program = try start()
    try program.terminal.send(String(repeating: "\r", count: 13))
    try program.terminal.waitForText("That was the tour.")
    try program.leave()
  }

  @Test func `A signal ends the program while it waits for a key`() throws {
    let program = try start()
    program.signal(15)
    #expect(program.exitStatus() == 128 + 15)
    #expect(program.terminal.isCooked)
  }

  @Test func `A new window size takes effect after the tour`() throws {
    let program = try start()
    program.terminal.resize(rows: 24, columns: 20)
    try program.terminal.send("q")
    try program.terminal.waitForLine("memory main>")
    try program.terminal.send("print \"abcdefgh\"")
    try program.terminal.waitForText("memory main> print \"\nabcdefgh\"")
    try program.terminal.send("\u{3}")
    try program.leave()
  }
}
