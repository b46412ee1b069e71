import HeraldStorage
import TestSupport
import Testing

@testable import HeraldCommand

/// Words that no class may be named: a store may have such a class from the time before they were reserved.
struct ReservedNamesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/old.hdb"
  }

  /// Makes a store with a class of this name, which is not checked.
  private func makeStore(_ name: String) throws {
    let stand = "Q" + name.dropFirst()
    let run = try ProgramRun([
      path, "-c", "class \(stand) { id: int primary; n: int }; add \(stand) { id: 1, n: 7 }",
    ])
    #expect(run.errors == "")
    let environment = try StorageEnvironment.open(.file(path))
    let write = try environment.beginWrite()
    let schema = try #require(write.snapshot.metadata("schema"))
    let place = try #require(schema.indices.first { schema[$0...].starts(with: stand.utf8) })
    var renamed = schema
    renamed.replaceSubrange(place..<place + stand.utf8.count, with: name.utf8)
    try write.setMetadata("schema", renamed)
    _ = try write.commit()
  }

  private func output(_ statements: String) throws -> String {
    let run = try ProgramRun([path, "-c", statements])
    #expect(run.errors == "", "\(statements)")
    return run.output
  }

  @Test(arguments: [
    "store", "none", "any", "all", "group", "value", "now", "true", "false", "nil",
  ])
  func `a class with a reserved name is opened, checked, dumped and dropped`(name: String) throws {
    try makeStore(name)
    #expect(try output("check") == "ok\n")
    let declaration = "class \(name) {\n  id: int primary\n  n: int\n}\n"
    #expect(try output("schema") == declaration)
    let dump = try output("dump")
    #expect(dump.contains(declaration) && dump.contains("n: 7"))
    #expect(try output("alter \(name) { rename n to m }; set \(name)#1.m = 8") == "")
    #expect(try output("dump").contains("m: 8"))
    let again = try ProgramRun(["-c", "class \(name) { id: int }"])
    #expect(again.errors.contains("'\(name)'") && again.status != 0)
    #expect(try output("drop \(name); schema") == "")
  }

  @Test(arguments: ["none", "any", "all", "group", "value", "now"])
  func `a class with a reserved name is asked and observed`(name: String) throws {
    try makeStore(name)
    #expect(try output("show \(name) where n > 1 { n }; count \(name)") == "   n\n0  7\n1\n")
    #expect(
      try output("observe \(name) as t; add \(name) { id: 2, n: 8 }")
        == "t: initial 1 row\nt: insertions [1]\n")
  }
}
