import Glibc
import TestSupport
import Testing

/// Rule 9.3 at a prompt: what another process commits is printed at once, above the line that is
/// being typed.
@Suite(.serialized) struct OtherProcessTests {
  /// A program at a prompt that observes the dogs of a store, and another that will write to it.
  private func withPrompt(
    _ arguments: [String] = [],
    _ body: (_ program: RunningProgram, _ writer: Conversation) throws -> Void
  ) throws {
    let shared = try SharedStore("class Dog { id: int primary; name: string }\n")
    let program = try RunningProgram(["--quiet", shared.path] + arguments, home: shared.home)
    try program.terminal.waitForLine("walk.hdb main>")
    try program.terminal.send("observe Dog as dogs\r")
    try program.terminal.waitForOutput("initial")
    try program.terminal.wait(for: "a prompt") { $0.cursorLine == "walk.hdb main>" }
    try body(program, shared.writer)
    #expect(shared.writer.leave() == 0)
    try program.terminal.send("\u{3}")
    try program.terminal.wait(for: "a prompt") { $0.cursorLine == "walk.hdb main>" }
    try program.terminal.send("\u{4}")
    #expect(program.exitStatus() == 0)
  }

  @Test func `9.3: events of another process are printed above the half-typed line`() throws {
    try withPrompt { program, writer in
      try program.terminal.send("print 1, 2\u{1B}[D\u{1B}[D\u{1B}[D")
      try program.terminal.waitForLine("walk.hdb main> print 1, 2")
      let column = "walk.hdb main> print 1".count
      try program.terminal.wait(for: "the cursor") { $0.column == column }
      try writer.send("add Dog { id: 1, name: \"Max\" }\n")
      try program.terminal.waitForText("\ndogs: insertions [0]\nwalk.hdb main> print 1, 2")
      try program.terminal.wait(for: "the cursor") { $0.column == column }
      // The line is intact: a key goes where the cursor was.
      try program.terminal.send("0")
      try program.terminal.waitForLine("walk.hdb main> print 10, 2")
      try writer.send("add Dog { id: 2, name: \"Rex\" }\n")
      try program.terminal.waitForText("\ndogs: insertions [1]\nwalk.hdb main> print 10, 2")
      try program.terminal.send("\r")
      try program.terminal.waitForText("\n10 2\n")
    }
  }

  @Test func `9.3: a block runs when another process commits, and its errors are shown`() throws {
    try withPrompt { program, writer in
      try program.terminal.send("observe Dog as bad do { print $rows[7].name }\r")
      try program.terminal.waitForText("bad: initial 0 rows")
      try program.terminal.waitForText("error: row 7 is out of range")
      try program.terminal.waitForLine("walk.hdb main>")
      try program.terminal.send("prin")
      try program.terminal.waitForLine("walk.hdb main> prin")
      try writer.send("add Dog { id: 1, name: \"Max\" }\n")
      try program.terminal.waitForText("bad: insertions [0]")
      try program.terminal.waitForText("there is 1 row")
      try program.terminal.waitForLine("walk.hdb main> prin")
    }
  }

  @Test func `9.3: Ctrl-C stops blocks without end that another process has set off`() throws {
    try withPrompt { program, writer in
      try program.terminal.send(
        "observe Dog as bad do { if Dog.@count > 0 { write async { Dog#1.name += \"x\" } } }\r")
      try program.terminal.waitForText("bad: initial 0 rows\nwalk.hdb main>")
      try program.terminal.send("print 1")
      try program.terminal.waitForLine("walk.hdb main> print 1")
      try writer.send("add Dog { id: 1, name: \"Max\" }\nprint \"there\"\n")
      _ = try writer.read()
      try program.terminal.wait(
        for: "the blocks to run", unseen: { program.terminal.isInterruptible })
      try program.terminal.send("\u{3}")
      try program.terminal.waitForText("error: interrupted")
      try program.terminal.waitForLine("walk.hdb main> print 1")
      try program.terminal.send("\u{3}invalidate all\r")
      // A write that a block had queued may still change something.
      try program.terminal.waitForText("\ninvalidated\n")
      try program.terminal.wait(for: "a prompt") { $0.cursorLine == "walk.hdb main>" }
    }
  }

  @Test func `1.3, 9.3: with autorefresh off another process's commits wait for a refresh`()
    throws
  {
    try withPrompt { program, writer in
      try writer.send("add Dog { id: 1, name: \"Max\" }\n")
      try program.terminal.waitForText("dogs: insertions [0]")
      try program.terminal.send("autorefresh off\r")
      try program.terminal.waitForText("main> autorefresh off\nwalk.hdb main>")
      try writer.send("add Dog { id: 2, name: \"Rex\" }\nprint \"there\"\n")
      _ = try writer.read()
      try program.terminal.send("count Dog\r")
      try program.terminal.waitForText("main> count Dog\n1\n")
      try program.terminal.send("refresh\r")
      try program.terminal.waitForText("dogs: insertions [1]")
    }
  }

  @Test func `A flood of events is counted, and printed on request`() throws {
    try withPrompt(["--json"]) { program, writer in
      var observers = ""
      for number in 0..<210 { observers += "observe Dog as d\(number)\n" }
      let script = program.home.path + "/observers.herald"
      try FileTree.save(observers, to: script)
      try program.terminal.send("read \"\(script)\"\r")
      try program.terminal.waitForOutput("\"token\":\"d209\"")
      try program.terminal.wait(for: "a prompt") { $0.cursorLine == "walk.hdb main>" }
      try writer.send("add Dog { id: 1, name: \"Max\" }\n")
      try program.terminal.waitForText("211 lines of events: 'events' shows them")
      try program.terminal.send("events d7\r")
      try program.terminal.waitForOutput("\"event\":\"update\",\"token\":\"d7\"")
    }
  }

  @Test func `An idle prompt sleeps until it is woken`() throws {
    try withPrompt { program, writer in
      try writer.send("add Dog { id: 1, name: \"Max\" }\n")
      try program.terminal.waitForText("dogs: insertions [0]")
      // Every thread of it waits in the kernel without a time limit.
      #expect(ThreadWait.allSleep(program.process))
    }
  }
}

/// What the threads of a process wait for, from `/proc`.
enum ThreadWait {
  /// Whether every thread comes to wait for something that only another process or a person can
  /// bring about, with no timer set.
  static func allSleep(_ process: pid_t) -> Bool {
    becomesTrue { threads(of: process).allSatisfy { sleeps(process, $0) } }
  }

  private static func threads(of process: pid_t) -> [String] {
    let names = FileTree.names(in: "/proc/\(process)/task")
    return names.isEmpty ? ["none"] : names
  }

  /// `number arguments...` while it waits, `running` else.
  private static func sleeps(_ process: pid_t, _ thread: String) -> Bool {
    let words = FileTree.text("/proc/\(process)/task/\(thread)/syscall").split(separator: " ")
    guard words.count > 6, let call = Int(words[0]) else { return false }
    switch call {
    case poll: return words[3].lowercased().hasSuffix("ffffffff")
    case ppoll, timedWaitForSignals: return words[3] == "0x0"
    case futex: return words[4] == "0x0"
    default: return false
    }
  }

  private static let poll = 7
  private static let ppoll = 271
  private static let timedWaitForSignals = 128
  private static let futex = 202
}
