import HeraldEngine
import HeraldModel
import HeraldStorage

// Whether a store and a stream have the same commits: their versions, digests and entries in the log say so.

extension StoreHub {
  /// The newest commit, with the position in the stream that made it; nil for a store that follows none.
  func newestCommit() throws -> (commit: CommitIdentity, position: StreamPosition?) {
    try stored { () throws(StorageError) in
      let reader = try environment.beginRead()
      let info = reader.logEntry(reader.version).flatMap { try? CommitInfo(ofEntry: $0) }
      let commit = CommitIdentity(
        version: reader.version, digest: reader.digestOfContent, info: info)
      return (commit, StreamPosition(in: reader))
    }
  }

  /// What the log says about a commit; nil if it does not have it.
  func info(ofVersion version: Int) throws -> CommitInfo? {
    try stored { () throws(StorageError) in
      try environment.beginRead().logEntry(version).flatMap { try? CommitInfo(ofEntry: $0) }
    }
  }

  /// Notes where in a stream the store's newest version is; returns false, and does nothing, if it is not `version`.
  func move(to position: StreamPosition, at version: Int) throws -> Bool {
    try following {
      try stored { () throws(StorageError) in
        let write = try environment.beginWrite()
        guard write.nextVersion == version + 1 else { return false }
        write.keepVersion()
        try write.setMetadata(StreamPosition.name, position.encoded)
        _ = try write.commit()
        return true
      }
    }
  }

  /// Writes to the file what is in its journal alone, for whoever reads the file's bytes.
  func settleFile() throws {
    try stored { () throws(StorageError) in try environment.checkpoint() }
  }
}
