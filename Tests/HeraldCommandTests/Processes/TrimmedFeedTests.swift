import TestSupport
import Testing

@testable import HeraldCommand

/// `follow store` of a store whose log was trimmed meanwhile.
@Suite(.serialized) struct TrimmedFeedTests {
  @Test func `a reader that was stopped until the log was trimmed says what to do`() throws {
    let folder = try TemporaryFolder()
    let cursor = "\(folder.path)/cursor"
    let shared = try SharedStore("class Dog { id: int primary }\n")
    try shared.writer.send("keep log 2; add Dog { id: 1 }; print \"made\"\n")
    _ = try shared.writer.read(until: "made\n")
    let follower = try Conversation([
      shared.path, "--json", "-c", "follow store --snapshot --after-file \"\(cursor)\"",
    ])
    #expect(try follower.readLine().contains("\"snapshot\":true"))
    try shared.writer.send("add Dog { id: 2 }\n")
    let line = try follower.readLine()
    #expect(line.contains("\"id\":2"), "\(line)")
    follower.suspend()
    for id in 3..<9 { try shared.writer.send("add Dog { id: \(id) }\n") }
    try shared.writer.send("print \"made\"\n")
    _ = try shared.writer.read(until: "made\n")
    follower.resume()
    #expect(follower.leave() == 1)
    let again = try ProgramRun([
      shared.path, "-c", "follow store --after-file \"\(cursor)\" --once",
    ])
    #expect(again.errors.contains("remove '\(cursor)', and begin with all objects by '--snapshot'"))
    #expect(shared.writer.leave() == 0)
  }
}
