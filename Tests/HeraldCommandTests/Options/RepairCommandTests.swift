import Glibc
import TestSupport
import Testing

@testable import HeraldCommand

/// `herald repair`, as who has a damaged store meets it.
struct RepairCommandTests {
  private let folder: TemporaryFolder
  private let path: String
  private let new: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/dogs.hdb"
    new = folder.path + "/new.hdb"
    // One after the other, so that the file has pages of earlier versions.
    let scripts = [
      """
      class Dog { id: int primary; name: string; mate: Dog; tags: set<string> }
      add Dog { id: 3, name: "Ann", tags: ["x"] }
      """,
      "add Dog { id: 5, name: \"Bo\" }", "set Dog where id == 5 { mate: Dog#3 }",
    ]
    for script in scripts {
      let run = try ProgramRun([path, "-c", script])
      #expect(run.errors == "")
    }
  }

  /// Makes the record that holds a text another one, wherever it lies.
  private func damage(_ text: String) throws {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    try #require(pread(descriptor, &bytes, size, 0) == size)
    let wanted = Array(text.utf8)
    for place in 0..<size - wanted.count where bytes[place] == wanted[0] {
      guard bytes[place..<place + wanted.count].elementsEqual(wanted) else { continue }
      let other: [UInt8] = [bytes[place] ^ 1]
      try #require(pwrite(descriptor, other, 1, off_t(place)) == 1)
    }
  }

  @Test func `A store without damage is copied, with status 0`() throws {
    let text = try ProgramRun(["repair", path, "to", new])
    #expect(text.output == "2 objects, nothing lost\n")
    #expect(text.errors == "" && text.status == 0)
    #expect(try ProgramRun([new, "-c", "dump"]).output == ProgramRun([path, "-c", "dump"]).output)
    #expect(try ProgramRun(["check", new]).output == "ok\n")
    let json = try ProgramRun(["--json", "repair", path, "to", new + "2"])
    #expect(
      json.output == "{\"result\":{\"objects\":2,\"version\":4,\"lost\":[],\"counts\":[]}}\n")
    #expect(json.status == 0)
  }

  @Test func `What was lost is listed and counted, with status 5`() throws {
    try damage("AnnBo")
    let text = try ProgramRun(["repair", path, "to", new])
    #expect(
      text.output == """
        Dog 3 'name': it is as it was in version 2, and may have changed since
        Dog 5 'name': its value cannot be read
        Dog 'name': it may be nil from now on: an object has lost it
        lost from Dog 'name': 3
        2 objects, 3 lost

        """)
    #expect(text.errors == "" && text.status == 5)
    let json = try ProgramRun(["repair", "--json", path, "to", new + "2"])
    #expect(
      json.output.contains(
        #"{"class":"Dog","key":5,"property":"name","reason":"its value cannot be read"}"#))
    #expect(
      json.output.hasSuffix(#""counts":[{"class":"Dog","property":"name","count":3}]}}"# + "\n"))
    #expect(json.status == 5)
    let found = try ProgramRun([new, "-c", "check; show Dog where name == nil and mate.id == 3"])
    #expect(found.errors == "" && found.output.hasPrefix("ok\n") && found.output.contains("5"))
  }

  @Test func `An existing new file, a missing store and wrong arguments are refused`() throws {
    let taken = try ProgramRun(["repair", path, "to", path])
    #expect(taken.errors == "herald:1:1: error: cannot write '\(path)': it exists already\n")
    #expect(taken.status == 1)
    let missing = folder.path + "/none.hdb"
    let run = try ProgramRun(["repair", missing, "to", new])
    #expect(
      run.errors == "herald:1:1: error: cannot open '\(missing)': No such file or directory\n")
    #expect(run.status == 4)
    #expect(try ProgramRun(["repair", path, "in", new]).status == 2)
    #expect(try ProgramRun(["repair", path]).status == 2)
    #expect(access(new, F_OK) != 0 && access(new + "-lock", F_OK) != 0)
  }

  @Test func `A store that another program writes to is locked`() throws {
    let writer = try Conversation([path])
    try writer.send("begin; add Dog { id: 7, name: \"c\" }; print \"open\"\n")
    _ = try writer.read(until: "open\n")
    let run = try ProgramRun(["repair", path, "to", new])
    #expect(run.status == 4 && run.errors.contains("is locked by another program"))
    try writer.send("commit; print \"done\"\n")
    _ = try writer.read(until: "done\n")
    #expect(try ProgramRun(["repair", path, "to", new]).output == "3 objects, nothing lost\n")
    #expect(writer.leave() == 0)
  }
}
