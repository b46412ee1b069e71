import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// Output that is wider or longer than the window.
@Suite(.serialized) struct LongOutputTests {
  private static let dogs = """
    class Dog { id: int primary; name: string; note: string? }
    add Dog [ \((1...20).map { "{id: \($0), name: \"dog number \($0) of many\"}" }
      .joined(separator: ", ")) ]

    """

  private func start(_ environment: [String: String]) throws -> RunningProgram {
    let home = try TemporaryFolder()
    try FileTree.save(Self.dogs, to: home.path + "/dogs.herald")
    let program = try RunningProgram(
      ["--quiet", "--color", "never"], home: home, environment: environment, rows: 8, columns: 32
    ).atPrompt()
    try program.terminal.send("read \"\(home.path)/dogs.herald\"\r")
    try program.terminal.wait(for: "a prompt") { $0.cursorLine == "memory main>" }
    return program
  }

  @Test func `A table is cut to the window, and counts the rows that are left out`() throws {
    let program = try start([:])
    try program.terminal.send("show Dog\r")
    try program.terminal.waitForText(
      """
         id     name              note
      0  Dog#1  dog number 1 of…  nil
      1  Dog#2  dog number 2 of…  nil
      2  Dog#3  dog number 3 of…  nil
      3  Dog#4  dog number 4 of…  nil
      4  Dog#5  dog number 5 of…  nil
      +15 more rows
      """)
    try program.leave()
  }

  @Test func `Long output goes through the pager, short output does not`() throws {
    let program = try start(["PAGER": "tail -n 1 | sed s/^/paged:/"])
    try program.terminal.send("show Dog\r")
    // The pager gets whole rows, which it can scroll to.
    try program.terminal.waitForText("paged:19  Dog#20  dog number 20\nof many  nil")
    try program.terminal.send("print \"short\"\r")
    try program.terminal.waitForText("\nshort\n")
    try program.leave()
  }

  @Test func `A pager that the user has not left keeps no version`() throws {
    let shared = try SharedStore(Self.dogs)
    let program = try RunningProgram(
      ["--quiet", "--color", "never", shared.path],
      environment: ["PAGER": "tail -n 1; sleep 60"], rows: 8, columns: 32
    ).atPrompt("walk.hdb main>")
    try program.terminal.send("show Dog\r")
    try program.terminal.waitForText("19  Dog#20")
    let isFree = becomesTrue {
      guard (try? shared.writer.send("readers\nprint \"end\"\n")) != nil,
        let readers = try? shared.writer.read(until: "end\n")
      else { return false }
      return !readers.contains("process \(program.process),")
    }
    #expect(isFree)
    program.signal(SIGKILL)
    _ = program.exitStatus()
    #expect(shared.writer.leave() == 0)
  }

  @Test func `A pager that is quit early ends nothing but itself`() throws {
    let program = try start(["PAGER": "true"])
    try program.terminal.send("show Dog\r")
    try program.terminal.send("print \"alive\"\r")
    try program.terminal.waitForText("\nalive\n")
    try program.leave()
  }

  @Test func `Rows are read no longer once the user has left the pager`() {
    let streams = StandardStreams()
    streams.paging(by: "head -n 1 > /dev/null", over: 1) {
      // Endless, if nothing noticed.
      repeat { streams.write("a\nb\n") } while streams.isRead
    }
    #expect(streams.isRead)
  }
}
