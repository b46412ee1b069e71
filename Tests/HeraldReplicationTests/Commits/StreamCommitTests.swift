import HeraldModel
import HeraldObservation
import TestSupport
import Testing

@testable import HeraldEngine
@testable import HeraldReplication

/// A commit reads back from the message that is sent to other copies, and a damaged message is an error.
@Suite struct StreamCommitTests {
  private func compressed(_ message: [UInt8]) throws -> [UInt8]? {
    guard let short = MessageCompression.compressed(message) else { return nil }
    #expect(short.count < message.count)
    return try restored(short)
  }

  private func restored(_ bytes: [UInt8]) throws -> [UInt8] {
    let buffer = MessageCompression.Buffer()
    return try bytes.withUnsafeBytes { bytes in
      Array(try MessageCompression.message(of: bytes, in: buffer))
    }
  }

  @Test(arguments: seeds(10))
  func `a message that repeats itself becomes shorter, and reads back`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      var message: [UInt8] = []
      while message.count < random.below(3_000) {
        if !message.isEmpty, random.chance(50) {
          let start = random.below(message.count)
          message += message[start..<min(message.count, start + random.below(400))]
        } else {
          message += (0..<random.below(20)).map { _ in UInt8(random.below(5)) }
        }
      }
      if let read = try compressed(message) { #expect(read == message, "seed \(seed)") }
    }
    #expect(
      try compressed([UInt8](repeating: 7, count: 60_000)) == [UInt8](repeating: 7, count: 60_000))
  }

  @Test func `what cannot become shorter, or is long, is not compressed`() {
    var random = SplitMix64(seed: 1)
    #expect(MessageCompression.compressed([]) == nil)
    let noise = (0..<400).map { _ in UInt8(random.below(256)) }
    #expect(MessageCompression.compressed(noise) == nil)
    #expect(MessageCompression.compressed([UInt8](repeating: 7, count: 64 << 10 + 1)) == nil)
  }

  @Test(arguments: seeds(5))
  func `a damaged message is an error or another message, never a crash`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let short = try #require(MessageCompression.compressed([UInt8](repeating: 7, count: 500)))
    for _ in 0..<300 {
      var damaged = short + (0..<random.below(6)).map { _ in UInt8(random.below(256)) }
      damaged[random.below(damaged.count)] = UInt8(random.below(256))
      _ = try? restored(damaged)
    }
    for bytes in [[0x7F, 1], [0x80], [0xFF, 0xFF], [0x8F, 0], [0xFF, 255, 1]] as [[UInt8]] {
      #expect(throws: DamagedBytes.self) { try restored(bytes) }
    }
  }

  private func commit(_ old: Value) -> LoggedCommit {
    var change = ClassChange()
    for number in 1...20 { change[PropertyID(1)].values[number] = old }
    return LoggedCommit(
      info: CommitInfo(time: Timestamp(seconds: 5), message: "m", session: "s", process: 3),
      record: CommitRecord(version: 7, classes: [ClassID(1): change]))
  }

  @Test(arguments: [Value.null, .string(String(repeating: "long ", count: 20))])
  func
    `a commit has its version, its changes and its entry, with previous values if they are short`(
      _ old: Value
    ) throws
  {
    let commit = commit(old)
    let message = StreamCommit.encoded(commit, changes: [1, 2, 3, 4, 0])
    let buffer = MessageCompression.Buffer()
    try message.withUnsafeBytes { bytes in
      let read = try StreamCommit(bytes, in: buffer)
      #expect(read.version == 7 && !read.schemaChanged)
      #expect(Array(read.changes) == [1, 2, 3, 4, 0])
      #expect(read.needsPreviousValues == !old.isNull)
      #expect(try read.identity.digest == 0x0403_0201)
      #expect(try read.identity.info == commit.info)
      guard old.isNull else { return }
      #expect(
        try read.entry { throw HeraldError.closed } == commit.encoded())
    }
    for length in 0..<min(message.count, 40) {
      message[..<length].withUnsafeBytes { bytes in
        #expect(CommitIdentity(ofMessage: bytes) == nil)
      }
    }
  }

  @Test func `commits are the same if their versions, contents and entries are`() throws {
    let info = commit(.null).info
    let identity = CommitIdentity(version: 7, digest: 9, info: info)
    let named = try #require(identity.named)
    let read = try #require(named.withUnsafeBytes { CommitIdentity(ofMessage: $0) })
    #expect(read.isSame(as: identity) && read.info == info)
    #expect(CommitIdentity(version: 7, digest: 9, info: nil).isSame(as: identity))
    #expect(CommitIdentity(version: 7, digest: 9, info: nil).named == nil)
    #expect(!CommitIdentity(version: 8, digest: 9, info: info).isSame(as: identity))
    #expect(!CommitIdentity(version: 7, digest: 8, info: info).isSame(as: identity))
    var other = info
    other.process = 4
    #expect(!CommitIdentity(version: 7, digest: 9, info: other).isSame(as: identity))
  }
}
