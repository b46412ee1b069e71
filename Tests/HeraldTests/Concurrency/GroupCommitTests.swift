import Glibc
import Herald
import HeraldQuery
import HeraldStorage
import Synchronization
import TestSupport
import Testing

@testable import HeraldEngine
@testable import HeraldReplication
@testable import TestModel

/// Commits of several sessions, on threads of their own, that share a sync: each is there as a whole or not at all, in
/// one order for everybody.
@Suite struct GroupCommitTests {
  private static let account = ClassDefinition(
    name: "Account",
    properties: [
      .init(name: "id", element: .int, isPrimaryKey: true),
      .init(name: "owner", element: .int, isIndexed: true, defaultValue: .value(.int(0))),
      .init(name: "money", element: .int, defaultValue: .value(.int(0))),
      .init(name: "note", element: .string, isOptional: true),
      .init(name: "friend", element: .link("Account")),
      .init(name: "log", element: .int, shape: .list),
    ])

  /// A session on its way to the thread that will own it.
  private struct Handed: @unchecked Sendable { let store: DynamicStore }

  private struct HandedObject: @unchecked Sendable { let object: ObjectHandle }

  private struct Failure: Error {}

  private static func query(_ store: DynamicStore, _ text: String) throws -> DynamicResults {
    let (tail, _) = try QueryParser.parseTail(Array(text.utf8), from: 0)
    return try store.results("Account", tail, names: NoNames())
  }

  /// A store with a shared account, 0, and one for each thread.
  private static func makeStore(_ path: String, threads: Int) throws -> DynamicStore {
    let store = try DynamicStore(path: path)
    try makeAccounts(store, threads: threads)
    return store
  }

  private static func makeAccounts(_ store: DynamicStore, threads: Int) throws {
    try store.declare(account)
    try store.write {
      for id in 0...threads { _ = try store.add("Account", [("id", .value(.int(id)))]) }
    }
  }

  /// Runs `body` on threads, each with a session and with random numbers of its own.
  private static func run(
    _ store: DynamicStore, threads: Int, seed: UInt64,
    _ body: @escaping @Sendable (DynamicStore, Int, inout SplitMix64) throws -> Void
  ) throws {
    let running = try (1...threads).map { thread in
      let handed = Handed(store: try store.newSession(named: "thread \(thread)"))
      return JoinableThread {
        var random = SplitMix64(seed: seed &* 1000 &+ UInt64(thread))
        try body(handed.store, thread, &random)
        handed.store.close()
      }
    }
    for thread in running { thread.join() }
  }

  /// How many times small commits have waited for the disk so far.
  private static func syncs(of store: DynamicStore) -> Int {
    store.session.hub.environment.journaledCommits
  }

  /// One write of a thread: it changes the shared account, its own, and something else. Returns whether it was
  /// committed.
  private static func change(
    _ store: DynamicStore, _ thread: Int, _ step: Int, _ random: inout SplitMix64
  ) throws -> Bool {
    guard let own = try store.object("Account", key: .int(thread)),
      let shared = try store.object("Account", key: .int(0))
    else { throw Failure() }
    let choice = random.below(14)
    let size = random.below(3000)
    do {
      try store.write {
        guard case .int(let money) = try shared.value("money") else { throw HeraldError.closed }
        try shared.set("money", .int(money + 1))
        let count = try query(store, "where owner == \(thread)").count
        switch choice {
        case 0: try own.set("note", .string(String(repeating: "n", count: size)))
        case 1: try own.set("friend", .link(shared.id))
        case 2: try own.collection("log").append([.int(step)])
        case 3, 4:
          _ = try store.add(
            "Account",
            [
              ("id", .value(.int(thread * 100_000 + step))), ("owner", .value(.int(thread))),
            ])
          guard try query(store, "where owner == \(thread)").count == count + 1 else {
            throw HeraldError.closed
          }
        case 5:
          if let last = try query(store, "where owner == \(thread)").objects.last {
            try store.delete(last)
          }
        case 6: throw Failure()
        case 7:
          try own.set("friend", .null)
          throw Failure()
        default: break
        }
        try own.set("money", .int(step))
      }
      return true
    } catch is Failure {
      return false
    }
  }

