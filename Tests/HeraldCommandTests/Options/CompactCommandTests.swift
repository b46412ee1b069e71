import Glibc
import TestSupport
import Testing

/// `compact` while other programs have the store open.
@Suite(.serialized) struct CompactCommandTests {
  private static let classes = "class Dog { id: int primary; text: string = \"\" }\n"

  @Test func `it prints the sizes, as numbers in JSON`() throws {
    let shared = try SharedStore(Self.classes + "add Dog { id: 1 }\n")
    #expect(shared.writer.leave() == 0)
    let json = try ProgramRun([shared.path, "--json", "-c", "compact"])
    #expect(json.status == 0)
    let numbers = json.output.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers.count == 2)
    #expect(json.output == "{\"result\":{\"before\":\(numbers[0]),\"after\":\(numbers[1])}}\n")
    let text = try ProgramRun([shared.path, "-c", "compact"])
    #expect(text.output.hasPrefix("compacted: "))
    #expect(text.output.hasSuffix(" now\n"))
  }

  @Test func `a program that follows and one that writes continue, and nothing is lost`() throws {
    let shared = try SharedStore(Self.classes)
    let follower = try Conversation([shared.path, "--json", "-c", "follow Dog keypaths none"])
    #expect(try follower.readLine().contains("\"count\":0"))
    let writes = (1...200).map { "add Dog { id: \($0), text: \"some text\" }\n" }.joined()
    try shared.writer.send(writes + "print \"end\"\n")
    for _ in 0..<6 {
      let run = try ProgramRun([shared.path, "-c", "compact"])
      #expect(run.status == 0)
    }
    _ = try shared.writer.read(until: "end")
    // One more, and a commit after it.
    #expect(try ProgramRun([shared.path, "-c", "compact"]).status == 0)
    try shared.writer.send("add Dog { id: 201 }\n")
    var keys: [Int] = []
    while keys.count < 201 {
      let line = try follower.readLine()
      let found = line.components(between: "\"class\":\"Dog\",\"key\":", and: ",")
      keys += found.compactMap { Int($0) }
    }
    #expect(keys == Array(1...201))
    follower.interrupt()
    #expect(follower.leave() == 130)
    #expect(shared.writer.leave() == 0)
    #expect(try ProgramRun([shared.path, "-c", "check", "-c", "count Dog"]).output == "ok\n201\n")
  }

  @Test func `killed at any moment it leaves the old file or the new one`() throws {
    let shared = try SharedStore(Self.classes)
    let text = String(repeating: "x", count: 2000)
    let writes = (1...300).map { "add Dog { id: \($0), text: \"\(text)\" }\n" }.joined()
    try shared.writer.send(
      "write {\n" + writes + "}\ndelete Dog where id > 150\nprint \"end\"\n")
    _ = try shared.writer.read(until: "end")
    var random = SplitMix64(seed: 7)
    for round in 0..<12 {
      let compacting = try Conversation([shared.path, "-c", "compact", "-c", "print \"done\""])
      // Begun, and then somewhere in it.
      usleep(UInt32(random.below(120_000)))
      kill(compacting.process, SIGKILL)
      _ = compacting.leave()
      try shared.writer.send("add Dog { id: \(1000 + round) }\ncount Dog\n")
      let counted = try shared.writer.read(until: "\(151 + round)\n")
      #expect(counted == "\(151 + round)\n")
    }
    #expect(shared.writer.leave() == 0)
    #expect(try ProgramRun([shared.path, "-c", "check", "-c", "count Dog"]).output == "ok\n162\n")
    #expect(try ProgramRun([shared.path, "-c", "compact", "-c", "check"]).status == 0)
    #expect(access(shared.path + "-compact", F_OK) != 0)
  }

  @Test func `a store that another program makes larger than the limit is followed`() throws {
    let shared = try SharedStore(Self.classes)
    let small = try Conversation([shared.path, "--max-size", "1M"])
    try small.send("observe Dog as d keypaths none\ncount Dog\n")
    _ = try small.read(until: "0\n")
    let text = String(repeating: "x", count: 3000)
    let writes = (1...600).map { "add Dog { id: \($0), text: \"\(text)\" }\n" }.joined()
    try shared.writer.send("write {\n" + writes + "}\nprint \"end\"\n")
    _ = try shared.writer.read(until: "end")
    // It may not have been waiting yet when the other one committed.
    try small.send("refresh\ncount Dog\nadd Dog { id: 1000 }\ncount Dog\n")
    let output = try small.read(until: "601\n")
    #expect(output.contains("600\n"))
    try shared.writer.send("refresh\ncount Dog\n")
    _ = try shared.writer.read(until: "601\n")
    #expect(small.leave() == 0)
    #expect(shared.writer.leave() == 0)
  }
}

extension String {
  /// The text between two others, wherever they are.
  fileprivate func components(between start: String, and end: Character) -> [Substring] {
    var found: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: start) {
      rest = rest[range.upperBound...]
      found.append(rest.prefix { $0 != end })
    }
    return found
  }
}
