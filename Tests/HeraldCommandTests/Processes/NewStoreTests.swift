import TestSupport
import Testing

/// A store that is not there is made by its first commit.
@Suite(.serialized) struct NewStoreTests {
  private func expectNothing(
    in home: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!FileTree.exists(home.path + "/pets.hdb"), sourceLocation: sourceLocation)
    #expect(!FileTree.exists(home.path + "/pets.hdb-lock"), sourceLocation: sourceLocation)
  }

  @Test(
    arguments: [
      "schema", "open 'pets.hdb'; close", "write { class A { n: int }; add A { n: 1 }; nonsense }",
      "begin; class A { n: int }; rollback", "count Dgo", "import none.csv into A", "check; log",
    ], [0, 1])
  func `a script without a commit leaves nothing behind`(_ script: String, form: Int) throws {
    let home = try TemporaryFolder()
    let path = home.path + "/pets.hdb"
    let run =
      try form == 0
      ? ProgramRun([path, "-c", script]) : ProgramRun([], input: "open '\(path)'\n\(script)\n")
    #expect(!run.output.contains("no store") && !run.errors.contains("no store"))
    expectNothing(in: home)
  }

  @Test func `a script's first commit makes the file`() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/pets.hdb"
    let run = try ProgramRun([path, "-c", "class Dog { name: string }"])
    #expect(run.status == 0 && run.output == "" && run.errors == "")
    #expect(FileTree.exists(path) && FileTree.exists(path + "-lock"))
    #expect(try ProgramRun([path, "-c", "add Dog { name: \"Max\" }; count Dog"]).output == "1\n")
  }

  @Test(
    arguments: [
      ["check"], ["repair", "copy.hdb"], ["--read-only", "-c", "schema"],
      ["replicate", "nats://127.0.0.1:1/pets"],
    ])
  func `what only reads a store has none to read`(_ words: [String]) throws {
    let home = try TemporaryFolder()
    let path = home.path + "/pets.hdb"
    var arguments = words
    switch words[0] {
    case "repair": arguments = ["repair", path, "to", home.path + "/copy.hdb"]
    case "replicate": arguments = ["replicate", path, "to", words[1]]
    default: arguments.insert(path, at: words[0].hasPrefix("-") ? 0 : 1)
    }
    let run = try ProgramRun(arguments)
    #expect(run.status == 4)
    #expect(run.errors.contains("cannot open '\(path)': No such file or directory"))
    expectNothing(in: home)
  }

  @Test func `a prompt says that there is no store, and leaves none`() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/pets.hdb"
    let program = try RunningProgram(["--quiet", path], home: home, columns: 200)
    try program.terminal.waitForLine("pets.hdb main>")
    try program.terminal.waitForText("no store at \(path): its first commit makes it")
    try program.terminal.send("schema\ropen '\(home.path)/cats.hdb'\r")
    try program.terminal.waitForText("no store at \(home.path)/cats.hdb: its first commit makes it")
    try program.terminal.waitForLine("cats.hdb main>")
    expectNothing(in: home)
    try program.terminal.send("class Cat { name: string }\r")
    try program.terminal.waitForText("class Cat")
    try program.leave()
    expectNothing(in: home)
    #expect(FileTree.exists(home.path + "/cats.hdb"))
    let again = try RunningProgram(["--quiet", home.path + "/cats.hdb"], home: home, columns: 200)
    try again.terminal.waitForLine("cats.hdb main>")
    #expect(!again.terminal.screen.text.contains("no store"))
    try again.leave()
  }

  @Test func `of two programs that commit first at once, both commits are there`() throws {
    let home = try TemporaryFolder()
    for round in 0..<12 {
      let path = home.path + "/\(round).hdb"
      let programs = try (0..<2).map { _ in try Conversation([path]) }
      for program in programs {
        try program.send("observe store as s\nprint \"ready\"\n")
        _ = try program.read(until: "ready\n")
      }
      #expect(!FileTree.exists(path))
      for (number, program) in programs.enumerated() {
        try program.send("write { class Dog { n: int }; add Dog { n: \(number) } }\n")
        try program.send("print \"written\"\n")
      }
      for program in programs { _ = try program.read(until: "written\n") }
      for program in programs {
        try program.send("refresh\nprint Dog.@count, Dog.@sum.n\n")
        _ = try program.read(until: "2 1\n")
      }
      for program in programs { #expect(program.leave() == 0) }
      #expect(try ProgramRun(["check", path]).output == "ok\n")
    }
  }

  @Test func `an observer of the empty store is notified of another program's first commit`() throws
  {
    let shared = try TemporaryFolder()
    let path = shared.path + "/walk.hdb"
    let program = try RunningProgram(["--quiet", path], home: shared)
    try program.terminal.waitForLine("walk.hdb main>")
    try program.terminal.send("observe store as every\r")
    try program.terminal.wait(for: "a prompt") { $0.cursorLine == "walk.hdb main>" }
    let writer = try Conversation([path])
    try writer.send("class Dog { id: int primary }\n")
    try program.terminal.waitForText("every: changed")
    try program.terminal.send("observe Dog as dogs\r")
    try program.terminal.waitForText("dogs: initial 0 rows")
    try writer.send("add Dog { id: 1 }\n")
    try program.terminal.waitForText("dogs: insertions [0]")
    #expect(writer.leave() == 0)
    try program.leave()
  }
}
