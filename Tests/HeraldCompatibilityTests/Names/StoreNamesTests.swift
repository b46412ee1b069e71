import Foundation
import HeraldCompatibility
import Synchronization
import TestSupport
import Testing

private final class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

/// Stores and transactions by Realm's names.
@Suite(.serialized) struct StoreNamesTests {
  @Test func `errors have codes`() throws {
    let folder = try TemporaryFolder()
    func code(_ path: String, readOnly: Bool = false) -> Realm.Error.Code? {
      do {
        _ = try Realm(configuration: .init(fileURL: URL(filePath: path), readOnly: readOnly))
        return nil
      } catch {
        return (error as? Realm.Error)?.code
      }
    }
    try FileTree.save(Array("no store".utf8), to: folder.path + "/text.hdb")
    #expect(code(folder.path + "/none.hdb", readOnly: true) == .fileNotFound)
    #expect(code(folder.path + "/no/folder/x.hdb") == .fileNotFound)
    #expect(code(folder.path + "/text.hdb") == .invalidDatabase)
    try FileTree.save(Array("no store".utf8), to: folder.path + "/text.realm")
    #expect(code(folder.path + "/text.realm") == .invalidDatabase)
    #expect(code(folder.path + "/text.hdb/x.hdb") == .fileOperationFailed)
    #expect {
      try schemaVersionAtURL(URL(filePath: folder.path + "/none.hdb"))
    } throws: {
      Realm.Error.invalidDatabase ~= $0
    }
    do {
      _ = try Realm(
        configuration: .init(fileURL: URL(filePath: folder.path + "/none.hdb"), readOnly: true))
      Issue.record("opened")
    } catch Realm.Error.fileNotFound {
      // The pattern of the documentation.
    }
    let error = HeraldError.notAStore(path: "/x")
    #expect(error.filePath == "/x" && !(Realm.Error.fileAccess ~= error))
    #expect(!(Realm.Error.fail ~= CancellationError()) && HeraldError.frozen.code == .fail)
  }

  @Test func `files are found, deleted and compacted`() throws {
    let folder = try TemporaryFolder()
    var configuration = Realm.Configuration(
      fileURL: URL(filePath: folder.path + "/items.hdb"), schemaVersion: 3,
      objectTypes: [Item.self])
    #expect(!Realm.fileExists(for: configuration))
    #expect(try Realm.deleteFiles(for: configuration) == false)
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.configuration.schemaVersion == 3)
      try realm.write {
        for id in 0..<2000 {
          realm.create(Item.self, value: [id, String(repeating: "x", count: 500)])
        }
      }
      try realm.write { realm.deleteAll() }
      #expect(realm.objects(Item.self).realm?.configuration.schemaVersion == 3)
      let failure = #expect(throws: HeraldError.self) {
        try Realm.deleteFiles(for: configuration)
      }
      #expect(failure?.code == .alreadyOpen)
    }
    #expect(Realm.fileExists(for: configuration))
    let asked = Mutex<[Int]>([])
    configuration.shouldCompactOnLaunch = { total, used in
      asked.withLock { $0 = [total, used] }
      return used < total / 2
    }
    let path = folder.path + "/items.hdb"
    let before = FileTree.read(path).count
    do { #expect(try Realm(configuration: configuration).isEmpty) }
    let sizes = asked.withLock { $0 }
    #expect(sizes.count == 2 && sizes[0] == before && sizes[1] < before / 2, "\(sizes)")
    #expect(FileTree.read(path).count < before / 2)
    #expect(try Realm.deleteFiles(for: configuration) == true)
    #expect(FileTree.names(in: folder.path).isEmpty)
  }

  @Test func `a file begins as a copy of another, and anew if its classes differ`() throws {
    let folder = try TemporaryFolder()
    let seed = folder.path + "/seed.hdb"
    do {
      let store = try Store(path: seed)
      try store.dynamic.declare(
        ClassDefinition(
          name: "Item",
          properties: [.init(name: "id", element: .int, isPrimaryKey: true)]))
      try store.write { store.dynamic.create("Item", value: ["id": 7]) }
      store.close()
    }
    let url = URL(filePath: folder.path + "/own.hdb")
    do {
      let realm = try Realm(
        configuration: .init(
          fileURL: url, objectTypes: [], seedFilePath: URL(filePath: seed)))
      #expect(realm.dynamicObject(ofType: "Item", forPrimaryKey: 7) != nil)
      realm.store.close()
    }
    do {
      let store = try Store(path: url.path)
      try store.dynamic.declare(
        ClassDefinition(name: "Other", properties: [.init(name: "x", element: .int)]))
      store.close()
    }
    final class Other: Object { @Persisted var x: String }
    var configuration = Realm.Configuration(fileURL: url, objectTypes: [Other.self])
    #expect(throws: HeraldError.self) { try Realm(configuration: configuration) }
    configuration.deleteRealmIfMigrationNeeded = true
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.schema.objectSchema.map(\.className) == ["Other"])
      try realm.write { realm.create(Other.self, value: ["a"]) }
      realm.store.close()
    }
    configuration.schemaVersion = 3
    configuration.migrationBlock = { _, _ in Issue.record("a deleted file has no older version") }
    for count in [0, 1] {
      let newer = try Realm(configuration: configuration)
      #expect(newer.objects(Other.self).count == count)
      try newer.write { newer.create(Other.self, value: ["b"]) }
      newer.store.close()
    }
    #expect(try schemaVersionAtURL(url) == 3)
  }

  @MainActor @Test func `an asynchronous write is under way in its block`() async throws {
    let realm = try await Realm(
      configuration: .init(inMemoryIdentifier: "under way"), actor: MainActor.shared)
    let isUnderWay = try await realm.asyncWrite { realm.isPerformingAsynchronousWriteOperations }
    #expect(isUnderWay && !realm.isPerformingAsynchronousWriteOperations)
  }

  @Test func `transactions wait for their turn`() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "turns"))
    try realm.write { realm.deleteAll() }
    var events: [String] = []
    #expect(!realm.isPerformingAsynchronousWriteOperations)
    let first = realm.beginAsyncWrite {
      realm.create(Item.self, value: [1, "one"])
      realm.commitAsyncWrite { events.append($0 == nil ? "committed" : "failed") }
    }
    let second = realm.beginAsyncWrite { realm.create(Item.self, value: [2, "two"]) }
    let third = realm.beginAsyncWrite { events.append("never") }
    realm.beginAsyncWrite {
      realm.create(Item.self, value: [4, "four"])
      realm.cancelWrite()
    }
    realm.writeAsync {
      realm.create(Item.self, value: [5, "five"])
    } onComplete: { error in
      events.append("written \(error == nil)")
    }
    #expect(first != second && realm.isPerformingAsynchronousWriteOperations)
    try realm.cancelAsyncWrite(third)
    while realm.isPerformingAsynchronousWriteOperations { realm.refresh() }
    #expect(events == ["committed", "written true"], "\(events)")
    #expect(realm.objects(Item.self).map(\.id) == [1, 5])
    // What cannot begin says why.
    let refused = { (error: (any Error)?) in events.append("refused \(error != nil)") }
    realm.freeze().writeAsync({ events.append("begun") }, onComplete: refused)
    #expect(events.last == "refused true")
    realm.beginWrite()
    realm.create(Item.self, value: [6, "six"])
    realm.commitAsyncWrite { events.append("\($0 == nil)") }
    #expect(realm.objects(Item.self).count == 3 && events.last == "true")
  }

  @Test func `a store is opened on a queue`() throws {
    let queue = DispatchQueue(label: "opening")
    let opened = DispatchSemaphore(value: 0)
    let count = Mutex(0)
    Realm.asyncOpen(
      configuration: .init(inMemoryIdentifier: "asynchronous"), callbackQueue: queue
    ) { result in
      if case .success(let realm) = result {
        try? realm.write { _ = realm.create(Item.self, value: [1, "one"]) }
        count.withLock { $0 = realm.objects(Item.self).count }
      }
      opened.signal()
    }
    opened.wait()
    #expect(count.withLock { $0 } == 1)
    queue.sync {}
  }
}
