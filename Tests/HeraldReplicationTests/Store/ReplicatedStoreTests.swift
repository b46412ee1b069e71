import Glibc
import HeraldReplication
import TestSupport
import Testing

/// One server, and several machines in this process: stores with files of their own.
@Suite(.serialized)
struct ReplicatedStoreTests {
  @Test func `what one machine commits arrives at another, with its observers`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let one = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/one.hdb")
      let two = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/two.hdb")
      try one.declare(Self.dog)
      try two.await(version: 1)
      let changes = try Changes(of: two)
      try one.write { _ = try one.add("Dog", [("name", .value(.string("Max")))]) }
      try two.await(version: 2)
      #expect(changes.texts == ["initial 0", "+[0]"])
      // And back.
      let max = try #require(try two.objects("Dog").objects.first)
      try two.write { try max.set("age", to: .value(.int(4))) }
      try one.await(version: 3)
      #expect(try one.objects("Dog").objects.first?.value("age") == .int(4))
      #expect(one.replicaStatus?.lag == 0)
      #expect(one.replicaStatus?.isConnected == true)
    }
  }

  @Test func `of writers in conflict none loses anything`() async throws {
    let servers = try NATSServers()
    let folder = try TemporaryFolder()
    let path = folder.path
    let stream = servers.stream("pets")
    let first = try DynamicStore(replicated: stream, cache: path + "/0.hdb")
    try first.declare(Self.dog)
    let machines = 3
    let writes = 40
    try await withThrowingTaskGroup(of: Int.self) { group in
      for machine in 0..<machines {
        group.addTask { try Self.write(writes, stream, path + "/\(machine).hdb") }
      }
      var acknowledged = 0
      for try await count in group { acknowledged += count }
      #expect(acknowledged == machines * writes)
    }
    var dumps: Set<String> = []
    for machine in 0..<machines {
      let store = try DynamicStore(replicated: stream, cache: path + "/\(machine).hdb")
      #expect(try store.objects("Dog").count == machines * writes)
      dumps.insert(try store.dump())
      store.close()
    }
    #expect(dumps.count == 1)
    first.close()
    withExtendedLifetime(servers) {}
  }

  @Test func `a machine that begins late has everything, and a long commit in parts`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let one = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/one.hdb")
      try one.declare(Self.dog)
      let long = String(repeating: "wau ", count: 500)
      try one.write {
        for number in 0..<2000 {
          _ = try one.add("Dog", [("name", .value(.string(long + "\(number)")))])
        }
      }
      let two = try DynamicStore(replicated: servers.stream("pets"), cache: folder + "/two.hdb")
      #expect(two.version == 2)
      #expect(try two.dump() == one.dump())
    }
  }

  @Test func `without servers reading goes on and writing is refused`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      var stream = servers.stream("pets")
      stream.patience = 3
      let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      try one.declare(Self.dog)
      servers.kill(0)
      #expect(try one.objects("Dog").count == 0)
      #expect(throws: HeraldError.self) { try one.write {} }
      #expect(one.version == 1)
      #expect(one.replicaStatus?.isConnected == false)
      #expect(becomesTrue { one.replicaStatus.map { $0.lagSeconds > 1 } ?? false })
      // A store that is opened without servers reads its file.
      let path = folder + "/one.hdb"
      one.close()
      let again = try DynamicStore(replicated: stream, cache: path)
      #expect(again.version == 1)
      #expect(throws: HeraldError.self) {
        try DynamicStore(replicated: stream, cache: folder + "/new.hdb")
      }
      try servers.start(0)
      var isWritten = false
      for _ in 0..<100 where !isWritten {
        isWritten = (try? again.write {}) != nil
        if !isWritten { usleep(100_000) }
      }
      #expect(isWritten)
      #expect(again.version == 2)
    }
  }

  static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "name", element: .string),
      .init(name: "age", element: .int, defaultValue: .value(.int(0))),
    ])

  private static func write(_ count: Int, _ stream: NATSStream, _ path: String) throws -> Int {
    let store = try DynamicStore(replicated: stream, cache: path)
    defer { store.close() }
    var written = 0
    while written < count {
      do {
        try store.write { _ = try store.add("Dog", [("name", .value(.string("\(written)")))]) }
        written += 1
      } catch HeraldError.raceLost {}
    }
    return written
  }
}
