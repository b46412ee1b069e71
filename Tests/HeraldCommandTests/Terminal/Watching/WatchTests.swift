import Glibc
import HeraldShell
import TestSupport
import Testing

/// `watch` at a terminal, driven by keys and by another process that writes.
@Suite(.serialized) struct WatchTests {
  private static let classes = """
    class Dog { id: int primary; name: string = ""; age: int = 0 }

    """

  /// A program that watches a store, and another that writes to it.
  private func watching(
    _ statement: String, after script: String = "", rows: Int = 8, arguments: [String] = [],
    _ body: (_ program: RunningProgram, _ writer: Conversation) throws -> Void
  ) throws {
    let shared = try SharedStore(Self.classes + script)
    let program = try RunningProgram(
      [shared.path, "-c", statement] + arguments, home: shared.home,
      environment: ["HERALD_WATCH_CHECK": "1"], rows: rows, columns: 70)
    try body(program, shared.writer)
    #expect(shared.writer.leave() == 0)
  }

  /// `add Dog {…}` in one transaction, numbered from one.
  private func dogs(_ count: Int) -> String {
    let dogs = (1...count).map { "{ id: \($0), name: \"d\($0)\", age: \($0) }" }
    return "add Dog [\(dogs.joined(separator: ", "))]\n"
  }

  private func lines(_ program: RunningProgram) -> [String] {
    program.terminal.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  @Test func `9.3: what another process commits is seen at once, and marked`() throws {
    try watching("watch Dog sort(age)", after: dogs(3)) { program, writer in
      try program.terminal.waitForText("  2  Dog#3  d3      3")
      try writer.send(
        "write { Dog#1.name = \"max\"; delete Dog#2; add Dog { id: 9, name: \"new\", age: 9 } }\n")
      try program.terminal.waitForText("last -1 +1 ~1")
      #expect(
        Array(lines(program)[1...4]) == [
          "~ 0  Dog#1  d1→max    1", "-    Dog#2  d2        2",
          "  1  Dog#3  d3        3", "+ 2  Dog#9  new       9",
        ])
      try program.terminal.wait(for: "the marks to fade") {
        $0.text.contains("  0  Dog#1  max       1\n  1  Dog#3  d3        3\n  2  Dog#9")
      }
      try program.terminal.waitForText("checked 2")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
      #expect(program.terminal.isCooked)
    }
  }

