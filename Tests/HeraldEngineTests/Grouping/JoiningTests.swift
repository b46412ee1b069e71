import Glibc
import HeraldMaintenance
import HeraldModel
import HeraldObservation
import HeraldStorage
import Synchronization
import TestSupport
import Testing

@testable import HeraldEngine

/// Writes of several sessions, each on its thread, that wait for one another and are committed with one sync.
@Suite struct JoiningTests {
  private static let counter = ClassDefinition(
    name: "Counter",
    properties: [
      .init(name: "count", element: .int, defaultValue: .value(.int(0))),
      .init(name: "text", element: .string, isOptional: true),
    ])

  /// A session on its way to the thread that uses it.
  private struct Handed: @unchecked Sendable { let session: Session }

  /// A store in a file with a counter, and a second session.
  private func withStore(
    _ body: (_ session: Session, _ counter: ObjectID, _ other: Session) throws -> Void
  ) throws {
    try withFolder { folder in
      let session = try Session.made(Self.counter, at: "\(folder)/store.hdb")
      let counter = try session.write { try session.add("Counter") }
      try body(session, counter, try session.sibling())
    }
  }

  // MARK: Who may join

  @Test func `a brief write of one of several sessions may join`() throws {
    try withStore { session, counter, other in
      other.writing.isBrief = true
      #expect(other.mayJoin(byHand: false))
      #expect(!other.mayJoin(byHand: true))
      other.writing.isBrief = false
      #expect(!other.mayJoin(byHand: false))
      other.writing.isBrief = true
      let token = try other.observe(.store, BlockReceiver { _ in })
      #expect(!other.mayJoin(byHand: false))
      other.dropped.note(token)
      _ = try other.endTurn()
      #expect(other.mayJoin(byHand: false))
      // Something frozen reads the session's version, which is not the newest.
      try session.write { try session.set(counter, ("count", .int(1))) }
      let frozen = try other.freeze()
      #expect(!other.mayJoin(byHand: false))
      withExtendedLifetime(frozen) {}
    }
  }

  @Test func `nobody joins in a block, in a store in memory, or alone`() throws {
    try withStore { session, _, other in
      var mayJoin: [Bool] = []
      try other.queueWrite(silencing: []) { mayJoin.append(other.mayJoin(byHand: false)) }
      other.writing.isBrief = true
      _ = try other.endTurn()
      #expect(mayJoin == [false])
      withExtendedLifetime(session) {}
    }
    try withFolder { folder in
      let alone = try Session.made(Self.counter, at: "\(folder)/store.hdb")
      alone.writing.isBrief = true
      #expect(!alone.mayJoin(byHand: false))
    }
    let inMemory = try Session.made(Self.counter)
    let sibling = try inMemory.sibling()
    sibling.writing.isBrief = true
    #expect(!sibling.mayJoin(byHand: false))
  }

  // MARK: Writes together

  /// The messages of the members' errors.
  private final class Outcome: Sendable {
    let messages = Mutex<[Int: String]>([:])
  }

  /// Runs a write in `session`, during which the writes of other sessions begin to wait, each on its thread; returns the
  /// messages of the errors: of the first one, and of the others.
  private func together(
    _ session: Session, members: Int, leading: () throws -> Void,
    joining: @escaping @Sendable (Session, Int) throws -> Void
  ) throws -> [String] {
    let lock = session.hub.writer
    lock.longestOpening.store(60_000_000_000, ordering: .relaxed)
    let outcome = Outcome()
    let sessions = try (0..<members).map { _ in Handed(session: try session.sibling()) }
    for handed in sessions { handed.session.writing.isBrief = true }
    var threads: [JoinableThread] = []
    let text = errorText {
      try session.write {
        try leading()
        for (index, handed) in sessions.enumerated() {
          threads.append(
            JoinableThread {
              let session = handed.session
              let text = errorText { try session.write { try joining(session, index + 1) } }
              outcome.messages.withLock { $0[index + 1] = text }
            })
        }
        while lock.waitingToJoin < members { sched_yield() }
      }
    }
    for thread in threads { thread.join() }
    _ = try session.refresh()
    let messages = outcome.messages.withLock { $0 }
    return [text] + (1...members).map { messages[$0] ?? "" }
  }

  /// Adds one to a counter, which each member reads after those before it.
  private static func count(_ session: Session, _ counter: ObjectID) throws {
    guard case .int(let count) = try session.read("count", of: counter) else { return }
    try session.set(counter, ("count", .int(count + 1)))
  }

  private func syncs(_ session: Session) -> Int { session.hub.environment.journaledCommits }

