import Glibc
import TestSupport
import Testing

/// Data, names and errors that try to speak to the terminal.
@Suite(.serialized) struct HostileTextTests {
  /// A title, a colour by a sign of Latin-1, and a turned direction, as a literal writes them.
  private static let literal = "\"a\\u001b]0;x\\u0007b\\u009b31mc\\u202ed\\u2066e\\u007ff\""
  private static let shown = "a\\u001b]0;x\\u0007b\\u009b31mc\\u202ed\\u2066e\\u007ff"

  /// Nothing that came may be one of these, whoever sent it.
  private func expectUnspoken(_ program: RunningProgram) {
    program.terminal.readWhatCame()
    let text = String(decoding: program.terminal.received, as: UTF8.self)
    for sign in ["\u{1B}]", "\u{9B}", "\u{202E}", "\u{2066}", "\u{7F}", "\u{85}"] {
      #expect(!text.contains(sign), "\(sign.unicodeScalars.map { String($0.value, radix: 16) })")
    }
  }

  private func atPrompt(
    _ arguments: [String] = [], environment: [String: String] = [:], rows: Int = 24
  ) throws -> RunningProgram {
    try RunningProgram(
      ["--quiet"] + arguments, environment: environment, rows: rows, columns: 120
    ).atPrompt()
  }

  @Test(arguments: ["text", "json"])
  func `DynamicResults, events and errors at the prompt`(_ mode: String) throws {
    let program = try atPrompt(mode == "json" ? ["--json"] : [])
    let terminal = program.terminal
    try terminal.send("class Dog { name: string; m: map<int> }; observe Dog as dogs\r")
    try terminal.waitForText("initial")
    try terminal.send("details on; add Dog { name: \(Self.literal), m: {\(Self.literal): 1} }\r")
    try terminal.waitForText("insertions")
    for statement in [
      "show Dog", "print Dog#1.name", "print Dog#1", "print Dog#1.m", "print $x\(Self.literal)",
      "import \(Self.literal) into Dog", "expect Dog#1.name == \(Self.literal)",
    ] {
      try terminal.send(statement + "; print 1234\r")
      try terminal.waitForLine("memory main>")
      try terminal.send("print \"end\", 1 + 1\r")
      try terminal.waitForText("end")
    }
    try terminal.waitForText(Self.shown)
    try program.leave()
    expectUnspoken(program)
  }

  @Test func `A store's name in the prompt and in errors`() throws {
    let home = try TemporaryFolder()
    let name = "a\u{1B}]0;x\u{202E}b"
    let program = try RunningProgram(
      ["--quiet", home.path + "/\(name).hdb"], home: home, columns: 120)
    try program.terminal.waitForLine("a\\u001b]0;x\\u202eb.hdb main>")
    try program.leave()
    expectUnspoken(program)
    let missing = try RunningProgram(["-f", home.path + "/\(name)"], home: home, columns: 200)
    #expect(missing.exitStatus() == 4)
    try missing.terminal.waitForText("a\\u001b]0;x\\u202eb")
    expectUnspoken(missing)
    let wrong = try RunningProgram(["--\(name)"], home: home, columns: 200)
    #expect(wrong.exitStatus() == 2)
    expectUnspoken(wrong)
    let test = try RunningProgram(["test", home.path + "/\(name)"], home: home, columns: 200)
    #expect(test.exitStatus() == 4)
    expectUnspoken(test)
  }

  @Test func `Names of files and keys that Tab offers`() throws {
    let home = try TemporaryFolder()
    try FileTree.save("print 1\n", to: home.path + "/s\u{1B}]0;x\u{202E}1")
    try FileTree.save("print 2\n", to: home.path + "/s\u{9B}31m2")
    let program = try RunningProgram(["--quiet"], home: home, columns: 120).atPrompt()
    let terminal = program.terminal
    try terminal.send("read \(home.path)/s\t\t")
    try terminal.waitForText("s\\u009b31m2")
    try terminal.waitForText("s\\u001b]0;x\\u202e1")
    try terminal.send("\u{3}")
    try terminal.send("class Key { name: string primary }; add Key { name: \(Self.literal) }\r")
    try terminal.waitForText("added")
    try terminal.send("print Key#\t\r")
    try terminal.waitForText("Key#\"\(Self.shown)\" {name: \"\(Self.shown)\"}")
    try program.leave()
    expectUnspoken(program)
  }

