import Foundation
import Herald
import TestSupport
import Testing

private final class Ferry: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var tons = 0
  @Persisted var ports: List<Quay>
  @Persisted var deck: Deck?
  @Persisted var twin: Ferry?
}

private final class Quay: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "ports") var ferries: LinkingObjects<Ferry>
}

private final class Deck: EmbeddedObject { @Persisted var cars = 0 }

private final class Skiff: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = "none"
  @Persisted var tons = 7
  @Persisted var length: Double?
  @Persisted var twin: Skiff?
}

/// The log in the typed interface: what happened, what was true then, and taking it back.
@Suite(.serialized) @MainActor struct StoreLogTests {
  private func withFleet(isFile: Bool, _ body: (Store, Ferry) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let types = [Ferry.self, Quay.self, Deck.self] as [ObjectBase.Type]
    let store =
      isFile
      ? try Store(path: folder.path + "/fleet.hdb", objectTypes: types)
      : try Store(objectTypes: types)
    let ferry = try store.write(message: "a ferry") {
      let ferry = store.create(Ferry.self, value: ["id": 1, "name": "Ada", "tons": 5])
      ferry.ports.append(store.create(Quay.self, value: ["name": "north"]))
      ferry.deck = Deck()
      return ferry
    }
    try body(store, ferry)
    store.close()
  }

