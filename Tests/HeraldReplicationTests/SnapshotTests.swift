import Glibc
import HeraldReplication
import TestSupport
import Testing

/// New machines, which begin with the newest snapshot.
@Suite(.serialized)
struct SnapshotTests {
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
}
