import Glibc
import HeraldReplication
import TestSupport
import Testing

/// Machines that lack commits which the stream no longer has.
///
///     HERALD_TIMES=84 scripts/test --filter SnapshotTests       a thousand snapshots at random versions
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

  /// The rows that are observed in the tests of machines that were away.
  private static let queries = [
    nil, "age > 5000", "age > 3000 SORT(age DESC)", "TRUEPREDICATE SORT(name ASC) LIMIT(7)",
  ]

  @Test(arguments: [true, false])
  func `an open store that was cut off gets one change set, that between both versions`(
    _ hasLog: Bool
  ) throws {
    let servers = try NATSServers()
    let proxy = try LossyProxy(to: servers.ports[0])
    defer { proxy.end() }
    try withFolder { folder in
      let stream = stream(on: servers)
      let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
      try write(12, to: one)
      var cut = stream
      cut.servers = ["nats://127.0.0.1:\(proxy.port)"]
      let two = try DynamicStore(replicated: cut, cache: folder + "/two.hdb")
      // A machine that makes no snapshots, with a log of everything.
      var watched = stream
      watched.snapshotInterval = .max
      let watching = try DynamicStore(replicated: watched, cache: folder + "/watching.hdb")
      let observers = try Self.queries.map { try ReplayedRows(of: two, $0) }
      // A session beside it.
      let beside = try two.newSession()
      let besides = try ReplayedRows(of: beside)
      let old = two.version
      let before = try watching.frozen(at: old)
      proxy.cut()
      // Where the snapshot has no log of all commits in between, sessions compare the versions.
      if !hasLog { try one.keepLog(.commits(2)) }
      try change(500, in: one, seed: hasLog ? 1 : 2)
      try #require(becomesTrue { Self.first(stream) > UInt64(old + 300) })
      try watching.await(version: one.version)
      let after = try watching.frozen(at: one.version)
      proxy.restore()
      try two.await(version: old + 1)
      try beside.await(version: one.version)
      #expect(two.version == one.version)
      #expect(try two.dump() == one.dump())
      #expect(two.check() == [])
      for (query, observer) in zip(Self.queries, observers) {
        #expect(observer.difference == nil)
        let wanted = try watching.difference(
          from: ReplayedRows.results(of: before, query),
          to: ReplayedRows.results(of: after, query))
        #expect(observer.updates == [wanted], "\(query ?? "all")")
      }
      #expect(besides.updates == observers[0].updates)
      #expect(two.replicaStatus?.lag == 0)
      // And it goes on as usual.
      try write(1, to: two)
      try one.await(version: two.version)
      #expect(try two.dump() == one.dump())
    }
  }

  private static let times = NATSStream.variable("HERALD_TIMES").flatMap { UInt64($0) } ?? 1

  @Test(arguments: 1..<3 * times + 1)
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

  /// Commits random changes. No value comes back, so that the changes of all commits together are those between the
  /// first version and the last.
  private func change(_ count: Int, in store: DynamicStore, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for number in 1...count {
      let age = Value.int(number * 7919 % 10007)
      try store.write {
        let dogs = try store.objects("Dog").objects
        switch dogs.isEmpty ? 0 : Int.random(in: 0..<5, using: &random) {
        case 0:
          _ = try store.add(
            "Dog", [("name", .value(.string("\(age)"))), ("age", .value(age))])
        case 1: try store.delete(dogs.randomElement(using: &random)!)
        case 2: try dogs.randomElement(using: &random)!.set("name", to: .value(.string("\(age)")))
        case _: try dogs.randomElement(using: &random)!.set("age", to: .value(age))
        }
      }
    }
  }

  private static func first(_ stream: NATSStream) -> UInt64 {
    (try? stream.firstSequence()) ?? 0
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
    first(stream) <= 1
  }
}
