package import HeraldEngine
package import HeraldModel
import HeraldQuery
import HeraldStorage

extension Session {
  /// Copies the newest version of the store into a new file; returns the version. Errors: those of
  /// writing a file, and `interrupted`.
  package func backup(to path: String, _ progress: (Int, Int) -> Void) throws -> Int {
    try checkLive()
    try continueAlone()
    return try hub.backup(to: path, interruption: interruption, progress)
  }

  /// Updates a backup that is at version `old` to the newest version of the store, which it returns.
  package func backup(
    to path: String, since old: Int, _ progress: (Int, Int) -> Void
  ) throws -> Int {
    try checkLive()
    try continueAlone()
    return try hub.update(backup: path, since: old, interruption: interruption, progress)
  }
}

extension Session {
  /// Rewrites the store into a new file without free pages; returns the sizes of both, in bytes.
  ///
  /// Errors: those of beginning a write; `full`; `interrupted` if the session's interruption is requested.
  /// The store is then unchanged. Cost: the store is read and written once.
  package func compact(
    _ progress: (Int, Int) -> Void
  ) throws -> (before: Int, after: Int) {
    try checkLive()
    guard !isReadOnly else { throw HeraldError.readOnly }
    guard writing.isNone else { throw HeraldError.writeInProgress }
    _ = hub.writer.take(waiting: true)
    defer { hub.writer.leave() }
    let done = try stored { () throws(StorageError) in
      try hub.environment.compact { done, total in
        progress(done, total)
        return interruption?.isRequested != true
      }
    }
    return (done.before, done.after)
  }
}

extension Session {
  /// The bytes of the file's free pages. Errors: `closed`; those of the storage.
  package func freeBytes() throws -> Int {
    try checkOpen()
    return try stored { () throws(StorageError) in try hub.environment.freeBytes() }
  }

  /// The id and the name of the other process that is writing to the store now; nil if it is not known.
  package var writingProcess: (id: Int, name: String)? {
    hub.environment.writingProcess.map { ($0.id, $0.name) }
  }
}

extension Session {
  /// Returns the current holders of versions of the store, in this process and others, oldest first.
  ///
  /// Cost: a scan of the table of readers and of the list of free pages.
  package func readers() throws -> [StoreReader] {
    try checkOpen()
    try continueAlone()
    try readFromPages()
    let holders = try stored { () throws(StorageError) in
      try hub.environment.snapshotHolders()
    }
    return holders.map { holder in
      let label = holder.label
      return StoreReader(
        process: holder.process, session: label.flatMap { $0.name.isEmpty ? nil : $0.name },
        isFrozen: label?.isFrozen ?? false, version: holder.version,
        since: holder.since.map { milliseconds in
          Timestamp(
            seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000 * 1_000_000))
        }, bytes: holder.bytes)
    }
  }
}
