/// Commits as a stream has them, one after the other in memory, with the numbers of their messages.
struct ReceivedCommits {
  private var bytes: [UInt8] = []
  private var ends: [(end: Int, sequence: UInt64)] = []

  init() {}

  var count: Int { ends.count }
  var byteCount: Int { bytes.count }
  var isEmpty: Bool { ends.isEmpty }
  /// The number of the last message; nil without one.
  var lastSequence: UInt64? { ends.last?.sequence }

  /// The last commit; nil without one, and if it is damaged.
  var last: CommitIdentity? {
    guard let last = ends.last else { return nil }
    let start = ends.dropLast().last?.end ?? 0
    return bytes.withUnsafeBytes {
      CommitIdentity(ofMessage: UnsafeRawBufferPointer(rebasing: $0[start..<last.end]))
    }
  }

  mutating func append(_ commit: UnsafeRawBufferPointer, sequence: UInt64) {
    bytes.append(contentsOf: commit)
    ends.append((bytes.count, sequence))
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with each commit of a message after one.
  func forEach(
    after sequence: UInt64, _ body: (UnsafeRawBufferPointer, UInt64) throws -> Void
  ) rethrows {
    try bytes.withUnsafeBytes { bytes in
      var start = 0
      for (end, number) in ends {
        if number > sequence {
          try body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), number)
        }
        start = end
      }
    }
  }
}
