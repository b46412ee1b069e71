import HeraldShell
import TestSupport
import Testing

@testable import SessionPicture

/// The first minutes of a person with a file, as README.md shows them: typed at a real terminal.
@Suite(.serialized) struct FirstMinutesTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  private static let terminalMark = "# terminal: "

  @Test(arguments: [100, 80, 40])
  func `from a file to a live table`(columns: Int) throws {
    let script = FileTree.text(Self.root + "/Documentation/first-minutes.herald")
    let session = RecordedSession(script: script, root: Self.root)
    var answers = session.exchanges.map(\.output)
    let program = try RunningProgram(
      ["--quiet", "--color", "never"], rows: 40, columns: columns
    ).atPrompt()
    for line in script.split(separator: "\n").map(String.init) {
      if line.hasPrefix(Self.terminalMark) {
        try watch(String(line.dropFirst(Self.terminalMark.count)), program)
      } else if !line.hasPrefix("#") {
        try type(line, program, columns == 100 ? answers.removeFirst() : nil)
      }
    }
    try program.leave()
  }

  /// Types a statement, and waits for its output and the next prompt.
  private func type(_ statement: String, _ program: RunningProgram, _ answer: [String]?) throws {
    // Each statement has a screen of its own.
    try program.terminal.send("\u{C}")
    try program.terminal.wait(for: "an empty screen") { $0.text == "memory main>" }
    try program.terminal.send(
      statement.replacing("Documentation/", with: Self.root + "/Documentation/") + "\r")
    try program.terminal.wait(for: "the next prompt after \(statement)") {
      $0.cursorLine == "memory main>" && $0.text != "memory main>"
    }
    #expect(!program.terminal.screen.text.contains("error"))
    guard let answer else { return }
    let plain = answer.map { StyledText(terminal: $0).parts.map(\.text).joined() }
    #expect(program.terminal.screen.text.contains(plain.joined(separator: "\n") + "\nmemory main>"))
  }

  private func watch(_ statement: String, _ program: RunningProgram) throws {
    try program.terminal.send(statement + "\r")
    try program.terminal.waitForText("11 rows")
    #expect(program.terminal.screen.text.contains("0  Person#9   Diamond"))
    try program.terminal.send("q")
    try program.terminal.wait(for: "the prompt after the table") { $0.cursorLine == "memory main>" }
  }
}
