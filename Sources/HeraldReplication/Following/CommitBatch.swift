import HeraldEngine

/// Commits that were received and are taken into a store together.
struct CommitBatch {
  private(set) var commits = ReceivedCommits()
  private var assembly = CommitAssembly()
  /// What the last message puts back; nil if it is another one.
  private(set) var refill: CommitIdentity?

  /// How much is taken in at once.
  private static let limit = 8192
  private static let byteLimit = 8 << 20

  var isEmpty: Bool { commits.isEmpty }
  var isFull: Bool { commits.count >= Self.limit || commits.byteCount >= Self.byteLimit }

  /// Takes the next message; returns whether it completes a commit.
  mutating func take(_ message: StreamMessage) -> Bool {
    refill = nil
    guard let frame = CommitFrame(message) else { return false }
    if frame.kind == .refill { refill = CommitIdentity(ofMessage: frame.content) }
    return assembly.take(frame) { commits.append($0, sequence: message.sequence) }
  }

  /// Removes the complete commits.
  mutating func removeAll() { commits.removeAll() }
}
