import Glibc
import TestSupport
import Testing

/// The last event of an observer whose store is replaced or lost, as people and programs see it.
@Suite(.serialized) struct ErrorEventCommandTests {
  private static let script = "class Dog { name: string }\nadd Dog { name: \"Max\" }\n"

  /// A session that observes dogs, with what it prints after another file has replaced the store.
  private func printed(_ arguments: [String], _ statements: String) throws -> String {
    let shared = try SharedStore(Self.script)
    let conversation = try Conversation([shared.path, "--keep-going"] + arguments)
    try conversation.send("observe Dog as dogs do { print \"delivered\" }\nprint \"begin\"\n")
    var output = try conversation.read(until: "begin")
    try replace(shared.path)
    try conversation.send(statements + "open \"\(shared.path)2\"\nprint \"end\"\n")
    output = try conversation.read(until: "end", after: output)
    #expect(conversation.leave() == 1)
    _ = shared.writer.leave()
    return output
  }

  /// Replaces a file by a copy of it.
  private func replace(_ path: String) throws {
    var copy = ChildProcess("/bin/cp", [path, path + ".copy"])
    #expect(try copy.start().end() == 0)
    #expect(rename(path + ".copy", path) == 0)
  }

  @Test func `an observer's last event reports that the store was replaced`() throws {
    let output = try printed(
      [], "print 1\nexpect dogs initial 1\nexpect dogs error \"the store was replaced\"\n")
    #expect(output.hasPrefix("dogs: initial 1 row\ndelivered\nbegin\n"))
    #expect(output.contains("\ndogs: error \"the store was replaced\"\n"))
    #expect(output.split(separator: "\n").filter { $0 == "delivered" }.count == 1)
  }

  @Test func `the last event is JSON for programs`() throws {
    let output = try printed(["--json"], "print 1\n")
    #expect(
      output.contains(
        "{\"event\":\"error\",\"token\":\"dogs\",\"session\":\"main\","
          + "\"message\":\"the store was replaced\"}\n"))
  }

  @Test func `follow shows the last event by itself, and ends`() throws {
    let shared = try SharedStore(Self.script)
    let follower = try Conversation([shared.path, "-c", "follow Dog as d"])
    let output = try follower.read(until: "0: Dog#1")
    try replace(shared.path)
    _ = try follower.read(until: "d: error \"the store was replaced\"\n", after: output)
    #expect(follower.leave() == 1)
    _ = shared.writer.leave()
  }
}
