/// Commits that were received and are taken into a store together.
struct CommitBatch {
  private var commits: [(bytes: [UInt8], sequence: UInt64)] = []
  private var bytes = 0
  private var assembly = CommitAssembly()

  /// How much is taken in at once.
  private static let limit = 8192
  private static let byteLimit = 8 << 20

  var isEmpty: Bool { commits.isEmpty }
  var isFull: Bool { commits.count >= Self.limit || bytes >= Self.byteLimit }

  /// Takes the next message; returns whether it completes a commit.
  mutating func take(_ message: StreamMessage) -> Bool {
    guard let taken = CommitFrame(message).flatMap({ assembly.take($0) }) else { return false }
    for commit in taken {
      commits.append((commit, message.sequence))
      bytes += commit.count
    }
    return true
  }

  /// Removes and returns the complete commits.
  mutating func removeAll() -> [(bytes: [UInt8], sequence: UInt64)] {
    defer { (commits, bytes) = ([], 0) }
    return commits
  }
}
