package import HeraldModel
import HeraldStorage

/// Who holds a version of the store.
package struct VersionHolder: Hashable, Sendable {
  package let process: Int
  /// Nil where it is not known.
  package let session: String?
  package let isFrozen: Bool
  package let version: Int
  /// Nil where it is not known.
  package let since: Timestamp?
  package let bytes: Int
}

extension Session {
  /// Everybody who holds a version of the store at this moment, in this process and others, oldest first.
  ///
  /// Cost: the table of readers, and the list of free pages.
  package func readers() throws -> [VersionHolder] {
    try checkOpen()
    let holders = try stored { () throws(StorageError) in
      try hub.environment.snapshotHolders()
    }
    return holders.map { held in
      VersionHolder(
        process: held.process, session: held.label.flatMap { $0.name.isEmpty ? nil : $0.name },
        isFrozen: held.label?.isFrozen ?? false, version: held.version,
        since: held.since.map { milliseconds in
          Timestamp(
            seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000 * 1_000_000))
        }, bytes: held.bytes)
    }
  }

  /// Says who holds the version that the session is at.
  func labelVersion() {
    guard !isResting else { return }
    held.transaction.label(ReaderLabel(name, isFrozen: isFrozen || pinned != nil))
  }
}
