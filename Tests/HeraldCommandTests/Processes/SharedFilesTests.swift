import Glibc
import TestSupport
import Testing

/// What an operator may do to the files of a store that programs have open, and what they say of it.
@Suite(.serialized) struct SharedFilesTests {
  /// A program that has a store open, and has committed an object to it.
  private func withWriter(
    _ body: (_ writer: Conversation, _ path: String) throws -> Void
  ) throws {
    let home = try TemporaryFolder()
    let path = home.path + "/a.hdb"
    let writer = try Conversation([path, "--keep-going", "--json"])
    try writer.send("class A { id: int primary }; add A { id: 1 }; count A\n")
    _ = try writer.read(until: "\"result\":1")
    try body(writer, path)
    _ = writer.leave()
  }

  private func count(_ path: String, _ arguments: [String] = []) throws -> ProgramRun {
    try ProgramRun([path] + arguments + ["-c", "count A"])
  }

  @Test func `A lock file that was removed makes no second writer`() throws {
    try withWriter { writer, path in
      unlink(path + "-lock")
      let second = try ProgramRun([path, "-c", "add A { id: 2 }"])
      #expect(second.status == 4)
      #expect(
        second.errors.contains(
          "cannot open '\(path)': another program has it open with a lock file that was removed or "
            + "replaced; end that program first"))
      try writer.send("add A { id: 3 }\nprint \"done\"\n")
      _ = try writer.read(until: "done")
      #expect(writer.leave() == 1)
      // Nothing that was acknowledged is lost, and nothing else is there.
      #expect(try count(path).output == "1\n")
    }
  }

  @Test func `A backup that was moved over a store is neither written to nor mixed up`() throws {
    try withWriter { writer, path in
      FileTree.copy(path, to: path + ".backup")
      try writer.send("add A { id: 2 }; count A\n")
      _ = try writer.read(until: "\"result\":2")
      rename(path, path + ".old")
      rename(path + ".backup", path)
      let second = try ProgramRun([path, "-c", "add A { id: 4 }"])
      #expect(second.status == 4)
      #expect(
        second.errors.contains(
          "cannot open '\(path)': another program has the store open that was here before; end "
            + "that program first"))
      try writer.send("add A { id: 3 }\nprint \"done\"\n")
      _ = try writer.read(until: "done")
      #expect(writer.leave() == 1)
      #expect(try count(path).output == "1\n")
      rename(path, path + ".backup")
      rename(path + ".old", path)
      #expect(try count(path).output == "2\n")
    }
  }

  @Test func `What happened to the files is an error of the statement that finds it`() throws {
    try withWriter { writer, path in
      let reader = try ProgramRun([path, "--keep-going", "-c", "count A"])
      #expect(reader.output == "1\n")
      rename(path, path + ".old")
      var run = try ProgramRun(
        [path + ".old", "--read-only", "-c", "count A"])
      // Its lock file has another name now, so nobody can see that it is read.
      #expect(run.status == 4)
      #expect(
        run.errors.contains("cannot read '\(path).old' while another program may write to it"))
      rename(path + ".old", path)
      run = try ProgramRun([path, "--read-only", "-c", "count A"])
      #expect(run.output == "1\n" && run.status == 0)
    }
  }

  @Test func `A session at a prompt reports that its store was replaced`() throws {
    let shared = try SharedStore("class Dog { id: int primary }\n")
    let program = try RunningProgram(["--quiet", shared.path], home: shared.home)
    try program.terminal.waitForLine("walk.hdb main>")
    try program.terminal.send("observe Dog as dogs\r")
    try program.terminal.waitForOutput("initial")
    try program.terminal.wait(for: "a prompt") { $0.cursorLine == "walk.hdb main>" }
    FileTree.copy(shared.path, to: shared.path + ".backup")
    rename(shared.path + ".backup", shared.path)
    try program.terminal.waitForOutput("was replaced by another while it was open")
    _ = shared.writer.leave()
  }

  @Test func `The mode of a new store is given by an option`() throws {
    let home = try TemporaryFolder()
    for (arguments, wanted) in [
      ([], 0o600), (["--mode", "0660"], 0o660), (["--mode", "644"], 0o644),
    ] {
      let path = "\(home.path)/\(wanted).hdb"
      #expect(try ProgramRun([path] + arguments + ["-c", "class A { n: int }"]).status == 0)
      #expect(FileTree.permissions(path) == mode_t(wanted))
      #expect(FileTree.permissions(path + "-lock") == mode_t(wanted))
    }
    for wrong in ["9", "0700", "0060", "rw", "0606x"] {
      let run = try ProgramRun([home.path + "/b.hdb", "--mode", wrong])
      #expect(run.status == 2)
      #expect(run.errors.contains("'\(wrong)' is not a valid mode"))
    }
  }

  @Test func `A store has a largest size`() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/a.hdb"
    let text = String(repeating: "x", count: 5000)
    let adding = (1...400).map { "add A { n: \($0), s: \"\(text)\" }" }.joined(separator: "; ")
    let fill = "write { \(adding) }\n"
    let declare = "class A { n: int; s: string }\n"
    let run = try ProgramRun([path, "--max-size", "1M"], input: declare + fill)
    #expect(run.status == 1)
    #expect(run.errors.contains("no space left for '\(path)'"))
    #expect(
      try ProgramRun([path, "--max-size", "100M"], input: fill + "count A\n").output == "400\n")
    let memory = try ProgramRun(["--max-size", "1M"], input: declare + fill)
    #expect(memory.errors.contains("no space left for the store in memory"))
    for wrong in ["0", "-1", "10", "1P", "M", "99999999999T"] {
      #expect(try ProgramRun([path, "--max-size", wrong]).status == 2)
    }
  }
}
