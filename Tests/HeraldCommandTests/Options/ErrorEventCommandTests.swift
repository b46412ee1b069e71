import Glibc
import TestSupport
import Testing

/// The last event of an observer whose store is replaced or lost, as people and programs see it.
@Suite(.serialized) struct ErrorEventCommandTests {
  private static let script = "class Dog { name: string }\nadd Dog { name: \"Max\" }\n"

  /// A session that observes dogs, with what it prints after another file has replaced the store.
  private func said(_ arguments: [String], _ statements: String) throws -> String {
    let shared = try SharedStore(Self.script)
    let conversation = try Conversation([shared.path, "--keep-going"] + arguments)
    try conversation.say("observe Dog as dogs do { print \"told\" }\nprint \"begin\"\n")
    var heard = try conversation.hear(until: "begin")
    try replace(shared.path)
    try conversation.say(statements + "open \"\(shared.path)2\"\nprint \"end\"\n")
    heard = try conversation.hear(until: "end", after: heard)
    #expect(conversation.leave() == 1)
    _ = shared.writer.leave()
    return heard
  }

  /// Replaces a file by a copy of it.
  private func replace(_ path: String) throws {
    var copy = ChildProcess("/bin/cp", [path, path + ".copy"])
    #expect(try copy.start().end() == 0)
    #expect(rename(path + ".copy", path) == 0)
  }

  @Test func `an observer's last event reports that the store was replaced`() throws {
    let heard = try said(
      [], "print 1\nexpect dogs initial 1\nexpect dogs error \"the store was replaced\"\n")
    #expect(heard.hasPrefix("dogs: initial 1 row\ntold\nbegin\n"))
    #expect(heard.contains("\ndogs: error \"the store was replaced\"\n"))
    #expect(heard.split(separator: "\n").filter { $0 == "told" }.count == 1)
  }

  @Test func `the last event is JSON for programs`() throws {
    let heard = try said(["--json"], "print 1\n")
    #expect(
      heard.contains(
        "{\"event\":\"error\",\"token\":\"dogs\",\"session\":\"main\","
          + "\"message\":\"the store was replaced\"}\n"))
  }

  @Test func `follow shows the last event by itself, and ends`() throws {
    let shared = try SharedStore(Self.script)
    let follower = try Conversation([shared.path, "-c", "follow Dog as d"])
    let heard = try follower.hear(until: "0: Dog#1")
    try replace(shared.path)
    _ = try follower.hear(until: "d: error \"the store was replaced\"\n", after: heard)
    #expect(follower.leave() == 1)
    _ = shared.writer.leave()
  }
}
