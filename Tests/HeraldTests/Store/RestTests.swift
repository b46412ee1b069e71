import HeraldEngine
import TestSupport
import Testing

@testable import Herald

/// A session that waits holds no version, and still receives everything.
@Suite struct RestTests {
  private func withStore(_ body: (DynamicStore, String) throws -> Void) throws {
    let dog = ClassDefinition(
      name: "Dog",
      properties: [.init(name: "n", element: .int), .init(name: "text", element: .string)])
    try withStoreFile(dog) { store, path in
      try store.write {
        for n in 0..<50 {
          _ = try store.add(
            "Dog", [("n", .value(.int(n))), ("text", .value(.string("dog \(n)")))])
        }
      }
      try body(store, path)
    }
  }

  /// Commits changes of single dogs, and returns by how many bytes the file grew.
  private func growth(of path: String, _ writer: DynamicStore, commits: Int) throws -> Int {
    let dogs = try writer.objects("Dog").objects
    let before = FileTree.size(path)
    for commit in 0..<commits {
      try writer.write { try dogs[commit % 50].set("n", to: .value(.int(1000 + commit))) }
    }
    return FileTree.size(path) - before
  }

  @Test(arguments: [true, false])
  func `a session without observers takes no turns until it is used`(isInMemory: Bool) throws {
    try withStore { file, _ in
      let writer = isInMemory ? try DynamicStore() : file
      if isInMemory {
        try writer.declare(
          ClassDefinition(name: "Dog", properties: [.init(name: "n", element: .int)]))
        try writer.write { for n in 0..<50 { _ = try writer.add("Dog", [("n", .value(.int(n)))]) } }
      }
      let idle = try writer.newSession()
      let dog = try #require(try idle.objects("Dog").objects.first)
      func change(_ n: Int) throws {
        try writer.write { try writer.objects("Dog").objects[0].set("n", to: .value(.int(n))) }
      }
      func rest() throws {
        idle.restWithoutObservers()
        #expect(!idle.isTurnDue(at: writer.version))
      }
      try rest()
      try change(100)
      #expect(!idle.isTurnDue(at: writer.version))
      #expect(try dog.value("n") == .int(100))
      try rest()
      try change(101)
      #expect(idle.version == writer.version)
      try rest()
      try change(102)
      idle.autorefresh = false
      try change(103)
      #expect(try dog.value("n") == .int(102))
      idle.autorefresh = true
      try idle.refresh()
      try rest()
      try change(104)
      let frozen = DynamicStore(try idle.session.freeze(), named: "frozen")
      try change(105)
      #expect(try frozen.objects("Dog").objects[0].value("n") == .int(104))
      try rest()
      try writer.declare(
        ClassDefinition(name: "Cat", properties: [.init(name: "n", element: .int)]))
      try change(106)
      #expect(idle.schema.classSchema(named: "Cat") != nil)
      try rest()
      try change(107)
      var reports: [DynamicObjectChange] = []
      let token = try dog.observe { _, change in reports.append(change) }
      #expect(idle.isTurnDue(at: writer.version + 1))
      try change(108)
      try idle.endTurn()
      guard case .change(let changes) = reports.last else {
        Issue.record("\(reports)")
        return
      }
      #expect(changes.map(\.name) == ["n"])
      idle.restWithoutObservers()
      try change(109)
      #expect(idle.isTurnDue(at: writer.version))
      withExtendedLifetime(token) {}
      #expect(idle.check().isEmpty)
    }
  }

  @Test func `the file does not grow behind a session that rests`() throws {
    try withStore { writer, path in
      writer.session.keepLog(entries: 10)
      let waiting = DynamicStore(try writer.session.apart(), named: "waiting")
      // What a held version costs, for comparison.
      let held = try growth(of: path, writer, commits: 2000)
      try waiting.refresh()
      waiting.session.rest()
      let rested = try growth(of: path, writer, commits: 2000)
      #expect(held > 1_000_000)
      #expect(rested < 100_000)
      waiting.close()
    }
  }

