import Dispatch
import Glibc
import Herald
import TestSupport
import Testing

/// Rules 1.9, 4.2 and 9.3 with two real processes on one file: this one observes and writes through
/// the library, the other is the built program, which runs a random script.
@Suite(.serialized) struct TwoProcessTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `4.2, 9.3: what two processes commit at once is delivered as one history`(seed: UInt64)
    throws
  {
    let home = try TemporaryFolder()
    let store = try DynamicStore(path: home.path + "/two.hdb")
    try TwoProcessKennel.fill(store)
    let mirrors = try TwoProcessKennel.mirrors(store)
    try store.endTurn()
    var random = SplitMix64(seed: seed)
    let news = DispatchSemaphore(value: 0)
    let listener = try store.onCommitElsewhere { news.signal() }
    // A statement that finds the other process writing fails; the script continues.
    let writer = try Conversation([home.path + "/two.hdb", "--keep-going"])
    try writer.send(TwoProcessKennel.script(&random, statements: 300))
    var writes = 0
    while try store.object("Dog", key: .int(999)) == nil {
      try #require(news.wait(timeout: .now() + 60) == .success, "seed \(seed): nothing came")
      if random.below(3) == 0, writes < 20 {
        writes += 1
        try TwoProcessKennel.write(store, &random)
      }
      try store.endTurn()
      for mirror in mirrors { #expect(mirror.faults.isEmpty, "\(mirror.name), seed \(seed)") }
    }
    _ = writer.leave()
    try store.refresh()
    for mirror in mirrors {
      #expect(mirror.faults.isEmpty, "\(mirror.name), seed \(seed)")
      #expect(mirror.updates > 0, "\(mirror.name), seed \(seed)")
      try #expect(mirror.isComplete, "\(mirror.name), seed \(seed)")
    }
    #expect(store.check().isEmpty)
    withExtendedLifetime(listener) {}
    store.close()
  }

  /// However short the time between the commit and the statement.
  @Test func `9.3: a statement that is sent after another process's commit reads it`() throws {
    let shared = try SharedStore("class Dog { id: int primary }\n")
    let reader = try Conversation([shared.path])
    for number in 1...20 {
      try shared.writer.send("add Dog { id: \(number) }\nprint \"there\"\n")
      #expect(try shared.writer.readLine() == "there\n")
      try reader.send("count Dog\n")
      #expect(try reader.readLine() == "\(number)\n")
    }
    #expect(reader.leave() == 0 && shared.writer.leave() == 0)
  }

  /// The same statements, run by another session of this process or by another process.
  @Test func `9.3: what is delivered does not depend on which process committed`() throws {
    let statements = [
      "add Dog { id: 1, age: 5 }", "add Dog [ { id: 2, age: 1 }, { id: 3, age: 9 } ]",
      "write { Dog#1.age = 3; Dog#3.age = 2; delete Dog#2 }", "set Dog { age: 7 }",
      "write { Dog#1.age = 8; Dog#1.age = 7 }", "write { }", "add Box { id: 1, dogs: [Dog#1] }",
      "append Dog#3, Dog#1 to Box#1.dogs", "move Box#1.dogs[0] to 2", "delete Dog#1",
    ]
    let home = try TemporaryFolder()
    let classes =
      "class Dog { id: int primary; age: int }\nclass Box { id: int primary; dogs: list<Dog> }\n"
    let observers = "observe Dog sort(age) as dogs\nobserve Box as boxes\nobserve store as s\n"
    let inside = try ProgramRun(
      [home.path + "/one.hdb"],
      input: classes + observers + statements.map { "@bg \($0)\n" }.joined())
    let observer = try Conversation([home.path + "/two.hdb"])
    let writer = try Conversation([home.path + "/two.hdb"])
    var output = ""
    try observer.send(classes + observers + "print \"ready\"\n")
    while !output.hasSuffix("ready\n") { output += try observer.read() }
    for statement in statements {
      try writer.send(statement + "\nprint \"done\"\n")
      _ = try writer.read()
      // The statement does nothing: the end of its turn delivers what the other process committed.
      try observer.send("print \"ready\"\n")
      var more = ""
      while !more.contains("ready\n") || !more.hasSuffix("\n") { more += try observer.read() }
      output += more
      try observer.send("print \"delivered\"\n")
      while !output.hasSuffix("delivered\n") { output += try observer.read() }
    }
    #expect(observer.leave() == 0)
    #expect(writer.leave() == 0)
    let delivered = output.split(separator: "\n").filter { $0 != "ready" && $0 != "delivered" }
    #expect(delivered == inside.output.split(separator: "\n"))
    #expect(inside.errors.isEmpty)
  }

  @Test func `10: a statement waits while another program has the store's write open`() throws {
    let home = try TemporaryFolder()
    let store = try DynamicStore(path: home.path + "/two.hdb")
    for definition in TwoProcessKennel.definitions { try store.declare(definition) }
    try store.beginWrite()
    let writer = try Conversation([home.path + "/two.hdb"])
    try writer.send("print \"ready\"\nadd Dog { id: 7 }\nprint \"added\"\n")
    var output = ""
    while !output.contains("ready\n") { output += try writer.read() }
    _ = try store.add("Dog", [("id", .value(.int(1)))])
    try store.commitWrite()
    while !output.contains("added\n") { output += try writer.read() }
    #expect(writer.leave() == 0)
    try store.refresh()
    #expect(try store.objects("Dog").count == 2)
    store.close()
  }

  @Test func `1.2: beginning a write first delivers what another program committed`() throws {
    let home = try TemporaryFolder()
    let store = try DynamicStore(path: home.path + "/two.hdb")
    for definition in TwoProcessKennel.definitions { try store.declare(definition) }
    var delivered: [String] = []
    let token = try store.objects("Dog").observe { rows, change in
      delivered.append("\(try rows.count) rows")
    }
    try store.endTurn()
    let other = try ProgramRun([home.path + "/two.hdb"], input: "add Dog { id: 1 }\n")
    #expect(other.status == 0)
    try store.write {
      delivered.append("first statement")
      _ = try store.add("Dog", [("id", .value(.int(2)))])
    }
    #expect(delivered == ["0 rows", "1 rows", "first statement"])
    try store.endTurn()
    #expect(delivered.last == "2 rows")
    withExtendedLifetime(token) {}
    store.close()
  }
}
