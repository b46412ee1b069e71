import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// `backup` beside other programs that write to the store.
struct BackupCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  /// A store of accounts with 1,000 in all.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/bank.hdb"
    let accounts = (1...10).map { "{id: \($0), note: \"\(String(repeating: "x", count: 99))\"}" }
    let run = try ProgramRun(
      [path],
      input: """
        class Account { id: int primary; money: int = 100; note: string; friends: list<Account> }
        add Account [ \(accounts.joined(separator: ", ")) ]

        """)
    #expect(run.errors == "")
  }

  /// Statements that move money, each a transaction.
  private func transfers(_ count: Int) -> String {
    (0..<count).map { number in
      let (from, to) = (number % 10 + 1, number * 7 % 10 + 1)
      return "write { Account#\(from).money -= 3; Account#\(to).money += 3; "
        + "append Account#\(to) to Account#\(from).friends }\n"
    }.joined()
  }

  @Test func `A backup holds one version, whatever another program commits meanwhile`() throws {
    let writer = try Conversation([path])
    try writer.send(transfers(600) + "print \"done\"\n")
    for number in 0..<8 {
      let copy = "\(folder.path)/\(number).hdb"
      let run = try ProgramRun([path, "-c", "backup to \(copy)"])
      #expect(run.errors == "")
      #expect(run.output == "" && run.status == 0)
      #expect(try ProgramRun(["check", copy]).output == "ok\n")
      #expect(try ProgramRun([copy, "-c", "print Account.money.@sum"]).output == "1000\n")
    }
    _ = try writer.read(until: "done\n")
    #expect(writer.leave() == 0)
  }

  @Test func `A backup waits for no writer, and no writer for a backup`() throws {
    let writer = try Conversation([path])
    try writer.send("begin; delete Account; print \"open\"\n")
    _ = try writer.read(until: "open\n")
    let copy = folder.path + "/copy.hdb"
    #expect(try ProgramRun([path, "-c", "backup to \(copy)"]).status == 0)
    #expect(try ProgramRun([copy, "-c", "count Account"]).output == "10\n")
    try writer.send("rollback; print \"done\"\n")
    _ = try writer.read(until: "done\n")
    #expect(writer.leave() == 0)
  }

  @Test func `A backup is brought up to date while other programs write and read it`() throws {
    let copy = folder.path + "/copy.hdb"
    #expect(try ProgramRun([path, "-c", "backup to \(copy)"]).status == 0)
    let reader = try Conversation([copy])
    try reader.send("observe Account as changed; print \"ready\"\n")
    _ = try reader.read(until: "ready\n")
    let writer = try Conversation([path])
    try writer.send(transfers(300) + "print \"done\"\n")
    for _ in 0..<5 {
      let version = try ProgramRun([copy, "-c", "sessions"]).output.dropFirst(
        "* main  version ".count
      )
      .dropLast()
      let run = try ProgramRun([path, "-c", "backup to \(copy) since \(version)"])
      #expect(run.errors == "" && run.output == "")
      #expect(try ProgramRun(["check", copy]).output == "ok\n")
      #expect(try ProgramRun([copy, "-c", "print Account.money.@sum"]).output == "1000\n")
    }
    _ = try writer.read(until: "done\n")
    #expect(writer.leave() == 0)
    let version = try ProgramRun([copy, "-c", "sessions"]).output.dropFirst(
      "* main  version ".count
    )
    .dropLast()
    #expect(try ProgramRun([path, "-c", "backup to \(copy) since \(version)"]).status == 0)
    #expect(
      try ProgramRun([copy, "-c", "dump"]).output == ProgramRun([path, "-c", "dump"]).output)
    try reader.send("expect Account.money.@sum == 1000; print \"delivered\"\n")
    #expect(try reader.read(until: "delivered\n").contains("changed: modifications ["))
    #expect(reader.leave() == 0)
  }

  @Test func `Whatever the umask, a backup and a repaired store are the user's own`() throws {
    for (command, file) in [("backup to", "copy.hdb"), ("repair", "repaired.hdb")] {
      let target = folder.path + "/" + file
      let statement =
        command == "repair" ? "repair \(path) to \(target)" : "\(path) -c 'backup to \(target)'"
      let run = try ProgramRun(
        ["-c", "umask 0277; \(RunningProgram.path) \(statement)"], program: "/bin/sh")
      #expect(run.errors == "")
      #expect(FileTree.permissions(target) == 0o600, "\(command)")
      #expect(try ProgramRun([target, "-c", "print Account.money.@sum"]).output == "1000\n")
    }
  }

  @Test func `A backup that is written to by another program is refused`() throws {
    let copy = folder.path + "/copy.hdb"
    #expect(try ProgramRun([path, "-c", "backup to \(copy)"]).status == 0)
    let writer = try Conversation([copy])
    try writer.send("begin; delete Account#1; print \"open\"\n")
    _ = try writer.read(until: "open\n")
    let run = try ProgramRun([path, "-c", "backup to \(copy) since 2"])
    #expect(
      run.errors
        == "-c:1:11: error: '\(copy)' is locked by another program\n"
        + "backup to \(copy) since 2\n          ^\n")
    #expect(run.status == 1)
    #expect(writer.leave() == 0)
  }

  @Test func `A full disk is an error, and no file is left`() throws {
    #expect(try ProgramRun([path], input: transfers(200)).status == 0)
    let before = FileTree.names(in: folder.path)
    let limited = try ProgramRun(
      [
        "-c",
        "ulimit -f 32; trap '' XFSZ; exec '\(RunningProgram.path)' '\(path)' "
          + "-c 'backup to \(folder.path)/copy.hdb'",
      ], program: "/bin/sh")
    #expect(
      limited.errors.hasPrefix(
        "-c:1:11: error: no space left for '\(folder.path)/copy.hdb'\n"))
    #expect(limited.status == 1)
    #expect(FileTree.names(in: folder.path) == before)
  }

  @Test func `At a terminal a line shows the progress, and disappears`() throws {
    let program = try RunningProgram([path, "-c", "backup to \(folder.path)/copy.hdb; print 1"])
    try program.terminal.waitForOutput("\r\u{1B}[K\(folder.path)/copy.hdb: 100 %")
    try program.terminal.waitForText("1")
    #expect(program.exitStatus() == 0)
  }

  @Test func `The prompt confirms what was done`() throws {
    let program = try RunningProgram(["--quiet", path])
    try program.terminal.waitForLine("bank.hdb main>")
    try program.terminal.send("backup to \(folder.path)/copy.hdb\r")
    try program.terminal.waitForText("backed up version 2 to \(folder.path)/copy.hdb")
    try program.terminal.send("backup to \(folder.path)/copy.hdb since 1 + 1\r")
    try program.terminal.waitForText("brought \(folder.path)/copy.hdb to version 2")
    try program.terminal.send("backup to \(folder.path)/copy.hdb since \"x\"\r")
    try program.terminal.waitForText("error: '\"x\"' is not the number of a version")
    try program.terminal.send("\u{4}")
    #expect(program.exitStatus() == 0)
  }
}
