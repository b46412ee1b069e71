import HeraldMaintenance
import HeraldModel
import HeraldObservation
import HeraldStorage
import Synchronization
import TestSupport
import Testing

@testable import HeraldEngine

/// A store that follows a stream appends its commits to it.
@Suite struct FollowingTests {
  private static let dog = ClassDefinition(
    name: "Dog",
    properties: [
      .init(name: "age", element: .int, isIndexed: true),
      .init(name: "friend", element: .link("Dog")), .init(name: "any", element: .any),
    ])

  /// A stream in memory, of one message for each publication.
  private final class Stream: CommitReplicator {
    let messages = Mutex<[[[UInt8]]]>([])

    func checkConnected() {}
    func catchUp() {}

    func message(
      of commit: LoggedCommit, in transaction: borrowing WriteTransaction
    ) throws(StorageError) -> [UInt8] { commit.encoded() }

    func append(_ commits: [[UInt8]], after position: StreamPosition) throws -> StreamPosition {
      try messages.withLock { messages in
        guard position.sequence == messages.count else { throw HeraldError.raceLost }
        messages.append(commits)
        return StreamPosition(stream: position.stream, sequence: UInt64(messages.count))
      }
    }

    func status(at sequence: UInt64, version: Int) -> ReplicaStatus {
      ReplicaStatus(
        stream: "dogs", isConnected: true, lag: messages.withLock { $0.count } - Int(sequence),
        lagSeconds: 0, lastError: nil, ahead: 0, warnings: [])
    }
  }

  @Test func `a commit is appended after the last one, and is at the position that this has`()
    throws
  {
    try withFolder { folder in
      let stream = Stream()
      let session = try Session(path: "\(folder)/a.hdb", readOnly: false)
      try session.follow("dogs@1", with: stream)
      #expect(session.replicaStatus?.lag == 0)
      try session.write { try session.declare(Self.dog) }
      for age in 1...5 { try session.write { _ = try session.add("Dog", ("age", .int(age))) } }
      #expect(try session.hub.position == StreamPosition(stream: "dogs@1", sequence: 6))
      let messages = stream.messages.withLock { $0 }
      #expect(messages.count == 6 && session.version == 6)
      for version in 1...6 {
        #expect(try messages[version - 1] == [session.loggedCommit(version).encoded()])
      }
      #expect(session.check() == [])
    }
  }

  @Test func `a commit that loses the race runs again, and is given up after some times`() throws {
    try withFolder { folder in
      let stream = Stream()
      let session = try Session(path: "\(folder)/a.hdb", readOnly: false)
      try session.follow("dogs@1", with: stream)
      try session.write { try session.declare(Self.dog) }
      // Another machine has appended what this store has not taken.
      stream.messages.withLock { $0.append([]) }
      var runs = 0
      let text = errorText {
        try session.write {
          runs += 1
          try session.add("Dog", ("age", .int(1)))
        }
      }
      #expect(text == "another machine is writing" && runs == raceLimit)
      #expect(session.version == 1 && !session.isInWrite)
      stream.messages.withLock { _ = $0.removeLast() }
      try session.write { _ = try session.add("Dog", ("age", .int(1))) }
      #expect(session.version == 2)
    }
  }
}
