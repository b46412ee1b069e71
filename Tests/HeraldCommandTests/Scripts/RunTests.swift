import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// The whole program, without a terminal.
struct RunTests {
  /// A file that was opened under the number of a stream would be written into.
  @Test(arguments: [
    ("0", 4, "", "herald: cannot read standard input: Bad file descriptor\n"),
    ("1", 1, "", "herald: cannot write the output: Bad file descriptor\n"), ("2", 1, "3\n", ""),
  ])
  func `A closed standard stream fails, and no other file takes its descriptor`(
    stream: String, status: Int32, output: String, errors: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.hdb"
    try FileTree.save(
      "class N { n: int }; add N [{n: 1}]; print 3; frobnicate\n", to: folder.path + "/in")
    let script = "exec '\(RunningProgram.path)' '\(path)' <'\(folder.path)/in' \(stream)>&-"
    let run = try ProgramRun(["-c", script], program: "/bin/sh")
    #expect(run.status == status)
    #expect(run.output == output)
    #expect(run.errors == errors)
    if stream != "0" { #expect(try ProgramRun([path, "-c", "count N"]).output == "1\n") }
  }

  @Test func `Commands and scripts run in the order given, on one store`() throws {
    let folder = try TemporaryFolder()
    let script = folder.path + "/s.herald"
    try FileTree.save("add N { n: 2 }\ncount N\n", to: script)
    let run = try ProgramRun(["-c", "class N { n: int }", "-f", script, "-c", "print \"end\""])
    #expect(run.output == "1\nend\n")
    #expect(run.errors == "")
    #expect(run.status == 0)
  }

  @Test func `Standard input is a script, also where -f names it`() throws {
    #expect(try ProgramRun([], input: "print 1\nprint 2").output == "1\n2\n")
    #expect(try ProgramRun(["-c", "print 1", "-f", "-"], input: "print 2").output == "1\n2\n")
    #expect(try ProgramRun(["-c", "print 1"], input: "print 2").output == "1\n")
  }

  @Test func `A failed statement ends the run with its position and status 1`() throws {
    let run = try ProgramRun([], input: "print 1\n\ncount Dog\nprint 2\n")
    #expect(run.output == "1\n")
    #expect(
      run.errors
        == "standard input:3:7: error: unknown class 'Dog'; the store has no classes\ncount Dog\n      ^\n"
    )
    #expect(run.status == 1)
  }

  @Test func `With --keep-going the first failure decides the status`() throws {
    let run = try ProgramRun(["--keep-going"], input: "count Dog\nexpect 1 == 2\nprint 2\n")
    #expect(run.output == "2\n")
    #expect(run.status == 1)
  }

