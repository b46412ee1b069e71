/// A message of a stream.
///
///     message := kind:u8 content
///     content := commit                                  kind 1: see StreamCommit
///              | index:u32le bytes                        kind 2: a part of a commit that is too long for one message
///              | index:u32le bytes                        kind 3: its last part
///
/// The parts of a commit follow one another; if something else comes between them, they have no effect. The
/// message's identity, in its header, is that of the attempt to commit, with `-` and the index.
struct CommitFrame {
  enum Kind: UInt8 {
    case commit = 1
    case part, lastPart
  }

  /// The largest content of a message, in bytes: by default servers take messages of a megabyte.
  static let partSize = 512 << 10

  let kind: Kind
  /// That of the attempt.
  let identity: Substring
  let index: Int
  let content: [UInt8]

  /// Returns nil if it is no message of ours.
  init?(_ message: StreamMessage) {
    let bytes = message.content
    guard let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
    self.kind = kind
    switch kind {
    case .commit:
      // A commit in one message needs no identity.
      identity = Substring()
      index = 0
      content = Array(bytes.dropFirst())
    case .part, .lastPart:
      guard bytes.count >= 5 else { return nil }
      identity = message.identity.prefix { $0 != "-" }
      index = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
      content = Array(bytes.dropFirst(5))
    }
  }

  /// Returns the messages of a commit.
  static func messages(_ commit: [UInt8]) -> [[UInt8]] {
    if commit.count <= partSize { return [[Kind.commit.rawValue] + commit] }
    var messages: [[UInt8]] = []
    var start = 0
    while start < commit.count {
      let end = min(start + partSize, commit.count)
      let kind = end == commit.count ? Kind.lastPart : .part
      let index = withUnsafeBytes(of: UInt32(messages.count).littleEndian) { [UInt8]($0) }
      messages.append([kind.rawValue] + index + commit[start..<end])
      start = end
    }
    return messages
  }

  /// Returns a new identity, without `-`.
  static func newIdentity() -> String {
    var random = SystemRandomNumberGenerator()
    return String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36)
  }
}

/// Puts the parts of long commits together.
struct CommitAssembly {
  private var identity = Substring()
  private var parts: [[UInt8]] = []

  /// Takes the next message; returns the commit that it completes.
  mutating func take(_ frame: CommitFrame) -> [UInt8]? {
    switch frame.kind {
    case .commit:
      parts = []
      return frame.content
    case .part, .lastPart:
      if frame.index == 0 {
        (identity, parts) = (frame.identity, [])
      } else if frame.identity != identity || frame.index != parts.count {
        parts = []
        return nil
      }
      parts.append(frame.content)
      guard frame.kind == .lastPart else { return nil }
      defer { parts = [] }
      return Array(parts.joined())
    }
  }
}
