import Glibc
import TestSupport
import Testing

/// `readers`: the versions that the sessions of other programs hold.
@Suite(.serialized) struct ReadersCommandTests {
  private static let script = "class Dog { age: int }\nadd Dog { age: 1 }\n"

  /// A program whose session stays at its version.
  private func holder(_ path: String) throws -> Conversation {
    let holder = try Conversation([path])
    try holder.send("autorefresh off\ncount Dog\n")
    _ = try holder.read(until: "1\n")
    return holder
  }

  private func readers(_ writer: Conversation) throws -> String {
    try writer.send("readers\nprint \"end\"\n")
    return try writer.read(until: "end")
  }

  @Test func `a session of another program is listed with its name, its version and since when`()
    throws
  {
    let shared = try SharedStore(Self.script)
    let holder = try holder(shared.path)
    let looking = try Conversation([shared.path, "--json"])
    try looking.send("Dog#1.age = 2\nDog#1.age = 3\nreaders\n")
    let lines = try looking.readLine()
    #expect(lines.hasPrefix("{\"result\":[{\"process\":"))
    #expect(
      lines.contains(
        "{\"process\":\(holder.process),\"session\":\"main\",\"version\":2,\"since\":\"20"))
    #expect(lines.contains(",\"frozen\":false,\"bytes\":"))
    #expect(lines.contains("{\"process\":\(looking.process),\"session\":\"main\",\"version\":4,"))
    #expect(holder.leave() == 0)
    #expect(looking.leave() == 0)
    #expect(shared.writer.leave() == 0)
  }

  /// A store of a megabyte; a pipe takes 64 KB before it blocks.
  private func storeOfLongTexts() throws -> SharedStore {
    let row = "{ text: \"\(String(repeating: "xQ", count: 500))\" }"
    let rows = [String](repeating: row, count: 1000).joined(separator: ", ")
    return try SharedStore("class Row { text: string }\nadd Row [\(rows)]\n")
  }

  @Test(arguments: ["dump", "show Row", "print Row"])
  func `a statement whose output nobody reads ends and holds no version`(
    statement: String
  ) throws {
    let shared = try storeOfLongTexts()
    let printing = try Conversation([shared.path, "--json"])
    try printing.send("print \"begin\"; \(statement)\nprint \"end\"\n")
    // Its output has begun, so its version was read.
    let begun = try printing.read(until: "Q")
    let isFree = becomesTrue {
      (try? readers(shared.writer).contains("process \(printing.process),")) == false
    }
    #expect(isFree)
    let output = try printing.read(until: "end", after: begun)
    #expect(output.count { $0 == "Q" } == 500_000)
    #expect(printing.leave() == 0)
    #expect(shared.writer.leave() == 0)
  }

  @Test func `a follower whose first rows nobody reads holds no version`() throws {
    let shared = try storeOfLongTexts()
    let follower = try Conversation([shared.path])
    try follower.send("print \"begin\"; follow Row\n")
    _ = try follower.read(until: "initial 1000 rows")
    let isFree = becomesTrue {
      (try? readers(shared.writer).contains("process \(follower.process),")) == false
    }
    #expect(isFree)
    try shared.writer.send("add Row { text: \"last\" }; print \"added\"\n")
    _ = try shared.writer.read(until: "added\n")
    #expect(try follower.read(until: "last").contains("Q"))
    kill(follower.process, SIGKILL)
    _ = follower.leave()
    #expect(shared.writer.leave() == 0)
  }

  @Test func `a writer frees the slot of a reader that was killed`() throws {
    let shared = try SharedStore(Self.script)
    let holder = try holder(shared.path)
    #expect(try readers(shared.writer).contains("process \(holder.process), main: version 2 since"))
    kill(holder.process, SIGKILL)
    _ = holder.leave()
    #expect(try !readers(shared.writer).contains("process \(holder.process),"))
    #expect(shared.writer.leave() == 0)
  }
}
