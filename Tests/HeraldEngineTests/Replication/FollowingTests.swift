import HeraldModel
import HeraldObservation
import Synchronization
import TestSupport
import Testing

@testable import HeraldEngine

/// A store that follows a stream appends its commits to it, and takes those of others from it.
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

    var received: ReceivedCommits {
      var received = ReceivedCommits()
      for (index, commits) in messages.withLock({ $0 }).enumerated() {
        for commit in commits {
          commit.withUnsafeBytes { received.append($0, sequence: UInt64(index + 1)) }
        }
      }
      return received
    }
  }

  private func follow(_ path: String, _ stream: Stream) throws -> Session {
    let session = try Session(path: path, readOnly: false)
    try session.hub.begin(stream: "dogs@1", named: "dogs")
    #expect(session.hub.follow(with: stream))
    return session
  }

  private func change(_ session: Session, _ random: inout SplitMix64) throws {
    let dogs = try session.objects("Dog")
    guard let dog = dogs.randomElement(using: &random), random.chance(70) else {
      try session.add("Dog", ("age", .int(random.below(9))))
      return
    }
    switch random.below(4) {
    case 0: try session.delete(dog)
    case 1: try session.set(dog, ("age", .int(random.below(9))))
    case 2: try session.set(dog, ("friend", .link(random.pick(dogs))))
    default: try session.set(dog, ("any", .list([.int(random.below(5)), .link(dog)])))
    }
  }

  @Test(arguments: seeds(2))
  func `a copy has the versions, the contents and the log of the first store`(_ seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    try withFolder { folder in
      let stream = Stream()
      let session = try follow("\(folder)/a.hdb", stream)
      try session.write { try session.declare(Self.dog) }
      for _ in 0..<12 {
        try session.write { for _ in 0..<1 + random.below(5) { try change(session, &random) } }
      }
      #expect(session.replicaStatus?.lag == 0)
      let copy = try Session(path: "\(folder)/b.hdb", readOnly: false)
      try copy.hub.begin(stream: "dogs@1", named: "dogs")
      let position = try copy.hub.replay(stream.received)
      #expect(position == StreamPosition(stream: "dogs@1", sequence: 13), "seed \(seed)")
      // What it has already is skipped.
      #expect(try copy.hub.replay(stream.received) == position, "seed \(seed)")
      _ = try copy.refresh()
      #expect(copy.version == session.version && copy.version == 13, "seed \(seed)")
      for version in 1...13 {
        #expect(
          try copy.loggedCommit(version) == session.loggedCommit(version),
          "seed \(seed), \(version)")
      }
      let (first, second) = (try session.hub.newestCommit(), try copy.hub.newestCommit())
      #expect(first.commit.isSame(as: second.commit) && second.position == position, "seed \(seed)")
      #expect(copy.check() == [], "seed \(seed)")
      #expect(try copy.objects("Dog") == session.objects("Dog"), "seed \(seed)")
    }
  }

  @Test func `a file that follows another stream, or has commits of its own, is refused`() throws {
    try withFolder { folder in
      let message = "cannot follow stream 'cats': it follows another, or has commits of its own"
      let own = try Session.made(Self.dog, at: "\(folder)/a.hdb")
      #expect(
        errorText { try own.hub.begin(stream: "cats@1", named: "cats") }
          == "'\(folder)/a.hdb' \(message)")
      let stream = Stream()
      let session = try follow("\(folder)/b.hdb", stream)
      #expect(!session.hub.follow(with: Stream()))
      // A stream that is just being made may be replaced.
      try session.hub.begin(stream: "dogs@2", named: "dogs")
      try session.hub.begin(stream: "dogs@1", named: "dogs")
      try session.write { try session.declare(Self.dog) }
      #expect(errorText { try session.hub.begin(stream: "dogs@1", named: "dogs") } == "no error")
      #expect(
        errorText { try session.hub.begin(stream: "cats@1", named: "cats") }
          == "'\(folder)/b.hdb' \(message)")
      session.close()
      let found = try #require(try StoreHub.position(ofFileAt: "\(folder)/b.hdb"))
      #expect(found.version == 1 && found.position == StreamPosition(stream: "dogs@1", sequence: 1))
      #expect(found.position.streamName == "dogs")
    }
  }

  @Test func `a commit that loses the race runs again, and is given up after some times`() throws {
    try withFolder { folder in
      let stream = Stream()
      let session = try follow("\(folder)/a.hdb", stream)
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

  @Test func `a damaged message changes nothing`() throws {
    try withFolder { folder in
      let session = try Session(path: "\(folder)/a.hdb", readOnly: false)
      try session.hub.begin(stream: "dogs@1", named: "dogs")
      var received = ReceivedCommits()
      [UInt8(9), 9, 9].withUnsafeBytes { received.append($0, sequence: 1) }
      #expect(received.last == nil && received.lastSequence == 1 && received.count == 1)
      #expect(
        errorText { _ = try session.hub.replay(received) }
          == "'\(folder)/a.hdb' is damaged: message 1 of its stream cannot be read, or belongs to "
          + "another version")
      #expect(try session.hub.position == StreamPosition(stream: "dogs@1", sequence: 0))
      #expect(try session.newestVersion == 0)
    }
  }
}