  @Test func `each member's version is made on top of the one before it, with one sync`() throws {
    try withStore { session, counter, _ in
      let (version, before) = (session.version, syncs(session))
      let messages = try together(session, members: 4) {
        try Self.count(session, counter)
      } joining: { session, _ in
        try Self.count(session, counter)
      }
      #expect(messages == Array(repeating: "no error", count: 5))
      #expect(session.version == version + 5)
      #expect(syncs(session) == before + 1)
      for step in 0..<5 {
        let record = try session.loggedCommit(version + 1 + step).record
        #expect(record.text(session.schema) == "Counter#1.count was \(step)")
      }
      #expect(try session.read("count", of: counter) == .int(5))
      #expect(session.check() == [])
    }
  }

  @Test func `a member whose block throws leaves no version, and the others are committed`() throws
  {
    try withStore { session, counter, _ in
      let version = session.version
      let messages = try together(session, members: 3) {
        try Self.count(session, counter)
      } joining: { session, index in
        try Self.count(session, counter)
        try session.add("Counter")
        if index == 2 { throw HeraldError.interrupted }
      }
      #expect(messages == ["no error", "no error", "interrupted", "no error"])
      #expect(session.version == version + 3)
      #expect(try session.read("count", of: counter) == .int(3))
      #expect(try session.objects("Counter").count == 3)
      #expect(session.check() == [])
    }
  }

  @Test func `what a member freezes is committed, and has nothing of its write`() throws {
    try withStore { session, counter, _ in
      let version = session.version
      let messages = try together(session, members: 3) {
        try Self.count(session, counter)
      } joining: { session, index in
        try Self.count(session, counter)
        guard index > 1 else { return }
        let frozen = try index == 2 ? session.freeze() : session.freeze(at: session.version)
        #expect(frozen.version == session.version)
        #expect(try session.newestVersion == frozen.version)
        #expect(try frozen.read("count", of: counter) == .int(frozen.version - version))
      }
      #expect(messages == Array(repeating: "no error", count: 4))
      #expect(session.version == version + 4)
      #expect(try session.read("count", of: counter) == .int(4))
      #expect(session.check() == [])
    }
  }

  @Test func `a member that writes more than fits continues alone, after the others`() throws {
    try withStore { session, counter, _ in
      let version = session.version
      let large = String(repeating: "x", count: 100_000)
      let messages = try together(session, members: 3) {
        try Self.count(session, counter)
      } joining: { session, index in
        if index == 2 { try session.set(counter, ("text", .string(large))) }
        try Self.count(session, counter)
      }
      #expect(messages == Array(repeating: "no error", count: 4))
      #expect(session.version == version + 4)
      #expect(try session.read("count", of: counter) == .int(4))
      #expect(try session.read("text", of: counter) == .string(large))
      #expect(session.check() == [])
    }
  }

  @Test
  func `if the commit of a group fails, no member's version is there, and each has the error`()
    throws
  {
    try withFolder { folder in
      let session = try Session(path: "\(folder)/store.hdb", readOnly: false)
      let stream = RefusingStream()
      try session.follow("counters@1", with: stream)
      let counter = try session.write {
        try session.declare(Self.counter)
        return try session.add("Counter")
      }
      let version = session.version
      stream.refuses.store(true, ordering: .relaxed)
      let messages = try together(session, members: 3) {
        try Self.count(session, counter)
      } joining: { session, _ in
        try Self.count(session, counter)
        // Fails where the version is that of the group; the member after that has a write of its own.
        let frozen = try session.freeze(at: session.version)
        #expect(frozen.version == version)
        #expect(try frozen.read("count", of: counter) == .int(0))
      }
      let refused =
        "not connected to stream 'counters': refused; reading goes on, writing is refused"
      #expect(messages == Array(repeating: refused, count: 4))
      #expect(session.version == version)
      #expect(try session.read("count", of: counter) == .int(0))
      // The next write finds the store as it was.
      stream.refuses.store(false, ordering: .relaxed)
      #expect(try session.changes { try Self.count(session, counter) } == "Counter#1.count was 0")
      #expect(session.version == version + 1)
      #expect(session.check() == [])
    }
  }
}

/// A stream that takes commits, or refuses them.
private final class RefusingStream: CommitReplicator {
  let refuses = Atomic(false)
  private let count = Atomic<UInt64>(0)

  func checkConnected() {}
  func catchUp() {}

  func message(
    of commit: LoggedCommit, in transaction: borrowing WriteTransaction
  ) throws(StorageError) -> [UInt8] { commit.encoded() }

  func append(_ commits: [[UInt8]], after position: StreamPosition) throws -> StreamPosition {
    if refuses.load(ordering: .relaxed) {
      throw HeraldError.notConnected(stream: position.streamName, reason: "refused")
    }
    let sequence = count.add(UInt64(commits.count), ordering: .relaxed).newValue
    return StreamPosition(stream: position.stream, sequence: sequence)
  }

  func status(at sequence: UInt64, version: Int) -> ReplicaStatus {
    ReplicaStatus(
      stream: "counters", isConnected: true, lag: 0, lagSeconds: 0, lastError: nil, ahead: 0,
      warnings: [])
  }
}