  @Test(arguments: seeds(3))
  func `commits of many threads are applied once each, in one order`(seed: UInt64) throws {
    let threads = 8
    try withFolder { folder in
      let store = try Self.makeStore("\(folder)/store.hdb", threads: threads)
      let (version, syncs) = (store.version, Self.syncs(of: store))
      let committed = Atomic(0)
      // A session whose copy of the rows must equal the store after each delivery (observation 4.2).
      let isOver = Atomic(false)
      let watching = Handed(store: try store.newSession(named: "watching"))
      let watcher = JoinableThread {
        let store = watching.store
        var rows: [Value] = []
        var isBegun = false
        let all = try Self.query(store, "sort(money desc, id)")
        let token = try all.observe(depth: 0) { results, change in
          let now = try results.objects.map { Value.link($0.id) }
          defer { rows = now }
          guard case .update(let changes, _) = change else {
            isBegun = true
            return
          }
          precondition(isBegun)
          if let fault = replayFault(changes, old: rows, new: now) {
            fatalError("seed \(seed): \(fault)")
          }
        }
        while !isOver.load(ordering: .acquiring) { _ = try store.endTurn() }
        _ = try store.endTurn()
        withExtendedLifetime(token) { store.close() }
      }
      try Self.run(store, threads: threads, seed: seed) { store, thread, random in
        for step in 1...150 {
          if try Self.change(store, thread, step, &random) {
            committed.add(1, ordering: .relaxed)
            guard let own = try store.object("Account", key: .int(thread)),
              try own.value("money") == .int(step)
            else { throw Failure() }
          }
        }
      }
      isOver.store(true, ordering: .releasing)
      watcher.join()
      _ = try store.refresh()
      let count = committed.load(ordering: .relaxed)
      #expect(store.version == version + count, "seed \(seed)")
      let shared = try #require(try store.object("Account", key: .int(0)))
      #expect(try shared.value("money") == .int(count), "seed \(seed)")
      #expect(store.check().isEmpty, "seed \(seed)")
      #expect(try store.log(count).map(\.version).sorted() == Array(version + 1...version + count))
      #expect(Self.syncs(of: store) < syncs + count, "seed \(seed)")
    }
  }

  @Test(arguments: seeds(2))
  func `commits of a group are appended to a stream together, and lose together`(
    seed: UInt64
  ) throws {
    let threads = 6
    try withFolder { folder in
      let store = try DynamicStore(path: "\(folder)/first.hdb")
      let recorder = CommitRecorder()
      try store.session.hub.begin(stream: "accounts@1", named: "accounts")
      #expect(store.session.hub.follow(with: recorder))
      try Self.makeAccounts(store, threads: threads)
      let committed = Atomic(store.version)
      try Self.run(store, threads: threads, seed: seed) { store, thread, random in
        for step in 1...60 {
          if random.below(10) == 0 { recorder.losses.store(random.below(3), ordering: .relaxed) }
          do {
            if try Self.change(store, thread, step, &random) {
              committed.add(1, ordering: .relaxed)
            }
          } catch HeraldError.raceLost {
            continue
          }
        }
      }
      _ = try store.refresh()
      let messages = recorder.messages.withLock { $0 }
      #expect(messages.reduce(0) { $0 + $1.count } == store.version, "seed \(seed)")
      #expect(committed.load(ordering: .relaxed) == store.version, "seed \(seed)")
      #expect(messages.count < store.version, "seed \(seed)")
      let copy = try DynamicStore(path: "\(folder)/second.hdb")
      try copy.session.hub.begin(stream: "accounts@1", named: "accounts")
      for (index, commits) in messages.enumerated() {
        let sequence = UInt64(index + 1)
        var received = ReceivedCommits()
        for commit in commits {
          commit.withUnsafeBytes { received.append($0, sequence: sequence) }
        }
        _ = try copy.session.hub.replay(received)
      }
      _ = try copy.refresh()
      #expect(copy.version == store.version, "seed \(seed)")
      #expect(copy.check() == [], "seed \(seed)")
      #expect(store.check() == [], "seed \(seed)")
      for version in 1...store.version {
        #expect(
          try copy.session.loggedCommit(version) == store.session.loggedCommit(version),
          "seed \(seed)")
      }
    }
  }

  @Test func `writes that wait for another one are committed with it`() throws {
    try withFolder { folder in
      let store = try Self.makeStore("\(folder)/store.hdb", threads: 3)
      // A session joins once a write of its own was short.
      let sessions = try (1...3).map { thread in
        let session = try store.newSession(named: "\(thread)")
        let account = try #require(try session.object("Account", key: .int(thread)))
        repeat {
          try session.write { try account.set("money", .int(1)) }
        } while !session.session.writing.isBrief
        return (Handed(store: session), HandedObject(object: account))
      }
      let syncs = Self.syncs(of: store)
      _ = try store.refresh()
      let version = store.version
      let lock = store.session.hub.writer
      lock.longestOpening.store(60_000_000_000, ordering: .relaxed)
      let own = try #require(try store.object("Account", key: .int(0)))
      var threads: [JoinableThread] = []
      try store.write {
        try own.set("money", .int(2))
        for (session, account) in sessions {
          threads.append(
            JoinableThread {
              try session.store.write { try account.object.set("money", .int(2)) }
              session.store.close()
            })
        }
        while lock.waitingToJoin < 3 { sched_yield() }
      }
      for thread in threads { thread.join() }
      _ = try store.refresh()
      #expect(store.version == version + 4)
      #expect(Self.syncs(of: store) == syncs + 1)
      for id in 0...3 {
        #expect(try store.object("Account", key: .int(id))?.value("money") == .int(2))
      }
    }
  }

}
