import Testing

extension RunningProgram {
  /// The prompt of a store in memory.
  static let prompt = "memory main>"

  /// The program, once it has shown its first prompt.
  func atPrompt(_ prompt: String = RunningProgram.prompt) throws -> RunningProgram {
    try terminal.waitForLine(prompt)
    return self
  }

  /// Leaves with Ctrl-D at the next prompt, of whatever store; the terminal must be as it was.
  func leave(status: Int32 = 0) throws {
    try terminal.wait(for: "a prompt") { $0.cursorLine.hasSuffix(" main>") }
    try terminal.send("\u{4}")
    #expect(exitStatus() == status)
    #expect(terminal.isCooked)
  }
}
