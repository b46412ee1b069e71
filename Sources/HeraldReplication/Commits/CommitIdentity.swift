import HeraldEngine
import HeraldModel
import HeraldStorage

/// What distinguishes a commit from others that make the same version: it is equal in all copies of a store.
struct CommitIdentity: Sendable {
  let version: Int
  /// The digest of the store's content after it.
  let digest: UInt32
  /// Nil if the log no longer has the commit.
  let info: CommitInfo?

  init(version: Int, digest: UInt32, info: CommitInfo?) {
    self.version = version
    self.digest = digest
    self.info = info
  }

  /// Reads that of a commit that was received; nil if it is damaged.
  init?(ofMessage commit: UnsafeRawBufferPointer) {
    let buffer = MessageCompression.Buffer()
    let identity = withExtendedLifetime(buffer) {
      try? StreamCommit(commit, in: buffer).identity
    }
    guard let identity else { return nil }
    self = identity
  }

  /// A message's commit that only names this one; nil if the log no longer has it.
  var named: [UInt8]? { StreamCommit.encoded(naming: self) }

  func isSame(as other: CommitIdentity) -> Bool {
    version == other.version && digest == other.digest
      && (info == nil || other.info == nil || info == other.info)
  }
}