  @Test(arguments: [false, true])
  func `commits have a message, a writer and counts, and the values of what they changed`(
    isFile: Bool
  ) throws {
    try withFleet(isFile: isFile) { store, ferry in
      store.beginWrite()
      ferry.tons = 7
      try store.commitWrite(message: "heavier")
      let log = try store.log(of: Ferry.self)
      #expect(log.map(\.message) == ["heavier", "a ferry"])
      #expect(log[0].version == store.version && log[0].classes.map(\.modified) == [1])
      #expect(log.allSatisfy { $0.size > 0 && $0.session == log[0].session })
      let commit = try store.commit(store.version)
      guard case .modified(let properties)? = commit.changes.first?.change else {
        Issue.record("\(commit.changes)")
        return
      }
      #expect(properties.map(\.name) == ["tons"])
      #expect(properties[0].old == .value(.int(5)) && properties[0].new == .value(.int(7)))
      #expect(try store.log(1, of: Quay.self).map(\.message) == ["a ferry"])
      #expect(throws: HeraldError.noSuchVersion(store.version + 1, newest: store.version)) {
        try store.commit(store.version + 1)
      }
    }
  }

  @Test(arguments: [false, true])
  func `an earlier version is read as typed objects, from any thread`(isFile: Bool) async throws {
    var frozen: Store?
    try withFleet(isFile: isFile) { store, ferry in
      let first = store.version
      try store.write {
        ferry.tons = 9
        ferry.deck?.cars = 4
        ferry.ports[0].name = "south"
        store.create(Ferry.self, value: ["id": 2, "tons": 1])
      }
      try store.write { store.delete(ferry) }
      let past = try store.frozen(at: first)
      let old = past.objects(Ferry.self)
      #expect(past.isFrozen && past.version == first && old.count == 1)
      #expect(old[0].tons == 5 && old[0].deck?.cars == 0 && old[0].ports[0].name == "north")
      #expect(old[0].ports[0].ferries.count == 1 && old.where { $0.tons > 4 }.count == 1)
      #expect(past.object(ofType: Ferry.self, forPrimaryKey: 1)?.name == "Ada")
      #expect(old[0].thaw() == nil)
      #expect(try store.frozen(at: first + 1).objects(Ferry.self).count == 2)
      let now = try store.frozen(at: store.version).objects(Ferry.self)
      #expect(try store.difference(from: old, to: now).deletions == [0])
      #expect(try store.version(at: Timestamp(seconds: 0)) == 0)
      #expect(try store.oldestVersion == 0)
      frozen = past
      let read = Read(past)
      read.run()
      #expect(read.tons == [5])
    }
    _ = frozen
  }

  /// Reads on a thread of its own.
  private final class Read: @unchecked Sendable {
    private let store: Store
    private(set) var tons: [Int] = []

    init(_ store: Store) { self.store = store }

    func run() {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        self.tons = self.store.objects(Ferry.self).map(\.tons)
        done.signal()
      }
      done.wait()
    }
  }

  @Test func `a property that an earlier version lacks reads as nothing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/fleet.hdb"
    let early = try DynamicStore(path: path)
    let skiff = ClassDefinition(
      name: "Skiff", properties: [.init(name: "id", element: .int, isPrimaryKey: true)])
    try early.write { try early.declare(skiff) }
    try early.write { _ = try early.add("Skiff", [("id", .value(.int(1)))]) }
    let version = early.version
    early.close()
    let store = try Store(path: path, objectTypes: [Skiff.self], schemaVersion: 2)
    let old = try store.frozen(at: version).objects(Skiff.self)
    #expect(old.count == 1 && old[0].id == 1 && old[0].tons == 0 && old[0].name == "")
    #expect(old[0].length == nil && old[0].twin == nil)
    #expect(try store.frozen(at: version).objects(Quay.self).isEmpty)
    #expect(try store.frozen(at: 0).objects(Skiff.self).isEmpty)
    store.close()
  }

  @Test(arguments: [false, true])
  func `undo and redo reach held objects, and observers receive the inverse`(isFile: Bool) throws {
    try withFleet(isFile: isFile) { store, ferry in
      var notified: [String] = []
      let ferries = store.objects(Ferry.self)
      let token = ferries.observe { change in
        notified.append("\(change.deletions)\(change.insertions)\(change.modifications)")
      }
      store.refresh()
      try store.write { ferry.tons = 6 }
      try store.write { store.delete(ferry) }
      try store.undo()
      #expect(ferries.first?.tons == 6 && ferries.first?.deck?.cars == 0)
      try store.undo()
      #expect(ferries.first?.tons == 5 && ferries.first?.ports.count == 1)
      try store.redo()
      try store.redo()
      #expect(ferries.isEmpty)
      #expect(throws: HeraldError.nothingToUndo(isRedo: true)) { try store.redo() }
      store.refresh()
      #expect(
        notified == [
          "[][][]", "[][][0]", "[0][][]", "[][0][]", "[][][0]", "[][][0]", "[0][][]",
        ])
      token.invalidate()
    }
  }

  @Test func `the limit of the log is the store's, and what is beyond it an error`() throws {
    try withFleet(isFile: true) { store, ferry in
      #expect(try store.logRetention == .bytes(64_000_000))
      try store.keepLog(.commits(2))
      for tons in 0..<4 { try store.write { ferry.tons = tons + 20 } }
      let oldest = try store.oldestVersion
      #expect(oldest == store.version - 2)
      #expect(throws: HeraldError.versionNotKept(oldest - 1, oldest: oldest)) {
        try store.frozen(at: oldest - 1)
      }
      #expect(try store.frozen(at: oldest).objects(Ferry.self)[0].tons == 21)
    }
  }

  @Test func `the feed has every commit once, those of other sessions too`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/fleet.hdb"
    let store = try Store(path: path, objectTypes: [Ferry.self, Quay.self, Deck.self])
    try store.write { store.create(Ferry.self, value: ["id": 1]) }
    let start = store.version
    let other = try DynamicStore(path: path)
    var read: [Int] = []
    for try await commit in store.commits(since: start - 1) {
      read.append(commit.version)
      if read.count == 4 { break }
      try await store.asyncWrite(message: "more") {
        store.create(Ferry.self, value: ["id": commit.version + 10])
      }
      try other.write { _ = try other.add("Ferry", [("id", .value(.int(-commit.version)))]) }
    }
    #expect(read == Array(start..<start + 4))
    other.close()
    store.close()
  }

  @Test func `undo, redo and the limit need a store that can be written, outside of a transaction`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/fleet.hdb"
    let store = try Store(path: path, objectTypes: [Ferry.self, Quay.self, Deck.self])
    try store.write { store.create(Ferry.self, value: ["id": 1]) }
    let frozen = try store.frozen(at: store.version - 1)
    let reader = try DynamicStore(path: path, readOnly: true)
    let changes: [(DynamicStore) throws -> Void] = [
      { try $0.undo() }, { try $0.undo(2) }, { try $0.redo() }, { try $0.keepLog(.all) },
    ]
    for change in changes {
      #expect(throws: HeraldError.frozen) { try change(frozen.untyped) }
      #expect(throws: HeraldError.readOnly) { try change(reader) }
      store.beginWrite()
      #expect(throws: HeraldError.writeInProgress) { try change(store.untyped) }
      store.cancelWrite()
    }
    #expect(store.objects(Ferry.self).count == 1)
  }
}