  @Test func `groups are watched`() throws {
    try watching(
      "watch group Dog by name { n: @count, old: @max.age } sort(n desc)", after: dogs(3)
    ) {
      program, writer in
      try program.terminal.waitForText("  2  d3    1    3")
      try writer.send("write { Dog#1.name = \"d3\"; Dog#1.age = 9 }\n")
      try program.terminal.waitForText("last -1 ↕1")
      #expect(
        Array(lines(program)[1...3]) == [
          "-    d1      1    1", "↑ 0  d3    1→2  3→9", "  1  d2      1    2",
        ])
      try program.terminal.waitForText("checked 2")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `keys scroll, and the end is followed`() throws {
    try watching("watch Dog", after: dogs(40)) { program, writer in
      try program.terminal.waitForText("  5  Dog#6 ")
      try program.terminal.send("j\u{1B}[B")
      try program.terminal.waitForText("  7  Dog#8 ")
      try program.terminal.send("\u{1B}[6~")
      try program.terminal.waitForText("12  Dog#13 ")
      try program.terminal.send("k\u{1B}[5~")
      try program.terminal.waitForText("  1  Dog#2 ")
      try program.terminal.send("\u{1B}[F")
      try program.terminal.waitForText("  39  Dog#40 ")
      try writer.send("add Dog { id: 41, name: \"last\" }\n")
      try program.terminal.waitForText("+ 40  Dog#41  last")
      try program.terminal.send("\u{1B}[H")
      try program.terminal.waitForText("  0  Dog#1 ")
      try program.terminal.send("\u{3}")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `a window that changes its size is filled`() throws {
    try watching("watch Dog", after: dogs(40)) { program, _ in
      try program.terminal.waitForText("  5  Dog#6 ")
      program.terminal.resize(rows: 12, columns: 50)
      try program.terminal.waitForText("  9  Dog#10 ")
      program.terminal.resize(rows: 5, columns: 30)
      try program.terminal.wait(for: "three rows") {
        $0.text.contains("  2  Dog#3 ") && !$0.text.contains("Dog#4 ")
      }
      #expect(lines(program).allSatisfy { $0.count < 30 })
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `key paths are the columns, and lists can be watched`() throws {
    let script = """
      class Person { id: int primary; dogs: list<Dog> }
      add Dog [{ id: 1, name: "Max", age: 3 }, { id: 2, name: "Rex", age: 7 }]
      add Person { id: 1, dogs: [Dog#1, Dog#2] }

      """
    try watching("let $p = Person#1\nwatch $p.dogs keypaths name", after: script) {
      program, writer in
      try program.terminal.waitForText("           name\n  0  Dog#1  Max\n  1  Dog#2  Rex")
      try writer.send("move Person#1.dogs[1] to 0\n")
      try program.terminal.waitForText("↑ 0  Dog#2  Rex\n  1  Dog#1  Max")
      try writer.send("delete Person#1\n")
      try program.terminal.waitForText("the watched collection was deleted")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `4.7: a map is watched by its keys`() throws {
    let script = """
      class Box { id: int primary; scores: map<int> }
      add Box { id: 1, scores: {b: 2, d: 4, f: 6} }

      """
    try watching("let $m = Box#1\nwatch $m.scores", after: script) { program, writer in
      try program.terminal.waitForText("3 rows")
      try writer.send(
        "write { remove Box#1.scores[\"d\"]; Box#1.scores[\"f\"] = 7; Box#1.scores[\"a\"] = 1 }\n")
      try program.terminal.waitForText("last -1 +1 ~1")
      #expect(
        Array(lines(program)[1...4]) == [
          "+ 0  \"a\"      1", "  1  \"b\"      2", "-    \"d\"      4", "~ 2  \"f\"    6→7",
        ])
      try program.terminal.waitForText("checked 2")
      try writer.send("delete Box#1\n")
      try program.terminal.waitForText("the watched collection was deleted")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `after a storm of commits the rows are those of the store`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var ages: [Int: Int] = [:]
    var script = ""
    for id in 1...60 {
      ages[id] = Int.random(in: 0...99, using: &generator)
      script += "add Dog { id: \(id), age: \(ages[id] ?? 0) }\n"
    }
    try watching("watch Dog sort(age, id)", after: script, rows: 14) { program, writer in
      try program.terminal.waitForText("60 rows")
      var storm = ""
      for id in 61...200 {
        let victim = ages.keys.sorted().randomElement(using: &generator) ?? 1
        let changed = ages.keys.sorted().randomElement(using: &generator) ?? 1
        (ages[id], ages[changed]) = (Int.random(in: 0...99, using: &generator), id % 90)
        storm += "write { set Dog#\(changed).age = \(id % 90); add Dog { id: \(id), age: "
        storm += "\(ages[id] ?? 0) }; delete Dog#\(victim) }\n"
        ages[victim] = nil
        if id == 130 { try program.terminal.send("\u{1B}[6~jjj") }
        try writer.send(storm)
        storm = ""
      }
      try program.terminal.send("\u{1B}[H")
      let order = ages.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
      let wanted = order.prefix(12).enumerated().map { "\($0) Dog#\($1.key) \($1.value)" }
      try program.terminal.wait(for: wanted.joined(separator: "\n")) { screen in
        let lines = screen.text.split(separator: "\n").dropFirst().dropLast()
        return lines.map { $0.split(separator: " ").joined(separator: " ") } == wanted
      }
      try program.terminal.waitForText("checked 2")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `columns follow the class`() throws {
    try watching("watch Dog", after: dogs(1)) { program, writer in
      try program.terminal.waitForText("  0  Dog#1  d1      1")
      try writer.send("alter Dog { rename name to title; drop age; add weight: int = 7 }\n")
      try program.terminal.waitForText("id     title  weight\n  0  Dog#1  d1          7")
      try writer.send("Dog#1.weight = 8\n")
      try program.terminal.waitForText("7→8")
      try program.terminal.waitForText("checked 2")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `4.10: columns follow what they read besides their rows`() throws {
    try watching(
      "watch Dog where id > 1 { name, age - Dog#1.age as over, (Dog).@max.age as most }",
      after: dogs(3)
    ) { program, writer in
      try program.terminal.waitForText("  0  Dog#2  d2       1     3\n  1  Dog#3  d3       2     3")
      try writer.send("Dog#1.age = 9\n")
      try program.terminal.waitForText("  0  Dog#2  d2      -7     9\n  1  Dog#3  d3      -6     9")
      try program.terminal.waitForText("checked 2")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `4.10: columns follow backlinks and what is many links away`() throws {
    try watching(
      "watch Dog { name, fans.@count as fans, chain.next.next.next.next.next.n as far }",
      after: """
        class Link { n: int = 0; next: Link }
        class Fan { id: int primary; dog: Dog }
        alter Dog { add chain: Link; add fans: backlinks<Fan.dog> }
        \(dogs(1))
        add Link { n: 7 } as $end
        \(String(repeating: "add Link { next: $end } as $end\n", count: 5))
        Dog#1.chain = $end
        add Fan { id: 1, dog: Dog#1 }

        """
    ) { program, writer in
      try program.terminal.waitForText("  0  Dog#1  d1       1    7")
      try writer.send("add Fan { id: 2, dog: Dog#1 }\n")
      try program.terminal.waitForText("1→2")
      try writer.send("set Link where n == 7 { n: 8 }\n")
      try program.terminal.waitForText("7→8")
      try writer.send("delete Fan#1\n")
      try program.terminal.waitForText("  0  Dog#1  d1       1    8")
      try program.terminal.waitForText("checked 2")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `colours are used where they are wanted`() throws {
    try watching("watch Dog", arguments: ["--color", "always"]) { program, writer in
      try program.terminal.waitForText("0 rows")
      try writer.send("add Dog { id: 1, name: \"Max\" }\n")
      try program.terminal.waitForOutput("\u{1B}[32mDog#1\u{1B}[m")
      try program.terminal.send("q")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test func `a signal that ends the program restores the terminal first`() throws {
    try watching("watch Dog") { program, _ in
      try program.terminal.waitForText("0 rows")
      #expect(!program.terminal.isCooked)
      program.signal(SIGTERM)
      #expect(program.exitStatus() == 128 + SIGTERM)
      #expect(program.terminal.isCooked)
      try program.terminal.waitForOutput("\u{1B}[?1049l")
    }
  }

  @Test func `the prompt comes back after the table, with the events of the meantime`() throws {
    let program = try RunningProgram(["--quiet"])
    let home = try TemporaryFolder()
    let path = home.path + "/walk.hdb"
    try program.terminal.waitForLine("memory main>")
    try program.terminal.send("open \"\(path)\"\r")
    try program.terminal.waitForOutput("opened")
    try program.terminal.send("class Dog { id: int primary }\robserve Dog as dogs\r")
    try program.terminal.waitForText("dogs: initial 0 rows")
    try program.terminal.send("@bg watch Dog\r")
    try program.terminal.waitForText("0 rows · 0.0/s")
    let writer = try Conversation([path])
    try writer.send("add Dog { id: 1 }\n")
    try program.terminal.waitForText("+ 0  Dog#1")
    try program.terminal.send("q")
    try program.terminal.waitForText("dogs: insertions [0]\nwalk.hdb main>")
    #expect(writer.leave() == 0)
    try program.terminal.send("\u{4}")
    #expect(program.exitStatus() == 0)
  }

  @Test func `the table sleeps while nothing changes`() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/walk.hdb"
    let program = try RunningProgram(
      [path, "-c", Self.classes + dogs(3) + "watch Dog"], home: home)
    try program.terminal.waitForText("3 rows · 0.0/s")
    #expect(ThreadWait.allSleep(program.process))
    try program.terminal.send("q")
    #expect(program.exitStatus() == 0)
  }
}
