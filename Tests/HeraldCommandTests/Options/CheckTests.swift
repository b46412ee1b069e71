import Glibc
import Herald
import HeraldStorage
import TestSupport
import Testing

@testable import HeraldCommand

/// `check` and `herald check`, as who looks after a store meets them.
struct CheckTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/dogs.hdb"
    let run = try ProgramRun([
      path, "-c", "class Dog { id: int primary; mate: Dog }; add Dog { id: 1 }",
    ])
    #expect(run.errors == "")
  }

  /// Leaves a reverse link that belongs to no link.
  private func damage() throws {
    let environment = try StorageEnvironment.open(.file(path))
    let write = try environment.beginWrite()
    try write.addLink(
      from: 1, through: ColumnID(classID: 1, propertyID: 2), toClass: 1, number: 1)
    _ = try write.commit()
  }

  private static let problem = "reverse links of Dog.mate to Dog#1 are [1: 1], not [:]"

  @Test func `A store without damage is ok, with status 0`() throws {
    let text = try ProgramRun(["check", path])
    #expect(text.output == "ok\n" && text.errors == "" && text.status == 0)
    let json = try ProgramRun(["--json", "check", path])
    #expect(json.output == "{\"result\":{\"ok\":true,\"problems\":[]}}\n")
    #expect(json.errors == "" && json.status == 0)
    #expect(try ProgramRun([path, "-c", "check; check \(path)"]).output == "ok\nok\n")
  }

  @Test func `herald check prints a problem a line, with status 5 and no error`() throws {
    try damage()
    let text = try ProgramRun(["check", path])
    #expect(text.output == Self.problem + "\n")
    #expect(text.errors == "")
    #expect(text.status == 5)
    let json = try ProgramRun(["check", path, "--json"])
    #expect(
      json.output == "{\"result\":{\"ok\":false,\"problems\":[\(Self.problem.quoted)]}}\n")
    #expect(json.status == 5)
  }

  @Test func `The statement prints the problems and ends a script with status 5`() throws {
    try damage()
    let own = try ProgramRun([path, "-c", "check; print 1"])
    #expect(own.output == Self.problem + "\n")
    #expect(own.errors == "-c:1:1: error: the store has 1 problem\ncheck; print 1\n^\n")
    #expect(own.status == 5)
    let other = try ProgramRun(["--keep-going", "-c", "check \(path); print 1"])
    #expect(other.output == Self.problem + "\n1\n")
    #expect(other.errors.hasPrefix("-c:1:1: error: '\(path)' has 1 problem\n"))
    #expect(other.status == 5)
  }

  @Test func `A file that damage keeps from being opened has that for its problem`() throws {
    try #require(truncate(path, 5000) == 0)
    let run = try ProgramRun(["check", path])
    #expect(run.output == "'\(path)' is damaged: it is cut short: 5000 bytes of 14 pages\n")
    #expect(run.errors == "" && run.status == 5)
    let statement = try ProgramRun(["-c", "check \(path)"])
    #expect(statement.output == run.output)
    #expect(statement.status == 5)
  }

  @Test func `what is damaged is named by class and property`() throws {
    let text = String(repeating: "wuff ", count: 100)
    let script = "class Cat { id: int; says: string }; add Cat { id: 1, says: \"\(text)\" }"
    #expect(try ProgramRun([path, "-c", script]).status == 0)
    var bytes = FileTree.read(path)
    let wanted = Array(text.utf8)
    let places = bytes.indices.filter {
      bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted)
    }
    #expect(!places.isEmpty)
    for place in places { bytes[place] ^= 1 }
    try FileTree.save(bytes, to: path)
    let run = try ProgramRun(["check", path])
    #expect(run.output.contains("Cat.says, objects 0 to 255 is damaged"))
    #expect(run.errors == "" && run.status == 5)
    #expect(try ProgramRun(["-c", "check \(path)"]).output == run.output)
  }

  @Test func `A missing file and one that is no store cannot be opened, with status 4`() throws {
    let missing = folder.path + "/none.hdb"
    let run = try ProgramRun(["check", missing])
    #expect(run.output == "")
    #expect(
      run.errors == "herald:1:1: error: cannot open '\(missing)': No such file or directory\n")
    #expect(run.status == 4)
    #expect(access(missing, F_OK) != 0 && access(missing + "-lock", F_OK) != 0)
    let other = folder.path + "/notes.txt"
    try FileTree.save("nothing of a store\n", to: other)
    #expect(
      try ProgramRun(["check", other]).errors == "herald:1:1: error: '\(other)' is not a store\n")
    #expect(try ProgramRun(["-c", "check \(other)"]).status == 4)
  }

  @Test func `A store that another program writes to is checked at one version`() throws {
    let writer = try Conversation([path])
    try writer.send("begin; add Dog { id: 2 }; print \"open\"\n")
    _ = try writer.read(until: "open\n")
    #expect(try ProgramRun(["check", path]).output == "ok\n")
    try writer.send("commit; print \"done\"\n")
    _ = try writer.read(until: "done\n")
    #expect(try ProgramRun(["check", path]).output == "ok\n")
    #expect(writer.leave() == 0)
  }

  @Test func `A store called check is opened by a path`() throws {
    let run = try ProgramRun([folder.path + "/./check", "-c", "class N { n: int }; check"])
    #expect(run.output == "ok\n")
    #expect(try ProgramRun(["check", folder.path + "/check"]).output == "ok\n")
  }
}
