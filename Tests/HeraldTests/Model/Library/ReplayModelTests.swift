import HeraldEngine
import HeraldMaintenance
import Synchronization
import TestSupport
import Testing

@testable import Herald
@testable import HeraldReplication
@testable import TestModel

/// The commits of random runs, replayed on another copy of the store: each copy checks by its digest that it has the
/// same records after every commit.
///
///     HERALD_SEED=18 scripts/test --filter ReplayModelTests
struct ReplayModelTests {
  @Test(arguments: seeds(60))
  func `a copy that replays every commit has the same objects, versions and log`(
    seed: UInt64
  ) throws {
    let kinds: [ModelFocus] = [.everything, .schemas, .nested, .collections, .objects]
    let focus = kinds[Int(seed % UInt64(kinds.count))]
    try withFolder { folder in
      let store = try DynamicStore(path: folder + "/first.hdb")
      let recorder = CommitRecorder()
      try store.session.hub.begin(stream: "run@1", named: "run")
      #expect(store.session.hub.follow(with: recorder))
      let run = try ModelRun(seed: seed, level: LibraryLevel(store), focus: focus)
      if let failure = run.failure(ofTransactions: 30) { Issue.record(failure) }
      let reader = try store.newSession()
      for session in run.sessions { session.leave() }
      store.close()
      let copy = try DynamicStore(path: folder + "/second.hdb")
      try replay(recorder.messages.withLock { $0.flatMap(\.self) }, seed, on: copy)
      try compare(copy, with: reader, seed)
      reader.close()
      copy.close()
    }
  }

  /// Replays commits in messages of one to three and in batches of random size, some of them twice.
  private func replay(_ commits: [[UInt8]], _ seed: UInt64, on copy: DynamicStore) throws {
    var random = SplitMix64(seed: seed)
    let hub = copy.session.hub
    try hub.begin(stream: "run@1", named: "run")
    var messages: [[[UInt8]]] = []
    var rest = commits[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...3, using: &random)
      messages.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    let largest = [5, 5, 50].randomElement(using: &random) ?? 5
    var done = 0
    while done < messages.count {
      let end = min(messages.count, done + Int.random(in: 1...largest, using: &random))
      let start = max(0, done - Int.random(in: 0...1, using: &random))
      var received = ReceivedCommits()
      for index in start..<end {
        for commit in messages[index] {
          commit.withUnsafeBytes { received.append($0, sequence: UInt64(index + 1)) }
        }
      }
      #expect(try hub.replay(received).sequence == UInt64(end))
      done = end
    }
    _ = try copy.refresh()
  }

  private func compare(_ copy: DynamicStore, with store: DynamicStore, _ seed: UInt64) throws {
    #expect(copy.version == store.version, "HERALD_SEED=\(seed)")
    #expect(copy.schema == store.schema, "HERALD_SEED=\(seed)")
    #expect(copy.session.check() == [], "HERALD_SEED=\(seed)")
    for version in 1..<copy.version + 1 {
      #expect(
        try copy.session.loggedCommit(version) == store.session.loggedCommit(version),
        "HERALD_SEED=\(seed)")
    }
  }

  @Test func `a block runs again when another machine was faster, and at most five times`() throws {
    try withFolder { folder in
      let store = try DynamicStore(path: folder + "/pets.hdb")
      let recorder = CommitRecorder()
      try store.session.hub.begin(stream: "pets@1", named: "pets")
      #expect(store.session.hub.follow(with: recorder))
      var runs = 0
      recorder.losses.store(4, ordering: .relaxed)
      try store.write { runs += 1 }
      #expect(runs == 5)
      #expect(store.version == 1)
      runs = 0
      recorder.losses.store(5, ordering: .relaxed)
      #expect(throws: HeraldError.raceLost) { try store.write { runs += 1 } }
      #expect(runs == 5)
      #expect(store.version == 1)
    }
  }

  @Test func `a transaction by hand has the error at once`() throws {
    try withFolder { folder in
      let store = try DynamicStore(path: folder + "/pets.hdb")
      let recorder = CommitRecorder()
      try store.session.hub.begin(stream: "pets@1", named: "pets")
      #expect(store.session.hub.follow(with: recorder))
      recorder.losses.store(1, ordering: .relaxed)
      try store.beginWrite()
      #expect(throws: HeraldError.raceLost) { try store.commitWrite() }
      #expect(!store.isInWrite)
      try store.beginWrite()
      try store.commitWrite()
      #expect(store.version == 1)
    }
  }

  @Test func `a replica is not written without its stream`() throws {
    try withFolder { folder in
      let path = folder + "/pets.hdb"
      let store = try DynamicStore(path: path)
      try store.session.hub.begin(stream: "pets@1", named: "pets")
      #expect(throws: HeraldError.isReplica(path: path, stream: "pets")) {
        try store.write {}
      }
      #expect(store.version == 0)
    }
  }

  @Test func `a store with commits of its own cannot follow a stream`() throws {
    try withFolder { folder in
      let store = try DynamicStore(path: folder + "/pets.hdb")
      try store.write {}
      #expect(throws: HeraldError.self) {
        try store.session.hub.begin(stream: "pets@1", named: "pets")
      }
    }
  }
}

/// A stream that this process has alone.
final class CommitRecorder: CommitReplicator {
  /// The commits of each publication.
  let messages = Mutex<[[[UInt8]]]>([])
  /// How many commits lose the race.
  let losses = Atomic(0)

  func checkConnected() throws {}

  func append(_ commits: [[UInt8]], after position: StreamPosition) throws -> StreamPosition {
    if losses.load(ordering: .relaxed) > 0 {
      losses.subtract(1, ordering: .relaxed)
      throw HeraldError.raceLost
    }
    let sequence = messages.withLock { messages in
      messages.append(commits)
      return UInt64(messages.count)
    }
    #expect(sequence == position.sequence + 1)
    return StreamPosition(stream: position.stream, sequence: sequence)
  }

  func catchUp() throws {}

  func status(at sequence: UInt64, version: Int) -> ReplicaStatus {
    ReplicaStatus(
      stream: "run", isConnected: true, lag: 0, lagSeconds: 0, lastError: nil, ahead: 0,
      warnings: [])
  }
}
