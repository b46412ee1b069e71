import HeraldEngine
import HeraldReplication
import TestSupport
import Testing

/// Several sessions of one machine that write at once, while another machine does.
@Suite(.serialized)
struct ReplicatedGroupTests {
  /// A session on its way to the thread that will own it.
  private struct Handed: @unchecked Sendable { let store: DynamicStore }

  private static let counter = ClassDefinition(
    name: "Counter",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "n", element: .int, defaultValue: .value(.int(0))),
    ])

  /// Adds one to a counter of the thread's own and to the shared one, so many times.
  private static func count(_ store: DynamicStore, _ id: Int, _ writes: Int) throws {
    for _ in 0..<writes {
      var isDone = false
      while !isDone {
        do {
          try store.write {
            for key in [0, id] {
              guard let counter = try store.object("Counter", key: .int(key)),
                case .int(let n) = try counter.value("n")
              else { throw HeraldError.closed }
              try counter.set("n", to: .value(.int(n + 1)))
            }
          }
          isDone = true
        } catch HeraldError.raceLost {}
      }
    }
    store.close()
  }

  private func withTwoMachines(_ body: (DynamicStore, DynamicStore) throws -> Void) throws {
    let servers = try NATSServers()
    try withFolder { folder in
      let stream = servers.stream("counters")
      try body(
        DynamicStore(replicated: stream, cache: folder + "/one.hdb"),
        DynamicStore(replicated: stream, cache: folder + "/two.hdb"))
    }
    withExtendedLifetime(servers) {}
  }

  private static func addCounters(_ store: DynamicStore, _ count: Int) throws {
    try store.declare(counter)
    try store.write {
      for id in 0..<count { _ = try store.add("Counter", [("id", .value(.int(id)))]) }
    }
  }

  /// Starts threads that count, each with a session of its own.
  private static func threads(
    _ store: DynamicStore, _ count: Int, _ writes: Int
  ) throws -> [JoinableThread] {
    try (1...count).map { id in
      let handed = Handed(store: try store.newSession(named: "\(id)"))
      return JoinableThread { try Self.count(handed.store, id, writes) }
    }
  }

  @Test func `what several sessions commit within a round trip is one message`() throws {
    try withTwoMachines { one, two in
      let (sessions, writes) = (6, 60)
      try Self.addCounters(one, sessions + 2)
      try two.await(version: 2)
      var threads = try Self.threads(one, sessions, writes)
      let other = Handed(store: try two.newSession(named: "other"))
      threads.append(JoinableThread { try Self.count(other.store, sessions + 1, writes / 4) })
      for thread in threads { thread.join() }
      let commits = 2 + sessions * writes + writes / 4
      try one.await(version: commits)
      try two.await(version: commits)
      #expect(
        try one.object("Counter", key: .int(0))?.value("n") == .int(sessions * writes + writes / 4))
      #expect(try one.dump() == two.dump())
      #expect(one.check().isEmpty && two.check().isEmpty)
      let sequence = try #require(try one.session.hub.position).sequence
      #expect(sequence < UInt64(commits))
    }
  }

  @Test func `a store that is behind says by how many commits`() throws {
    try withTwoMachines { one, two in
      let (sessions, writes) = (6, 20)
      try Self.addCounters(one, sessions + 1)
      try two.await(version: 2)
      // Its follower waits for the writer lock.
      try two.beginWrite()
      for thread in try Self.threads(one, sessions, writes) { thread.join() }
      try one.await(version: 2 + sessions * writes)
      let sequence = try #require(try one.session.hub.position).sequence
      #expect(sequence < UInt64(2 + sessions * writes))
      try #require(becomesTrue { two.replicaStatus?.lag == sessions * writes })
      try two.rollbackWrite()
      try two.await(version: 2 + sessions * writes)
      try #require(becomesTrue { two.replicaStatus?.lag == 0 })
    }
  }
}
