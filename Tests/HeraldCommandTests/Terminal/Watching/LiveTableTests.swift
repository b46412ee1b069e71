import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// `herald live` at a terminal, whose lines come from a pipe and whose keys do not.
@Suite(.serialized) struct LiveTableTests {
  /// A program that shows a query over the lines of a pipe of the file system.
  private func showing(
    _ query: String, _ body: (_ program: RunningProgram, _ lines: Int32) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/lines"
    #expect(mkfifo(path, 0o600) == 0)
    let program = try RunningProgram(
      ["-c", "exec '\(RunningProgram.path)' live R '\(query)' < '\(path)'"], rows: 8,
      program: "/bin/sh")
    let lines = open(path, O_WRONLY)
    defer { close(lines) }
    try body(program, lines)
  }

  private func send(_ text: String, to lines: Int32) throws {
    try OutputBytes.write(Array(text.utf8), to: lines)
  }

  @Test func `rows follow the lines until q`() throws {
    try showing("group by s { n: @count, worst: @max.ms } sort(n desc)") { program, lines in
      try send("s=1 ms=5\n", to: lines)
      try program.terminal.waitForText("0  1  1      5")
      try send("s=2 ms=7\ns=2 ms=6\nms=x\n", to: lines)
      try program.terminal.waitForText("2  2      7")
      try program.terminal.waitForText("1 bad lines")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
      #expect(program.terminal.isCooked)
      try program.terminal.waitForText("line 4: property 'ms': expected an integer, found \"x\"")
    }
  }

  @Test func `Ctrl-C leaves`() throws {
    try showing("sort(ms)") { program, lines in
      try send("s=1 ms=5\n", to: lines)
      try program.terminal.waitForText("0  R#1  1   5")
      try program.terminal.send("\u{3}")
      #expect(program.exitStatus() == 0)
      #expect(program.terminal.isCooked)
    }
  }

  @Test func `the last state stays when the lines end`() throws {
    let program = try RunningProgram(
      ["-c", "printf 's=1 ms=5\\ns=2 ms=6\\n' | '\(RunningProgram.path)' live R 'sort(ms desc)'"],
      program: "/bin/sh")
    #expect(program.exitStatus() == 0)
    try program.terminal.waitForText("0  R#2  2   6\n1  R#1  1   5")
  }
}