  /// The line on the screen is the line that runs.
  @Test func `Pasted marks of direction come as escapes`() throws {
    let program = try atPrompt()
    try program.terminal.send("\u{1B}[200~print \"a\u{202E}b\u{2066}c\"\u{1B}[201~")
    try program.terminal.waitForLine("memory main> print \"a\\u202eb\\u2066c\"")
    try program.terminal.send("\r")
    try program.terminal.waitForText("\na\\u202eb\\u2066c\n")
    try program.leave()
    expectUnspoken(program)
  }

  @Test func `A watched table`() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/walk.hdb"
    #expect(
      try ProgramRun([path, "-c", "class Dog { name: string }; add Dog { name: \(Self.literal) }"])
        .status
        == 0)
    let program = try RunningProgram([path, "-c", "watch Dog"], home: home, columns: 120)
    try program.terminal.waitForText("Dog#1  \(Self.shown)")
    try program.terminal.send("q")
    #expect(program.exitStatus() == 0)
    expectUnspoken(program)
  }

  @Test func `What goes through a pager is escaped, what goes to a file is not`() throws {
    let program = try atPrompt(environment: ["PAGER": "cat"], rows: 6)
    try program.terminal.send("class Dog { name: string }\r")
    try program.terminal.send(
      "add Dog [ \((1...9).map { _ in "{ name: \(Self.literal) }" }.joined(separator: ", ")) ]\r")
    try program.terminal.send("show Dog\r")
    try program.terminal.waitForText("8  Dog#9  \(Self.shown)")
    try program.leave()
    expectUnspoken(program)
    #expect(
      try ProgramRun(["-c", "print \(Self.literal)"]).output
        == "a\u{1B}]0;x\u{7}b\u{9B}31mc\u{202E}d\u{2066}e\u{7F}f\n")
  }

  /// What a program that we start gets of ours: its three streams, and no signal blocked or ignored.
  ///
  /// The script reads its status itself: a shell blocks every signal while it starts another program.
  @Test(arguments: ["PAGER", "vi"])
  func `No descriptor of a store and no signal mask reaches a child`(_ kind: String) throws {
    let home = try TemporaryFolder()
    let report = home.path + "/report"
    let script = home.path + "/child"
    try FileTree.save(
      """
      #!/bin/sh
      {
        while IFS= read -r line; do printf '%s\\n' "$line"; done < "/proc/$$/status"
        ls -l "/proc/$$/fd"
      } > "\(report).new" 2>&1
      mv "\(report).new" "\(report)"
      [ -t 0 ] || cat > /dev/null

      """, to: script)
    chmod(script, 0o700)
    try FileTree.save("herald:bind -v\n", to: home.path + "/.editrc")
    let path = home.path + "/walk.hdb"
    let program = try RunningProgram(
      ["--quiet", path], home: home,
      environment: [
        "PAGER": script, "EDITOR": script,
        "EDITRC": kind == "vi" ? home.path + "/.editrc" : "/dev/null",
      ], rows: 6)
    try program.terminal.waitForLine("walk.hdb main>")
    try program.terminal.send("class Dog { n: int }\r")
    try program.terminal.send(
      "add Dog [ {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 5}, {n: 6}, {n: 7} ]\r")
    try program.terminal.waitForText("added 7")
    try program.terminal.waitForLine("walk.hdb main>")
    if kind == "PAGER" {
      try program.terminal.send("show Dog\r")
    } else {
      try program.terminal.send("print 1")
      try program.terminal.waitForLine("walk.hdb main> print 1")
      try program.terminal.send("\u{1B}")
      try program.terminal.wait(for: "the command mode") {
        $0.column < "walk.hdb main> print 1".count
      }
      try program.terminal.send("v")
    }
    try program.terminal.wait(for: "the report", unseen: { access(report, F_OK) == 0 })
    let text = FileTree.text(report)
    #expect(!text.contains("walk.hdb"))
    #expect(!text.contains("anon_inode"))
    #expect(!text.contains("inotify"))
    for mask in ["SigBlk", "SigIgn"] {
      let line = text.split(separator: "\n").first { $0.hasPrefix(mask) }
      let bits = try #require(line.flatMap { UInt64($0.suffix(16), radix: 16) })
      // The C library uses two signals above these for its threads.
      #expect(bits & 0x7FFF_FFFF == 0, "\(line ?? "")")
    }
    program.signal(SIGKILL)
    _ = program.exitStatus()
  }
}
