import HeraldEngine

/// A message of a stream.
///
///     message := kind:u8 content
///     content := commit                                  kind 1: see StreamCommit
///              | index:u32le bytes                        kind 2: a part of a commit that is too long for one message
///              | index:u32le bytes                        kind 3: its last part
///              | commits                                  kind 4: commits of several sessions, all or none of which count
///              | index:u32le bytes                        kind 5: the last part of such commits
///              | commit                                   kind 6: commits that the stream had lost were put back, up to
///                                                         this one, which changes nothing: a snapshot has them
///     commits := (length:u32le commit)*
///
/// The parts of a commit follow one another; if something else comes between them, they have no effect. The
/// message's identity, in its header, is that of the attempt to commit, with `-` and the index. A frame is valid as
/// long as its message.
struct CommitFrame {
  enum Kind: UInt8 {
    case commit = 1
    case part, lastPart
    case commits, lastPartOfCommits
    case refill
  }

  /// The largest content of a message, in bytes: by default servers take messages of a megabyte.
  static let partSize = 512 << 10

  let kind: Kind
  /// That of the attempt.
  let identity: Substring
  let index: Int
  let content: UnsafeRawBufferPointer

  /// Returns nil if it is no message of ours.
  init?(_ message: StreamMessage) {
    let bytes = message.content
    guard let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
    self.kind = kind
    switch kind {
    case .commit, .commits, .refill:
      // What is in one message needs no identity.
      identity = Substring()
      index = 0
      content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    case .part, .lastPart, .lastPartOfCommits:
      guard bytes.count >= 5 else { return nil }
      identity = message.identity.prefix { $0 != "-" }
      index = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
      content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(5))
    }
  }

  /// Returns the message that puts commits back, up to one; nil if the log no longer has that.
  static func refill(_ commit: CommitIdentity) -> [UInt8]? {
    commit.named.map { [Kind.refill.rawValue] + $0 }
  }

  /// Returns the messages of commits that count together: mostly one.
  static func messages(_ commits: [[UInt8]]) -> [[UInt8]] {
    if commits.count == 1 { return messages(commits[0], .commit, last: .lastPart) }
    return messages(
      Array(commits.map { number($0.count) + $0 }.joined()), .commits, last: .lastPartOfCommits)
  }

  private static func messages(_ content: [UInt8], _ kind: Kind, last: Kind) -> [[UInt8]] {
    if content.count <= partSize { return [[kind.rawValue] + content] }
    var messages: [[UInt8]] = []
    var start = 0
    while start < content.count {
      let end = min(start + partSize, content.count)
      let kind = end == content.count ? last : .part
      messages.append([kind.rawValue] + number(messages.count) + content[start..<end])
      start = end
    }
    return messages
  }

  private static func number(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(number).littleEndian) { [UInt8]($0) }
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

  /// Takes the next message, and calls `body` with each commit that it completes; returns whether there is one.
  mutating func take(_ frame: CommitFrame, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    switch frame.kind {
    case .commit, .commits:
      if !parts.isEmpty { parts = [] }
      return Self.forEachCommit(frame.content, isSingle: frame.kind == .commit, body)
    case .refill:
      parts = []
      return true
    case .part, .lastPart, .lastPartOfCommits:
      if frame.index == 0 {
        (identity, parts) = (frame.identity, [])
      } else if frame.identity != identity || frame.index != parts.count {
        parts = []
        return false
      }
      parts.append([UInt8](frame.content))
      guard frame.kind != .part else { return false }
      defer { parts = [] }
      return Array(parts.joined()).withUnsafeBytes {
        Self.forEachCommit($0, isSingle: frame.kind == .lastPart, body)
      }
    }
  }

  /// Calls `body` with the commits in the content of a message, or of its parts; returns false, before it has called
  /// it, if they cannot be read.
  private static func forEachCommit(
    _ content: UnsafeRawBufferPointer, isSingle: Bool, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    if isSingle {
      body(content)
      return true
    }
    var commits: [UnsafeRawBufferPointer] = []
    var start = 0
    while start < content.count {
      guard start + 4 <= content.count else { return false }
      let length = content.loadUnaligned(fromByteOffset: start, as: UInt32.self)
      let end = start + 4 + Int(UInt32(littleEndian: length))
      guard end <= content.count else { return false }
      commits.append(UnsafeRawBufferPointer(rebasing: content[start + 4..<end]))
      start = end
    }
    for commit in commits { body(commit) }
    return !commits.isEmpty
  }
}
