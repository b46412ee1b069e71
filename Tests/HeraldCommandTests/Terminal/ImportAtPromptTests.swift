import TestSupport
import Testing

/// Files at a terminal: a class that is not there is proposed, and an import that takes long shows how far it is.
@Suite(.serialized) struct ImportAtPromptTests {
  private static let proposal = "Declare the class and import? y/N"

  private func start(_ rows: Int) throws -> (RunningProgram, TemporaryFolder) {
    let home = try TemporaryFolder()
    let lines = (1...rows).map { "\($0),name \($0),\($0)\n" }.joined()
    try FileTree.save("id,full name,n\n" + lines, to: home.path + "/t.csv")
    let program = try RunningProgram(
      ["--quiet"], home: home, environment: ["HERALD_PROGRESS": "1"], columns: 140
    ).atPrompt()
    return (program, home)
  }

  @Test func `an import into an unknown class proposes one, which y declares`() throws {
    let (program, home) = try start(2)
    try program.terminal.send("import \"\(home.path)/t.csv\" into Town\r")
    try program.terminal.waitForLine(Self.proposal)
    #expect(program.terminal.screen.text.contains("\n  full_name: string\n"))
    try program.terminal.send("n")
    try program.terminal.waitForText("imported nothing\nmemory main>")
    try program.terminal.send("import \"\(home.path)/t.csv\" into Town\r")
    try program.terminal.waitForLine(Self.proposal)
    try program.terminal.send("y")
    try program.terminal.waitForText("imported 2 objects\nmemory main>")
    try program.terminal.send("count Town\r")
    try program.terminal.waitForText("count Town\n2\nmemory main>")
    try program.leave()
  }

  @Test func `Ctrl-C during an import that shows its percentage leaves nothing`() throws {
    let (program, home) = try start(1_000_000)
    try program.terminal.send("import \"\(home.path)/t.csv\" as new Town\r")
    try program.terminal.wait(for: "a percentage") {
      $0.cursorLine.contains(" %, ") && $0.cursorLine.contains(" records")
    }
    try program.terminal.send("\u{3}")
    try program.terminal.wait(for: "the end of the import") {
      $0.text.contains("error: interrupted") && $0.cursorLine.hasPrefix("memory main>")
    }
    try program.terminal.send("schema\r")
    try program.terminal.waitForText("memory main> schema\nmemory main>")
    try program.leave()
  }
}
