import Dispatch
import Glibc
import HeraldMaintenance
import HeraldModel
import HeraldObservation
import HeraldStorage
import Synchronization
import TestSupport
import Testing

@testable import HeraldEngine

/// A group of commits is closed once, and everybody in it waits for the same end.
@Suite struct CommitGroupTests {
  private static let counter = ClassDefinition(
    name: "Counter", properties: [.init(name: "count", element: .int)])

  private final class Outcomes: Sendable {
    let errors = Mutex<[String]>([])
  }

  private func commit(_ version: Int) -> PreparedCommit {
    PreparedCommit(
      record: CommitRecord(version: version), time: Timestamp(seconds: version),
      writer: CommitWriter(session: "s\(version)", process: 1), message: nil, reversal: nil)
  }

  /// A group of one commit, that of an open write, which is rolled back in the end.
  private func withGroup(_ body: (CommitGroup, Session) throws -> Void) throws {
    try withFolder { folder in
      let session = try Session.made(Self.counter, at: "\(folder)/store.hdb")
      _ = try session.write { try session.add("Counter", ("count", .int(1))) }
      try session.beginWrite(byHand: true)
      try session.set(try session.objects("Counter")[0], ("count", .int(2)))
      let shared = try #require(try session.open.transaction.share())
      try body(CommitGroup(shared, commit(session.version + 1), session.hub), session)
      try session.rollback()
      #expect(session.check() == [])
    }
  }

  @Test func `the commits are in the order in which they were added`() throws {
    try withGroup { group, session in
      #expect(group.base == session.version)
      for version in 2...4 { group.add(commit(session.version + version)) }
      #expect(group.count == 4)
      #expect(
        group.commits.map(\.record.lastVersion) == (1...4).map { session.version + $0 })
      #expect(group.commits[3].info.session == "s\(session.version + 4)")
    }
  }

  @Test func `it has an ending once it is closed`() throws {
    try withGroup { group, _ in
      #expect(group.awaitClosing(until: .now()) == nil)
      group.close(.memberContinues)
      #expect(group.awaitClosing(until: .distantFuture) == .memberContinues)
    }
  }

  @Test(arguments: [nil, HeraldError.interrupted])
  func `everybody has the error of the commit, whoever waits before its end or after it`(
    _ failure: HeraldError?
  ) throws {
    try withGroup { group, _ in
      let outcomes = Outcomes()
      let threads = (0..<3).map { _ in
        JoinableThread {
          let text = errorText { try group.awaitEnd() }
          outcomes.errors.withLock { $0.append(text) }
        }
      }
      group.end(failure)
      for thread in threads { thread.join() }
      let text = failure?.message ?? "no error"
      #expect(errorText { try group.awaitEnd() } == text)
      #expect(outcomes.errors.withLock { $0 } == [text, text, text])
    }
  }

  @Test func `who waits for the lock finds the open group, and may have it committed`() throws {
    try withGroup { group, _ in
      let lock = SessionWriterLock()
      lock.longestOpening.store(60_000_000_000, ordering: .relaxed)
      #expect(lock.take(waiting: false))
      let outcomes = Outcomes()
      let other = JoinableThread {
        let joined = lock.takeToJoin()
        let text = errorText { try lock.end(group, .othersHoldLock) }
        outcomes.errors.withLock { $0 += [joined === group ? "joined" : "not joined", text] }
        lock.leave()
      }
      while lock.waitingToJoin == 0 { sched_yield() }
      #expect(lock.expectsOthers)
      #expect(lock.lead(group) == .othersHoldLock)
      group.end()
      other.join()
      #expect(outcomes.errors.withLock { $0 } == ["joined", "no error"])
      #expect(lock.isFree)
      #expect(lock.takeToJoin() == nil)
      lock.leave()
    }
  }

  @Test func `a group is complete when nobody else is expected`() throws {
    try withGroup { group, _ in
      let lock = SessionWriterLock()
      lock.longestOpening.store(60_000_000_000, ordering: .relaxed)
      #expect(!lock.expectsOthers)
      #expect(lock.take(waiting: false))
      let leader = JoinableThread {
        let ending = lock.lead(group)
        precondition(ending == .leaderHoldsLock)
        group.end()
        lock.leave()
      }
      leader.join()
      // The leader has waited in vain, and expects as many as there were.
      #expect(lock.isFree)
      #expect(!lock.expectsOthers)
    }
  }
}