  @Test func `1.5 what happened while a session rested is one change set`() throws {
    try withStore { writer, _ in
      let waiting = DynamicStore(try writer.session.apart(), named: "waiting")
      var notified: [ChangeSet] = []
      let dogs = try waiting.results("Dog", asking: "n < 3 or n > 900")
      let token = try dogs.observe { _, change in
        if case .update(let changes, _) = change { notified.append(changes) }
      }
      try waiting.endTurn()
      waiting.session.rest()
      let all = try writer.objects("Dog").objects
      try writer.write { try all[7].set("n", to: .value(.int(950))) }
      try writer.write { try writer.delete(all[1]) }
      try writer.write { try all[2].set("text", to: .value(.string("x"))) }
      try waiting.endTurn()
      #expect(
        notified == [
          ChangeSet(deletions: [1], insertions: [2], modifications: [2], modificationsNew: [1])
        ])
      #expect(try dogs.count == 3)
      #expect(waiting.check().isEmpty)
      withExtendedLifetime(token) {}
      waiting.close()
    }
  }

  @Test func `a schema that changed while a session rested becomes the session's`() throws {
    try withStore { writer, _ in
      let waiting = DynamicStore(try writer.session.apart(), named: "waiting")
      let dog = try #require(try waiting.objects("Dog").objects.first)
      waiting.session.rest()
      try writer.alter("Dog", [.rename("n", to: "number")])
      try waiting.endTurn()
      #expect(try dog.value("number") == .int(0))
      waiting.close()
    }
  }

  @Test func `a session that is used while it rests takes the newest version`() throws {
    try withStore { writer, _ in
      let waiting = DynamicStore(try writer.session.apart(), named: "waiting")
      let dog = try #require(try waiting.objects("Dog").objects.first)
      waiting.session.rest()
      #expect(try dog.value("n") == .int(0))
      waiting.session.rest()
      try writer.write { try writer.objects("Dog").objects[0].set("n", to: .value(.int(5))) }
      #expect(try dog.value("n") == .int(5))
      waiting.session.rest()
      try waiting.write { try dog.set("n", to: .value(.int(6))) }
      #expect(try dog.value("n") == .int(6))
      waiting.close()
    }
  }

  @Test func `a log that no longer reaches back is an error, and ends the observers`() throws {
    try withStore { writer, _ in
      writer.session.keepLog(entries: 2)
      let waiting = DynamicStore(try writer.session.apart(), named: "waiting")
      var notified: [DynamicCollectionChange] = []
      let token = try waiting.objects("Dog").observe { _, change in notified.append(change) }
      try waiting.endTurn()
      notified = []
      let version = waiting.version
      waiting.session.rest()
      for n in 0..<20 {
        try writer.write {
          try writer.objects("Dog").objects[0].set("n", to: .value(.int(n + 100)))
        }
      }
      #expect(throws: HeraldError.logTrimmed(version: version)) { try waiting.endTurn() }
      #expect(!token.isLive)
      #expect(notified == [.error(.logTrimmed(version: version))])
      #expect(try waiting.objects("Dog").objects[0].value("n") == .int(119))
      try waiting.endTurn()
      waiting.close()
    }
  }

  @Test func `a version that must stay is not released`() throws {
    try withStore { writer, _ in
      let waiting = DynamicStore(try writer.session.apart(), named: "waiting")
      let dog = try #require(try waiting.objects("Dog").objects.first)
      func writes(_ n: Int) throws {
        try writer.write { try writer.objects("Dog").objects[0].set("n", to: .value(.int(n))) }
      }
      waiting.autorefresh = false
      waiting.session.rest()
      try writes(7)
      #expect(try dog.value("n") == .int(0))
      waiting.autorefresh = true
      try waiting.beginWrite()
      waiting.session.rest()
      #expect(try dog.value("n") == .int(7))
      try waiting.rollbackWrite()
      waiting.close()
    }
  }
}
