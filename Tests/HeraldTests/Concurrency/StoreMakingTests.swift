import Herald
import TestSupport
import Testing

@testable import TestModel

/// The first commit of a store that was not there, which makes its file.
@Suite struct StoreMakingTests {
  final class Pet: Object {
    @Persisted var name: String = ""
  }

  private static let dog = ClassDefinition(
    name: "Dog", properties: [.init(name: "n", element: .int, defaultValue: .value(.int(0)))])

  private struct Handed: @unchecked Sendable { let store: DynamicStore }

  @Test func `a store is empty and at version 0 without a file, until a class is declared`() throws
  {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let store = try DynamicStore(path: path)
      var changes = 0
      let token = try store.observe { _ in changes += 1 }
      #expect(store.version == 0 && store.schema.classes.isEmpty && !store.hasFile)
      #expect(throws: HeraldError.self) { try store.write { throw HeraldError.interrupted } }
      try store.beginWrite()
      try store.declare(Self.dog)
      try store.rollbackWrite()
      #expect(try !store.refresh() && store.check().isEmpty && changes == 0)
      #expect(FileTree.names(in: folder).isEmpty)
      let session = try store.newSession()
      try session.declare(Self.dog)
      #expect(store.hasFile)
      #expect(FileTree.names(in: folder).sorted() == ["store.hdb", "store.hdb-lock"])
      #expect(try store.refresh() && store.version == 1 && changes == 1)
      withExtendedLifetime(token) {}
    }
  }

  @Test func `a typed store without a commit leaves nothing behind`() throws {
    try withFolder { folder in
      let store = try Store(path: "\(folder)/store.hdb")
      #expect(store.version == 0 && !store.isReadOnly)
      store.close()
      #expect(FileTree.names(in: folder).isEmpty)
      let again = try Store(path: "\(folder)/store.hdb", objectTypes: [Pet.self])
      #expect(FileTree.names(in: folder).count == 2)
      try again.write { again.add(Pet()) }
      #expect(again.objects(Pet.self).count == 1)
    }
  }

  @Test func `the first commit of each of many sessions at once is there`() throws {
    try withFolder { folder in
      for round in 0..<10 {
        let path = "\(folder)/\(round).hdb"
        let store = try DynamicStore(path: path)
        let threads = try (1...6).map { number in
          let handed = Handed(store: try DynamicStore(path: path))
          return JoinableThread {
            try handed.store.write {
              try handed.store.declare(Self.dog)
              _ = try handed.store.add("Dog", [("n", .value(.int(number)))])
            }
            #expect(handed.store.version >= 1)
          }
        }
        for thread in threads { thread.join() }
        try store.refresh()
        #expect(store.version == 6)
        #expect(try store.objects("Dog").count == 6)
        #expect(store.check().isEmpty)
      }
    }
  }

  @Test func `a block runs again in the file that another program has made meanwhile`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let store = try DynamicStore(path: path)
      let other = try RemoteSession(path) { _ in .goOn }
      var runs = 0
      let dog = try store.write {
        runs += 1
        if runs == 1 { _ = try other.perform(.writeAtOnce) }
        try store.declare(Self.dog)
        return try store.add("Dog", [("n", .value(.int(runs)))])
      }
      #expect(runs == 2 && store.version == 2)
      #expect(try dog.value("n") == .int(2))
      #expect(try store.objects("Dog").count == 1)
      other.leave()
      store.close()
      let again = try DynamicStore(path: path)
      #expect(again.version == 2 && again.check().isEmpty)
    }
  }

  @Test func `a transaction by hand is rolled back then, and names what has happened`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let store = try DynamicStore(path: path)
      let frozen = try store.frozen(at: 0)
      let other = try RemoteSession(path) { _ in .goOn }
      try store.beginWrite()
      try store.declare(Self.dog)
      _ = try other.perform(.writeAtOnce)
      #expect(throws: HeraldError.storeMade(path: path)) { try store.commitWrite() }
      #expect(!store.isInWrite && store.schema.classes.isEmpty)
      #expect(try store.refresh() && store.version == 1)
      try store.declare(Self.dog)
      #expect(store.version == 2)
      #expect(frozen.version == 0 && frozen.schema.classes.isEmpty)
      other.leave()
    }
  }

  @Test func `a store whose file is removed later is not made again`() throws {
    try withFolder { folder in
      let path = "\(folder)/store.hdb"
      let store = try DynamicStore(path: path)
      try store.declare(Self.dog)
      FileTree.remove(path)
      #expect(throws: HeraldError.storeRemoved(path: path)) { try store.write {} }
      #expect(!FileTree.exists(path))
    }
  }
}
