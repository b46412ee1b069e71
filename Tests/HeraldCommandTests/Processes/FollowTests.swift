import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// `follow`: one process prints what others write.
@Suite(.serialized) struct FollowTests {
  static let classes = "class Dog { id: int primary; name: string = \"\"; age: int = 0 }\n"

  /// A store with three dogs, a program that follows, and another that will write.
  private func following(
    _ statement: String, _ arguments: [String] = [],
    _ body: (_ follower: Conversation, _ writer: Conversation) throws -> Void
  ) throws {
    let shared = try SharedStore(
      Self.classes + "add Dog [ {id: 1, name: \"Max\", age: 9}, {id: 2, name: \"Rex\"}, "
        + "{id: 3, name: \"Ada\", age: 7} ]\n")
    let follower = try Conversation([shared.path, "-c", statement] + arguments)
    try body(follower, shared.writer)
    #expect(shared.writer.leave() == 0)
  }

  @Test func `the rows come first, then what another process writes, until Ctrl-C`() throws {
    try following("follow Dog where age > 5 sort(name)", ["--json"]) { follower, writer in
      let initial = try follower.readLine()
      #expect(
        initial == """
          {"event":"initial","token":"t1","session":"main","count":2,"rows":[\
          {"class":"Dog","key":3,"properties":{"id":3,"name":"Ada","age":7}},\
          {"class":"Dog","key":1,"properties":{"id":1,"name":"Max","age":9}}]}

          """)
      try writer.send("write { Dog#2.age = 8; delete Dog#1; Dog#3.age = 6 }\n")
      let update = try follower.readLine()
      #expect(
        update == """
          {"event":"update","token":"t1","session":"main","deletions":[1],"insertions":[1],\
          "modifications":[0],"modificationsNew":[0],"moves":[],\
          "keys":{"deletions":[1],"insertions":[2],"modifications":[3]},\
          "inserted":[{"class":"Dog","key":2,"properties":{"id":2,"name":"Rex","age":8}}],\
          "modified":[{"class":"Dog","key":3,"properties":{"id":3,"name":"Ada","age":6}}]}

          """)
      follower.interrupt()
      #expect(follower.leave() == 130)
    }
  }

  @Test func `text has the objects below the lines`() throws {
    try following("follow Dog sort(id) keypaths age as d --count 2; print \"end\"") {
      follower, writer in
      var output = try follower.read(until: "2: Dog#3")
      try writer.send("Dog#2.name = \"R\"\nwrite { Dog#2.age = 1; add Dog { id: 0 } }\n")
      output = try follower.read(until: "2: Dog#2 {", after: output)
      try writer.send("delete Dog#1\n")
      output = try follower.read(until: "end", after: output)
      #expect(
        output == """
          d: initial 3 rows
            0: Dog#1 {id: 1, name: "Max", age: 9}
            1: Dog#2 {id: 2, name: "Rex", age: 0}
            2: Dog#3 {id: 3, name: "Ada", age: 7}
          d: insertions [0]
            0: Dog#0 {id: 0, name: "", age: 0}
          d: modifications [1->2]
            2: Dog#2 {id: 2, name: "R", age: 1}
          d: deletions [1]
          end

          """)
      #expect(follower.leave() == 0)
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `4.2, 9.3: the lines alone make the collection, whatever another process does`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    try following("follow Dog where age > 40 sort(age desc, id)", ["--json"]) { follower, writer in
      var replay = FollowReplay()
      try replay.apply(try follower.readLine())
      for number in 0..<60 {
        try writer.send(Self.write(&random, number))
      }
      // The last write, which is known by its age.
      try writer.send("upsert Dog { id: 999, age: 1000 }\n")
      while replay.keys.first != 999 { try replay.apply(try follower.readLine()) }
      try writer.send("let $a = Dog where age > 40 sort(age desc, id)\nprint $a\nprint \"end\"\n")
      let there = try writer.read(until: "end\n")
      let keys = there.split(separator: "\n").dropLast().map { line in
        Int(line.dropFirst("Dog#".count).prefix { $0.isNumber })
      }
      #expect(replay.keys == keys)
      let ages = there.split(separator: "age: ").dropFirst().map { text in
        Int(text.prefix { $0.isNumber })
      }
      #expect(replay.ages == ages)
      follower.interrupt()
      #expect(follower.leave() == 130)
    }
  }

  private static func write(_ random: inout SplitMix64, _ number: Int) -> String {
    let id = random.below(30)
    return switch random.below(4) {
    case 0: "delete Dog where id == \(id)\n"
    case 1:
      "write { set Dog where id < \(id) { age: \(random.below(100)) }; upsert Dog { id: 50 } }\n"
    case _: "upsert Dog { id: \(id), name: \"n\(number)\", age: \(random.below(100)) }\n"
    }
  }

  @Test func `--once prints the rows, --for ends it in time, and the script continues`() throws {
    try following("follow Dog --once; follow Dog#1 --for 1ms; print \"end\"") { follower, _ in
      let output = try follower.read(until: "end")
      let lines = output.split(separator: "\n")
      #expect(lines.count == 7)
      #expect(
        lines.suffix(3) == [
          "t1: initial 1 row", "  0: Dog#1 {id: 1, name: \"Max\", age: 9}", "end",
        ])
      #expect(follower.leave() == 0)
    }
  }

  @Test func `it ends when the object that it follows is deleted, after its changes`()
    throws
  {
    try following("follow Dog#1; print \"end\"", ["--json"]) { follower, writer in
      #expect(
        try follower.readLine().contains("\"count\":1,\"rows\":[{\"class\":\"Dog\",\"key\":1,"))
      try writer.send("Dog#1.age = 10\n")
      #expect(
        try follower.readLine() == """
          {"event":"change","token":"t1","session":"main",\
          "properties":[{"name":"age","old":9,"new":10}],"inserted":[],\
          "modified":[{"class":"Dog","key":1,"properties":{"id":1,"name":"Max","age":10}}]}

          """)
      try writer.send("delete Dog#1\n")
      #expect(
        try follower.readLine() == "{\"event\":\"deleted\",\"token\":\"t1\",\"session\":\"main\"}\n"
      )
      #expect(try follower.readLine() == "{\"result\":\"end\"}\n")
      #expect(follower.leave() == 0)
    }
  }

  /// Nothing is written after the reader has left: the leaving itself is noticed.
  @Test func `A closed pipe ends it quietly, without anything to write`() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/walk.hdb"
    _ = try ProgramRun([path], input: Self.classes)
    let run = try ProgramRun(leavingAfterOneByte: [path, "-c", "follow Dog"])
    #expect(run.output == "t")
    #expect(run.status == 128 + SIGPIPE)
    #expect(run.errors == "")
  }

  @Test func `At the prompt Ctrl-C ends it, and the prompt continues`() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/walk.hdb"
    let program = try RunningProgram(["--quiet", path], home: home)
    try program.terminal.waitForLine("walk.hdb main>")
    try program.terminal.send(String(Self.classes.dropLast()) + "\r")
    try program.terminal.send("follow Dog\r")
    try program.terminal.waitForOutput("t1: initial 0 rows")
    let writer = try Conversation([path])
    try writer.send("add Dog { id: 4 }\n")
    try program.terminal.waitForOutput("0: Dog#4 {id: 4, name: \"\", age: 0}")
    #expect(writer.leave() == 0)
    try program.terminal.send("\u{3}")
    try program.terminal.wait(for: "a prompt") { $0.cursorLine == "walk.hdb main>" }
    try program.terminal.send("tokens; count Dog\r")
    try program.terminal.waitForText("main> tokens; count Dog\n1\n")
    try program.terminal.wait(for: "a prompt") { $0.cursorLine == "walk.hdb main>" }
    try program.terminal.send("\u{4}")
    #expect(program.exitStatus() == 0)
  }

  @Test func `It sleeps until it is woken`() throws {
    try following("follow Dog --for 1h") { follower, writer in
      _ = try follower.read(until: "2: Dog#3")
      try writer.send("add Dog { id: 4 }\n")
      _ = try follower.read(until: "3: Dog#4")
      follower.interrupt()
      #expect(follower.leave() == 130)
    }
    try following("follow Dog") { follower, writer in
      _ = try follower.read(until: "2: Dog#3")
      // Every thread of it waits in the kernel without a time limit.
      #expect(ThreadWait.allSleep(follower.process))
      try writer.send("add Dog { id: 4 }\n")
      _ = try follower.read(until: "3: Dog#4")
      #expect(ThreadWait.allSleep(follower.process))
      follower.interrupt()
      #expect(follower.leave() == 130)
    }
  }

  @Test func `7.1, 9.3: a projection is followed by its own names`() throws {
    let projection = "projection Card of Dog { title: name; years: age }; "
    let statements = "follow Card of Dog#1 as c keypaths title; print \"end\""
    try following(projection + statements, ["--json"]) { follower, writer in
      let card = { (title: String, years: Int) in
        "{\"projection\":\"Card\",\"class\":\"Dog\",\"key\":1,"
          + "\"properties\":{\"title\":\"\(title)\",\"years\":\(years)}}"
      }
      let names = "\"token\":\"c\",\"session\":\"main\""
      #expect(
        try follower.readLine()
          == "{\"event\":\"initial\",\(names),\"count\":1,\"rows\":[\(card("Max", 9))]}\n")
      try writer.send("Dog#1.age = 10\nDog#1.name = \"Moritz\"\n")
      #expect(
        try follower.readLine() == """
          {"event":"change",\(names),\
          "properties":[{"name":"title","old":"Max","new":"Moritz"}],"inserted":[],\
          "modified":[\(card("Moritz", 10))]}

          """)
      try writer.send("delete Dog#1\n")
      #expect(try follower.readLine() == "{\"event\":\"deleted\",\(names)}\n")
      #expect(try follower.readLine() == "{\"result\":\"end\"}\n")
      #expect(follower.leave() == 0)
    }
    try following(projection + "let $c = Card of Dog#2; follow $c --count 1") {
      follower, writer in
      var output = try follower.read(until: "\n  0: ")
      try writer.send("Dog#2.age = 1\n")
      output = try follower.read(until: "years: 1}", after: output)
      #expect(
        output == """
          t1: initial 1 row
            0: Card of Dog#2 {title: "Rex", years: 0}
          t1: change years 0 -> 1
            0: Card of Dog#2 {title: "Rex", years: 1}

          """)
      #expect(follower.leave() == 0)
    }
  }

  @Test func `2.1, 9.3: following the store prints every commit`() throws {
    try following("print \"ready\"; follow store --count 2; print \"end\"") {
      follower, writer in
      var output = try follower.read(until: "ready\n")
      try writer.send("Dog#1.age = 1\n")
      output = try follower.read(until: "age: 9 → 1\n", after: output)
      try writer.send("add Dog { id: 9 }\n")
      output = try follower.read(until: "end\n", after: output)
      let lines = output.split(separator: "\n").filter { !$0.hasPrefix("version") }
      #expect(
        lines == [
          "ready", "  ~ Dog#1 age: 9 → 1", "  + Dog#9 {id: 9, name: \"\", age: 0}", "end",
        ])
      #expect(follower.leave() == 0)
    }
    let once = try ProgramRun([
      "--json", "-c", "follow store --once", "-c", "follow store --for 1ms",
    ])
    #expect(once.output == "" && once.status == 0, "\(once.output)\(once.errors)")
  }

  @Test func `At the prompt no pager holds back what is followed`() throws {
    let program = try RunningProgram(
      ["--quiet"], environment: ["PAGER": "sed 's/^/paged /'"], rows: 10)
    try program.terminal.waitForLine("memory main>")
    let dogs = (1...30).map { "{id: \($0)}" }.joined(separator: ", ")
    try program.terminal.send(String(Self.classes.dropLast()) + "; add Dog [\(dogs)]\r")
    try program.terminal.waitForLine("memory main>")
    try program.terminal.send("print Dog; follow Dog\r")
    try program.terminal.waitForText("\n  29: Dog#30")
    let bytes = String(decoding: program.terminal.received, as: UTF8.self)
    #expect(bytes.contains("paged Dog#30"))
    #expect(!bytes.contains("paged   29: Dog#30"))
    try program.terminal.send("\u{3}")
    try program.terminal.waitForLine("memory main>")
    try program.terminal.send("print Dog\r")
    try program.terminal.waitForText("paged Dog#30 {id: 30, name: \"\", age: 0}\nmemory main>")
    try program.terminal.send("\u{4}")
    #expect(program.exitStatus() == 0)
  }

  @Test(arguments: [
    ("write { follow Dog }", "'follow' is allowed only in session 'main', outside of blocks"),
    ("begin; follow Dog", "a write is already in progress"),
    ("observe Dog as d do { follow Dog }", "'follow' is allowed only in session 'main'"),
    ("session bg; follow Dog", "'follow' is allowed only in session 'main'"),
    ("follow Dog where agee > 3 --once", "class 'Dog' has no property 'agee'"),
    ("follow Dog keypaths nme --once", "class 'Dog' has no property 'nme'"),
    ("follow Dog --never", "expected '--once', '--count' or '--for', found 'never'"),
    ("follow Dog --for", "expected a time such as 10s, found the end"),
    ("follow Dog --for 10x", "expected a time such as 10s, found 'x'"),
    ("follow Dog --count", "expected a number of updates, found the end"),
    ("let $f = freeze Dog; follow $f", "what is frozen"),
    ("follow store keypaths name", "'keypaths' is only for objects and collections"),
    ("add Dog {id: 1}; follow Nothing of Dog#1", "unknown projection 'Nothing'"),
    ("add Dog {id: 1}; follow Dog#1 depth 2", "'depth' is only for collections"),
    ("let $n = 3; follow $n", "'$n' is a value, which never changes"),
  ])
  func `What cannot be followed is an error`(statement: String, message: String) throws {
    let run = try ProgramRun(["-c", Self.classes, "-c", statement])
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.status == 1)
  }

  @Test func `Lists and maps are followed, with their rows`() throws {
    let run = try ProgramRun(
      ["--json"],
      input: Self.classes + """
        class Box { id: int primary; dogs: list<Dog>; scores: map<int>; tags: set<string> }
        add Dog [ {id: 1}, {id: 2} ]
        add Box { id: 1, dogs: [Dog#2, Dog#1], scores: {b: 2, a: 1}, tags: ["x"] }
        follow Box#1.dogs --once
        follow Box#1.scores --once
        follow Box#1.tags --once
        """)
    let rows = run.output.split(separator: "\n").map { $0.split(separator: "\"rows\":").last }
    #expect(
      rows == [
        """
        [{"class":"Dog","key":2,"properties":{"id":2,"name":"","age":0}},\
        {"class":"Dog","key":1,"properties":{"id":1,"name":"","age":0}}]}
        """, "{\"a\":1,\"b\":2}}", "[\"x\"]}",
      ])
    #expect(run.errors == "")
  }

  @Test func `4.7: a map is followed by its keys, with their values`() throws {
    let shared = try SharedStore(
      "class Box { id: int primary; scores: map<int> }\n"
        + "add Box { id: 1, scores: {a: 1, b: 2} }\n")
    let writer = shared.writer
    let follower = try Conversation([shared.path, "--json", "-c", "follow Box#1.scores --count 1"])
    #expect(try follower.readLine().hasSuffix("\"count\":2,\"rows\":{\"a\":1,\"b\":2}}\n"))
    try writer.send(
      "write { Box#1.scores[\"a\"] = 3; Box#1.scores[\"c\"] = 4; remove Box#1.scores[\"b\"] }\n")
    #expect(
      try follower.readLine() == """
        {"event":"update","token":"t1","session":"main","deletions":["b"],"insertions":["c"],\
        "modifications":["a"],"modificationsNew":["a"],"moves":[],"inserted":[4],"modified":[3]}

        """)
    #expect(follower.leave() == 0)
    #expect(writer.leave() == 0)
  }

  @Test func `With autorefresh off the session advances all the same`()
    throws
  {
    try following("autorefresh off; follow Dog where id == 9 --count 1; print \"end\"") {
      follower, writer in
      _ = try follower.read()
      try writer.send("add Dog { id: 9 }\n")
      let output = try follower.read(until: "end")
      #expect(output.contains("t1: insertions [0]"))
      #expect(follower.leave() == 0)
    }
  }
}