  @Test func `With --answers each statement of a pipe is answered`() throws {
    let script = """
      class Dog { id: int primary; age: int = 0 }
      observe Dog as dogs
      add Dog { id: 1 }
      # no statement

      print Dog.@count; for $i in [1] { print $i }
      Dog#9.age = 3
      show Dog > "/dev/null"
      bad
      close
      print 1
      """
    let run = try ProgramRun(["--answers"], input: script)
    let lines = run.output.split(separator: "\n").map(String.init)
    let events = lines.filter { $0.hasPrefix("{\"event\"") }
    #expect(events.count == 2 && run.errors == "" && run.status == 1)
    let answers = lines.filter { !$0.hasPrefix("{\"event\"") }
    #expect(
      answers.map { $0.hasPrefix("{\"error\"") ? "error" : $0 } == [
        "{\"ok\":true,\"version\":1}", "{\"ok\":true,\"version\":1}", "{\"ok\":true,\"version\":2}",
        "{\"result\":1}", "{\"result\":1}", "error", "{\"ok\":true,\"version\":2}", "error",
        "{\"ok\":true,\"version\":null}", "{\"result\":1}",
      ])
    // The answer comes before what follows from the statement.
    #expect(lines.firstIndex(of: events[1]) == 4)
  }

  @Test func `What follows two hyphens is in args`() throws {
    #expect(try ProgramRun(["-c", "print $args"]).output == "[]\n")
    let some = try ProgramRun([
      "--json", "-c", "print $args[1], $args.@count", "--", "a", "b c", "test", "--x",
    ])
    #expect(some.output == "{\"result\":[\"b c\",4]}\n")
    let folder = try TemporaryFolder()
    try FileTree.save("for $a in $args { print $a }", to: folder.path + "/s.herald")
    let file = try ProgramRun([
      folder.path + "/s.hdb", "-f", folder.path + "/s.herald", "--", "x", "--json",
    ])
    #expect(file.output == "x\n--json\n" && file.status == 0)
    #expect(try ProgramRun(["--set", "args=3", "-c", "print $args", "--", "a"]).output == "3\n")
  }

  @Test func `A failed expectation ends the run with status 3`() throws {
    let run = try ProgramRun(["-c", "class N { n: int }; expect N.@count == 2; print 1"])
    #expect(run.output == "")
    #expect(run.status == 3)
  }

  @Test func `What cannot be opened ends the run with status 4`() throws {
    let folder = try TemporaryFolder()
    let text = folder.path + "/notes.txt"
    try FileTree.save(String(repeating: "not a store ", count: 1_000), to: text)
    let store = try ProgramRun([text, "-c", "print 1"])
    #expect(store.errors.contains("is not a store"))
    #expect(store.output == "")
    #expect(store.status == 4)
    let script = try ProgramRun(["-f", folder.path + "/nowhere.herald"])
    #expect(script.errors.contains("No such file or directory"))
    #expect(script.status == 4)
  }

  @Test func `Wrong usage is one line and status 2`() throws {
    let run = try ProgramRun(["--color", "blue"])
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.errors.hasPrefix("herald: The value 'blue' is invalid"))
    #expect(run.output == "")
    #expect(run.status == 2)
  }

  @Test func `The start-up file is for prompts: -c, scripts and pipes read it only with --rc`()
    throws
  {
    let folder = try TemporaryFolder()
    mkdir(folder.path + "/herald", 0o700)
    try FileTree.save("let $greeting = \"from rc\"\n", to: folder.path + "/herald/rc")
    let environment = ["XDG_CONFIG_HOME": folder.path]
    let with = try ProgramRun(["--rc", "-c", "print $greeting"], environment: environment)
    #expect(with.output == "from rc\n")
    for arguments in [[], ["--no-rc"], ["--rc", "--no-rc"], ["--no-rc", "--rc"]] {
      let run = try ProgramRun(arguments + ["-c", "print $greeting"], environment: environment)
      #expect(run.status == 1, "\(arguments)")
    }
    let piped = try ProgramRun([], input: "print $greeting", environment: environment)
    #expect(piped.status == 1)
  }

  @Test func `A store in a folder that may not be written to suggests --read-only`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s.hdb"
    #expect(try ProgramRun([path, "-c", "class D { n: int }"]).status == 0)
    chmod(path, 0o400)
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let run = try ProgramRun([path, "-c", "count D"])
    #expect(run.status == 4)
    #expect(run.errors.contains("--read-only, or 'open \(path) read-only', reads it"))
    #expect(try ProgramRun([path, "--read-only", "-c", "count D"]).output == "0\n")
  }

  @Test func `herald help WORD prints what help says of the language`() throws {
    #expect(try ProgramRun(["help", "tour"]).output.hasPrefix("tour\n\n  learn in five minutes"))
    #expect(try ProgramRun(["help", "key", "paths"]).output.hasPrefix("Key paths\n  A path is"))
    #expect(try ProgramRun(["help", "test"]).output.contains("herald test"))
    let unknown = try ProgramRun(["help", "tuor"])
    #expect(unknown.status == 2)
    #expect(
      unknown.errors == "herald: no help on 'tuor'; did you mean 'tour'?; see 'herald --help'\n")
  }

  @Test func `A script with herald in its first line runs by itself`() throws {
    let folder = try TemporaryFolder()
    let script = folder.path + "/s.herald"
    try FileTree.save("#!/usr/bin/env -S herald --json -f\nprint \"a\", 1\n", to: script)
    chmod(script, 0o700)
    let place = RunningProgram.path.dropLast("/herald".count)
    let run = try ProgramRun([], environment: ["PATH": "\(place):/usr/bin:/bin"], program: script)
    #expect(run.output == "{\"result\":[\"a\",1]}\n")
    #expect(run.errors == "")
  }

  @Test func `A byte order mark and Windows line ends do no harm`() throws {
    let run = try ProgramRun([], input: [0xEF, 0xBB, 0xBF] + Array("print 1\r\nprint 2\r\n".utf8))
    #expect(run.output == "1\n2\n")
    #expect(run.errors == "")
  }

  @Test func `Bytes that are not UTF-8 are an error with their position`() throws {
    let run = try ProgramRun(
      [], input: Array("print 1\nprint \"a".utf8) + [0xFF] + Array("\"\n".utf8))
    #expect(run.output == "1\n")
    #expect(run.errors.hasPrefix("standard input:2:"))
    #expect(run.status == 1)
  }

  @Test func `A pipe without a reader ends the program quietly`() throws {
    let input = String(repeating: "print \"yes\"\n", count: 20_000)
    let run = try ProgramRun(leavingAfterOneByte: [], input: input)
    #expect(run.output == "y")
    #expect(run.status == 128 + SIGPIPE)
    #expect(run.errors == "")
  }

  /// A program at both ends of the pipes, that reads each result before it writes on.
  @Test func `A piped statement prints its result before the next one is written`() throws {
    let conversation = try Conversation()
    try conversation.send("print 1\n")
    #expect(try conversation.read() == "1\n")
    try conversation.send("class N {\n n: int\n}\nadd N {\n")
    try conversation.send("n: 1 }\ncount N\n")
    #expect(try conversation.read() == "1\n")
    #expect(conversation.leave() == 0)
  }

  @Test func `An interrupt while input is awaited ends with status 130`() throws {
    let conversation = try Conversation()
    try conversation.send("print 1\n")
    #expect(try conversation.read() == "1\n")
    conversation.interrupt()
    // The end of the input would end the program, too.
    #expect(try conversation.read() == "")
    #expect(conversation.leave() == 130)
  }

  @Test func `An interrupt of a running script ends it with status 130`() throws {
    let conversation = try Conversation()
    try conversation.send("class N { n: int }\nprint \"begun\"; follow N --for 600s\n")
    #expect(try conversation.read().hasPrefix("begun\n"))
    conversation.interrupt()
    #expect(conversation.leave() == 130)
  }
}
