package import HeraldModel
import HeraldQuery
import HeraldStorage

extension Session {
  /// Copies the newest version of the store into a new file; returns the version. Errors: those of
  /// writing a file, and `interrupted`.
  package func backup(to path: String, _ progress: (Int, Int) -> Void) throws -> Int {
    try checkLive()
    return try hub.backup(to: path, interruption: interruption, progress)
  }

  /// Brings a backup that is at `old` to the newest version of the store, which is returned.
  package func backup(
    to path: String, since old: Int, _ progress: (Int, Int) -> Void
  ) throws -> Int {
    try checkLive()
    return try hub.update(backup: path, since: old, interruption: interruption, progress)
  }
}

extension Session {
  /// Puts the store into a new file without free pages; returns the sizes of both, in bytes.
  ///
  /// Errors: as of a write that begins; `full`; `interrupted` where the session's interruption is
  /// requested. Then the store is as it was. Cost: the store is read and written once.
  package func compact(
    _ progress: (Int, Int) -> Void
  ) throws -> (before: Int, after: Int) {
    try checkLive()
    guard !isReadOnly else { throw HeraldError.readOnly }
    guard case .none = writing else { throw HeraldError.writeInProgress }
    _ = hub.takeWriter(waiting: true)
    defer { hub.leaveWriter() }
    let done = try stored { () throws(StorageError) in
      try hub.environment.compact { done, total in
        progress(done, total)
        return interruption?.isRequested != true
      }
    }
    return (done.before, done.after)
  }
}

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
