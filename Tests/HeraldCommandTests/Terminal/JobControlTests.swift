import Glibc
import TestSupport
import Testing

/// The program as a job of an interactive shell, and as a citizen of its machine.
@Suite(.serialized) struct JobControlTests {
  /// The program at its prompt, as a job of a shell that puts no terminal right.
  private func withJob(_ body: (PseudoTerminal) throws -> Void) throws {
    let shell = try RunningProgram(
      ["-i"], environment: ["PS1": "shell> ", "ENV": "/dev/null"], rows: 12, program: "/bin/sh")
    let terminal = shell.terminal
    try terminal.waitForLine("shell>")
    try terminal.send("set -m; '\(RunningProgram.path)' --quiet\r")
    try terminal.waitForLine("memory main>")
    try body(terminal)
    try terminal.waitForLine("memory main>")
    try terminal.send("\u{4}")
    try terminal.waitForLine("shell>")
    #expect(terminal.isCooked)
    try terminal.send("exit\r")
    #expect(shell.exitStatus() == 0)
  }

  @Test func `A suspended prompt comes back with what was typed`() throws {
    try withJob { terminal in
      try terminal.send("print \"日本")
      try terminal.waitForLine("memory main> print \"日本")
      try terminal.send("\u{1A}")
      try terminal.waitForLine("shell>")
      #expect(terminal.isCooked)
      #expect(terminal.screen.text.contains("print \"日本^Z"))
      try terminal.send("fg\r")
      try terminal.waitForLine("memory main> print \"日本")
      try terminal.send("語\"\r")
      try terminal.waitForText("\n日本語\nmemory main>")
    }
  }

  @Test func `A suspended table comes back as it is by then`() throws {
    try withJob { terminal in
      try terminal.send("class Dog { id: int primary }; add Dog { id: 7 }; watch Dog\r")
      try terminal.waitForText("  0  Dog#7")
      try terminal.send("\u{1A}")
      try terminal.waitForLine("shell>")
      #expect(terminal.isCooked)
      #expect(!terminal.screen.text.contains("  0  Dog#7"))
      try terminal.send("fg\r")
      try terminal.waitForText("  0  Dog#7")
      #expect(!terminal.isCooked)
      try terminal.send("q")
    }
  }

  @Test func `A suspended statement continues, and no key is echoed`() throws {
    try withJob { terminal in
      try terminal.send("class Dog { }; follow Dog\r")
      try terminal.waitForText("initial 0 rows")
      try terminal.send("\u{1A}")
      try terminal.waitForLine("shell>")
      #expect(terminal.isCooked)
      try terminal.send("fg\r")
      // Ctrl-C throws away what is not on the screen yet, so the shell's output is awaited.
      try terminal.waitForOutput("fg\r\n\"\(RunningProgram.path)\" --quiet\r\n")
      try terminal.wait(for: "the mode of the program", unseen: { !terminal.isCooked })
      try terminal.send("print 7\u{7F}8\u{3}")
      try terminal.waitForLine("memory main>")
      #expect(!terminal.screen.text.contains("print 7"))
    }
  }

  #if arch(x86_64)
    @Test func `An idle prompt waits without a time limit`() throws {
      let program = try RunningProgram(["--quiet"])
      try program.terminal.waitForLine("memory main>")
      // The number of poll, its descriptors, how many, and -1 for ever; "running" until it waits.
      let path = "/proc/\(program.process)/syscall"
      var call: [Substring] = []
      let waits = becomesTrue {
        call = FileTree.text(path).split(separator: " ")
        return call.first == "7"
      }
      #expect(waits)
      #expect(call.count > 3 && call[3].hasSuffix("ffffffff"))
      try program.terminal.send("\u{4}")
      #expect(program.exitStatus() == 0)
    }
  #endif

  @Test func `An import shows its progress at a terminal, and wipes it away`() throws {
    let home = try TemporaryFolder()
    let lines = (1...60_000).map { "\($0),dog\n" }.joined()
    try FileTree.save("n,name\n" + lines, to: home.path + "/dogs.csv")
    let program = try RunningProgram(
      [
        "-c",
        "class Dog { n: int; name: string }; import \"\(home.path)/dogs.csv\" into Dog; count Dog",
      ], home: home, environment: ["HERALD_PROGRESS": "1"])
    try program.terminal.waitForText("60000")
    #expect(program.exitStatus() == 0)
    program.terminal.readWhatCame()
    let bytes = String(decoding: program.terminal.received, as: UTF8.self)
    #expect(bytes.contains("\r\u{1B}[K\(home.path)/dogs.csv: "))
    #expect(bytes.contains(" records\r\u{1B}[K60000\r\n"))
    #expect(program.terminal.screen.text == "60000")
  }
}
