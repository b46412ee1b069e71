package import HeraldModel
import HeraldStorage

/// What distinguishes a commit from others that make the same version: it is equal in all copies of a store.
package struct CommitIdentity: Sendable {
  package let version: Int
  /// The digest of the store's content after it.
  package let digest: UInt32
  /// Nil if the log no longer has the commit.
  package let info: CommitInfo?

  package init(version: Int, digest: UInt32, info: CommitInfo?) {
    self.version = version
    self.digest = digest
    self.info = info
  }

  /// Reads that of a commit that was received; nil if it is damaged.
  package init?(ofMessage commit: UnsafeRawBufferPointer) {
    let buffer = MessageCompression.Buffer()
    let identity = withExtendedLifetime(buffer) {
      try? StreamCommit(commit, in: buffer).identity
    }
    guard let identity else { return nil }
    self = identity
  }

  /// A message's commit that only names this one; nil if the log no longer has it.
  package var named: [UInt8]? { StreamCommit.encoded(naming: self) }

  package func isSame(as other: CommitIdentity) -> Bool {
    version == other.version && digest == other.digest
      && (info == nil || other.info == nil || info == other.info)
  }
}
