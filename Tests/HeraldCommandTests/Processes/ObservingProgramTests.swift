import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// `observe … do run "PROGRAM"`: programs that are started for events.
@Suite(.serialized) struct ObservingProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    #expect(try run("class Dog { name: string; age: int }").status == 0)
  }

  private var store: String { "\(folder.path)/a.hdb" }
  private var output: String { FileTree.text("\(folder.path)/output") }

  /// The names of inserted dogs, in the order in which programs received them.
  private var names: [String] {
    output.split(separator: "\n").flatMap { line in
      line.split(separator: "\"inserted\":[").dropFirst().first.map {
        $0.matches(of: /"name":"([^"]*)"/).map { String($0.output.1) }
      } ?? []
    }
  }

  private func run(_ statements: String) throws -> ProgramRun {
    try ProgramRun([store, "-c", statements])
  }

  /// A program of these lines.
  private func program(_ lines: String) throws -> String {
    let path = "\(folder.path)/act"
    try FileTree.save(Array("#!/bin/sh\n\(lines)\n".utf8), to: path)
    chmod(path, 0o755)
    return path
  }

  /// A program that appends the event to a file, after some time.
  private func appending(after seconds: String = "0") throws -> String {
    try program("sleep \(seconds); cat >> '\(folder.path)/output'")
  }

  @Test func `a program receives each event in order, and the end waits for all`() throws {
    let act = try program(
      """
      mkdir '\(folder.path)/busy' || echo twice >> '\(folder.path)/output'
      sleep 0.02; cat >> '\(folder.path)/output'; rmdir '\(folder.path)/busy'
      """)
    let adding = (1...9).map { "add Dog { name: \"d\($0)\", age: \($0) }" }.joined(separator: "; ")
    let result = try run("observe Dog where age > 3 as old do run \(act); \(adding)")
    #expect(result.status == 0 && result.errors == "")
    #expect(names == (4...9).map { "d\($0)" })
    #expect(!output.contains("twice"))
    let lines = output.split(separator: "\n")
    #expect(
      lines.first
        == "{\"event\":\"initial\",\"token\":\"old\",\"session\":\"main\",\"version\":1,\"count\":0,\"rows\":[]}"
    )
    #expect(lines.last?.contains("\"version\":10,") == true)
    // What other observers print is printed.
    #expect(result.output.hasSuffix("old: insertions [5]\n"))
  }

  @Test func `words go to the program as they are`() throws {
    let act = try program("cat > /dev/null; for w in \"$@\"; do echo \"<$w>\"; done")
    let result = try run(
      "observe Dog as d do run \(act) \"a b; echo $HOME\" '`id`' $x --flag")
    #expect(result.status == 0)
    #expect(result.output == "d: initial 0 rows\n<a b; echo $HOME>\n<`id`>\n<$x>\n<--flag>\n")
    #expect(
      try run("observe Dog as d do run sh -c \"cat > /dev/null; echo $0\" x").output.hasSuffix(
        "x\n"))
  }

  @Test func `a failure is reported, and the next event follows`() throws {
    let act = try program("cat >> '\(folder.path)/output'; exit 3")
    let result = try run("observe Dog as d do run \(act); add Dog { name: \"a\", age: 1 }")
    #expect(result.status == 1)
    #expect(result.errors.contains("'d': '\(act)' ended with status 3\n"))
    #expect(names == ["a"])
    let missing = try run("observe Dog as d do run \(folder.path)/none")
    #expect(missing.status == 1 && missing.errors.contains("cannot run '\(folder.path)/none'"))
    let killed = try program("kill -9 $$")
    #expect(try run("observe Dog do run \(killed)").errors.contains("was ended by signal 9"))
  }

  @Test func `a program that does not read its input is no error`() throws {
    let act = try program("exit 0")
    let result = try run(
      "write { for $i in (Dog) {} }; for $i in [1, 2, 3, 4, 5, 6, 7, 8] { add Dog { name: \"\(String(repeating: "x", count: 20_000))\", age: $i } }; "
        + "observe Dog as d do run \(act)")
    #expect(result.status == 0 && result.errors == "")
  }

  @Test func `after kill -9 no event is lost`() throws {
    let act = try appending(after: "0.05")
    let observe = "observe Dog where age > 0 as d do run \(act) --after-file '\(folder.path)/after'"
    // The file exists before the first program observes, which may begin after the first commit.
    #expect(try run(observe).status == 0)
    for round in 0..<3 {
      var child = ChildProcess(RunningProgram.path, [store, "-c", "\(observe); follow store"])
      child.environment = ChildProcess.environment(home: folder.path)
      try child.open(1, "\(folder.path)/log", O_WRONLY | O_CREAT)
      let process = try child.start()
      for number in 1...6 {
        let name = "r\(round)-\(number)"
        #expect(try run("add Dog { name: \"\(name)\", age: 1 }").status == 0)
      }
      process.signal(SIGKILL)
      _ = process.end()
      // What came and went while nobody observed is an event, too.
      #expect(
        try run("add Dog { name: \"t\(round)\", age: 1 }; delete Dog where name == \"t\(round)\"")
          .status == 0)
    }
    let result = try run(observe)
    #expect(result.status == 0 && result.errors == "")
    let expected = (0..<3).flatMap { round in (1...6).map { "r\(round)-\($0)" } + ["t\(round)"] }
    var seen: [String] = []
    for name in names where !seen.contains(name) { seen.append(name) }
    #expect(seen == expected)
    // The file has the last version, so nothing comes again.
    #expect(FileTree.text("\(folder.path)/after") == "25\n")
    try FileTree.save([], to: "\(folder.path)/output")
    #expect(try run(observe).status == 0)
    #expect(output == "")
  }

  @Test func `an event comes again until the program has ended well`() throws {
    let observe = "observe Dog as d do run"
    let after = "--after-file '\(folder.path)/after'"
    #expect(try run("\(observe) \(appending()) \(after)").status == 0)
    let before = FileTree.text("\(folder.path)/after")
    let failing = try program("cat > /dev/null; exit 7")
    let result = try run("\(observe) \(failing) \(after); add Dog { name: \"a\", age: 1 }")
    #expect(result.status == 1)
    #expect(result.errors.contains("ended with status 7; 1 event comes again with the same file"))
    #expect(FileTree.text("\(folder.path)/after") == before)
    // Once it succeeds after a failure, within one run.
    let second = try program(
      "test -e '\(folder.path)/seen' && { cat >> '\(folder.path)/output'; exit 0; }; "
        + "touch '\(folder.path)/seen'; exit 1")
    let again = try run("\(observe) \(second) \(after); follow store --for 3s")
    #expect(
      again.status == 1 && again.errors.contains("ended with status 1; it is run again in 1 s"))
    #expect(names == ["a"])
    #expect(FileTree.text("\(folder.path)/after") == "2\n")
  }

  @Test func `the commits of the store continue, too, and groups and values`() throws {
    let act = try appending()
    func observed(_ what: String) throws -> [String] {
      try FileTree.save([], to: "\(folder.path)/output")
      let result = try run(
        "observe \(what) as x do run \(act) --after-file '\(folder.path)/\(what.prefix(5))'")
      #expect(result.status == 0 && result.errors == "", "\(what): \(result.errors)")
      return output.split(separator: "\n").map(String.init)
    }
    let targets = [
      "store", "group Dog by age { n: @count }", "value (Dog).@count", "histogram Dog by age",
    ]
    #expect(try targets.map { try observed($0).count } == [0, 1, 1, 1])
    _ = try run(
      "add Dog { name: \"a\", age: 1 }; add Dog { name: \"b\", age: 1 }; Dog#1.name = \"c\"")
    #expect(try targets.map { try observed($0).count } == [3, 2, 2, 2])
    #expect(try targets.map { try observed($0).count } == [0, 0, 0, 0])
    let object = try run("observe Dog#1 do run \(act) --after-file '\(folder.path)/o'")
    #expect(object.errors.contains("'--after-file' is only for the store, rows, groups and values"))
  }
}
