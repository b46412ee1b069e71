import TestSupport
import Testing

@testable import HeraldCommand

/// `follow store`: where a feed begins, and where a reader continues.
@Suite(.serialized) struct FeedTests {
  @Test func `a reader of the store that is killed and begun again misses no commit`() throws {
    let folder = try TemporaryFolder()
    let cursor = "\(folder.path)/cursor"
    let shared = try SharedStore(FollowTests.classes)
    let statement = "follow store --snapshot --after-file \"\(cursor)\""
    let versions = { (lines: [String]) in
      lines.compactMap { line in
        line.split(separator: "\"version\":").last.flatMap { Int($0.prefix { $0.isNumber }) }
      }
    }
    var lines: [String] = []
    for round in 0..<3 {
      let follower = try Conversation([shared.path, "--json", "-c", statement])
      if round == 0 { lines.append(try follower.readLine()) }
      for _ in 0..<3 {
        try shared.writer.send("add Dog { id: \(lines.count) }\n")
        lines.append(try follower.readLine())
      }
      // The file is written before the next line; the last one may come again.
      try shared.writer.send("add Dog { id: \(lines.count) }\n")
      lines.append(try follower.readLine())
      // What it had written by then was given to its reader.
      lines += follower.kill()
      // Nobody reads these as they are made.
      try shared.writer.send("add Dog { id: \(100 + round) }; print \"made\"\n")
      _ = try shared.writer.read(until: "made\n")
    }
    let last = try ProgramRun([
      shared.path, "--json", "-c", "follow store --after-file \"\(cursor)\" --once",
    ])
    lines += last.output.split(separator: "\n").map(String.init)
    #expect(lines[0].contains("\"snapshot\":true"))
    let read = versions(lines)
    let end = (read.last ?? 0)
    #expect(Set(read) == Set((read.first ?? 0)...end), "\(read)")
    #expect(read == read.sorted(), "\(read)")
    #expect(read.count <= end - (read.first ?? 0) + 1 + 3, "\(read)")
    #expect(shared.writer.leave() == 0)
  }

  @Test func `a feed begins at a version, with its objects, and ends with what there is`() throws {
    let folder = try TemporaryFolder()
    let store = "\(folder.path)/a.hdb"
    let setup =
      FollowTests.classes + "add Dog {id: 1}; add Dog {id: 2}; Dog#1.age = 3; delete Dog#2\n"
    #expect(try ProgramRun([store, "-c", setup]).status == 0)
    func feed(_ options: String) throws -> [String] {
      try ProgramRun([store, "-c", "follow store \(options) --once"]).output
        .split(separator: "\n").map { $0.hasPrefix("version") ? String($0.prefix(9)) : String($0) }
    }
    #expect(try feed("") == [])
    #expect(
      try feed("from 3") == [
        "version 4", "  ~ Dog#1 age: 0 → 3", "version 5", "  - Dog#2 {id: 2, name: \"\", age: 0}",
      ])
    #expect(try feed("from 2040-01-01") == [])
    #expect(try feed("from \"2020-01-01\"").filter { $0.hasPrefix("version") }.count == 5)
    #expect(
      try feed("--snapshot") == ["snapshot of version 5", "  + Dog#1 {id: 1, name: \"\", age: 3}"])
    #expect(
      try feed("from 2 --snapshot").prefix(3) == [
        "snapshot of version 2", "  + Dog#1 {id: 1, name: \"\", age: 0}", "version 3",
      ])
    let trimmed = try ProgramRun([
      store, "-c", "keep log 1; Dog#1.age = 4; Dog#1.age = 5; follow store from 1",
    ])
    #expect(
      trimmed.errors.contains(
        "version 1 is not kept; the oldest version that is kept is 6: "
          + "begin with all objects, by '--snapshot'"
      ))
  }

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
