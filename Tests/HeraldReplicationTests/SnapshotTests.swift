import Glibc
import HeraldReplication
import TestSupport
import Testing

/// Machines that the stream no longer has all commits for.
@Suite(.serialized)
struct SnapshotTests {
  @Test func `a new machine loads the newest snapshot and the commits after it`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let stream = stream(on: servers)
      let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      try writeUntilTrimmed(stream, to: one)
      let two = try DynamicStore(replicated: stream, cache: folder + "/two.hdb")
      #expect(two.version == one.version)
      #expect(try two.dump() == one.dump())
      #expect(two.check() == [])
      // And it goes on as usual.
      try write(1, to: two)
      try one.await(version: two.version)
      #expect(try two.dump() == one.dump())
    }
  }

  @Test func `a machine that was away too long does so too, with one change set`() throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let stream = stream(on: servers)
      let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      let path = folder + "/two.hdb"
      try write(2, to: one)
      try visit(stream, path, until: one.version)
      // A store is followed as long as anything holds it.
      try #require(becomesTrue { !DynamicStore.isOpen(fileAt: path) })
      try writeUntilTrimmed(stream, to: one)
      let added = try one.objects("Dog").count - 2
      try one.write {
        let dogs = try one.objects("Dog").objects
        try one.delete(dogs[0])
        try dogs[1].set("age", to: .value(.int(9)))
      }
      // The observer is of a session at the old version.
      let old = try DynamicStore(path: path)
      let changes = try Changes(of: old)
      let two = try DynamicStore(replicated: stream, cache: path)
      #expect(two.version == one.version)
      #expect(try two.dump() == one.dump())
      #expect(two.check() == [])
      _ = try old.refresh()
      #expect(changes.texts == ["initial 2", "-[0] +\(Array(1...added)) ~[1]"])
    }
  }

  @Test(arguments: 1..<4)
  func `snapshots at random versions lead to the same store`(_ seed: UInt64) throws {
    let servers = try NATSServers()
    try withFolder { folder in
      var random = SplitMix64(seed: seed)
      var stream = stream(on: servers)
      stream.snapshotInterval = Int.random(in: 3...20, using: &random)
      let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      for round in 0..<4 {
        try write(Int.random(in: 1...30, using: &random), to: one)
        let new = try DynamicStore(replicated: stream, cache: folder + "/new\(round).hdb")
        try new.await(version: one.version)
        #expect(try new.dump() == one.dump(), "\(seed)")
        #expect(new.check() == [])
        new.close()
      }
    }
  }

  private func visit(_ stream: NATSStream, _ path: String, until version: Int) throws {
    let store = try DynamicStore(replicated: stream, cache: path)
    try store.await(version: version)
    store.close()
  }

  private func stream(on servers: NATSServers) -> NATSStream {
    var stream = servers.stream("pets")
    stream.snapshotInterval = 20
    return stream
  }

  private func write(_ count: Int, to store: DynamicStore) throws {
    if store.schema.classSchema(named: "Dog") == nil {
      try store.declare(ReplicatedStoreTests.dog)
    }
    for number in 0..<count {
      try store.write { _ = try store.add("Dog", [("name", .value(.string("\(number)")))]) }
    }
  }

  /// Writes until snapshots have made the first commits superfluous.
  private func writeUntilTrimmed(_ stream: NATSStream, to store: DynamicStore) throws {
    try write(50, to: store)
    for _ in 0..<200 where Self.hasAll(stream) {
      try write(10, to: store)
      _ = becomesTrue(within: 1) { !Self.hasAll(stream) }
    }
    try #require(!Self.hasAll(stream))
  }

  /// Whether the stream has every commit from the first on: then a machine needs no snapshot.
  private static func hasAll(_ stream: NATSStream) -> Bool {
    (try? stream.firstSequence()) ?? 1 <= 1
  }
}
