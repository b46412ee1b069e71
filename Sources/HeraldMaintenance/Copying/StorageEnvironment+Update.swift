internal import CLMDB
internal import Glibc
package import HeraldStorage

/// The result of updating a backup.
package struct BackupUpdate: Hashable, Sendable {
  /// The version that the backup is at now.
  package let version: Int
  /// The number of records written or deleted.
  package let changedRecords: Int
}

extension StorageEnvironment {
  /// Opens the file of a backup, which must exist.
  package func openBackup(_ path: String) throws(StorageError) -> StorageEnvironment {
    guard let facts = FileFacts(at: path) else {
      throw .cannotOpen(path: path, reason: StorageError.message(for: errno))
    }
    guard facts.kind == .regular else {
      throw .cannotUpdate(path: path, reason: "it is not a regular file")
    }
    if let own = self.path, Self.isOneFile(path, own) {
      throw .cannotUpdate(path: path, reason: "it is the store itself")
    }
    guard facts.size > 0 else { throw .notAStore(path: path) }
    return try .open(.file(path))
  }

  /// Updates a backup, which is at `version`, to the newest version, in one transaction of its file.
  ///
  /// The caller ensures that no thread of this process writes to the backup. Every record of both
  /// is read and compared, and those that differ are written. Errors, with the backup unchanged:
  /// `cannotUpdate` if it is at another version, belongs to another store or was written to;
  /// `locked` if another process writes to it; `damaged`; `full`; `interrupted` if `progress` returns false.
  package func update(
    _ backup: StorageEnvironment, since version: Int, _ progress: CopyProgress
  ) throws(StorageError) -> BackupUpdate {
    guard !backup.isReadOnly else { throw .readOnly }
    if let store = backup.file.files?.store, !WriterLock.take(store, waiting: false) {
      throw .locked(path: backup.file.path)
    }
    defer { backup.releaseWriterLock() }
    try backup.checkpoint()
    let source = try beginReadOfPages()
    var writer = try RecordWriter(backup.file)
    try checkBackup(writer, since: version, of: source)
    var comparison = try RecordComparison(source, copy: backup.file)
    try comparison.run(&writer, progress)
    let transaction = try writer.commitBackup(
      as: source.state, digest: source.digestWithoutMark)
    backup.note(version: source.version, transaction)
    backup.file.announceCommit()
    return BackupUpdate(version: source.version, changedRecords: writer.changedRecords)
  }

  /// Replaces the content of a store by this one's, which has a newer version, in one transaction of its file. The
  /// copy keeps its identity, and what it has under the names in `kept`. Errors, with the copy unchanged: those of `update`.
  ///
  /// The caller ensures that no thread of this process writes to the copy.
  package func overwrite(
    _ copy: StorageEnvironment, keeping kept: [String] = []
  ) throws(StorageError) {
    guard !copy.isReadOnly else { throw .readOnly }
    try copy.takeWriterLock(waiting: true)
    defer { copy.releaseWriterLock() }
    try copy.checkpoint()
    let source = try beginReadOfPages()
    var writer = try RecordWriter(copy.file)
    guard writer.old.version < source.version else { return }
    var comparison = try RecordComparison(
      source, copy: copy.file,
      keeping: [StoreFormat.key, StoreID.key].map { [UInt8]($0.utf8) }
        + kept.map(StorageSnapshot.metadataKey))
    try comparison.run(&writer) { _, _ in true }
    let transaction = try writer.commitBackup(as: source.state, digest: nil)
    copy.note(version: source.version, transaction)
    copy.file.announceCommit()
  }

  private func checkBackup(
    _ backup: borrowing RecordWriter, since version: Int, of store: StorageSnapshot
  ) throws(StorageError) {
    let path = backup.file.path
    let found = backup.old.version
    let mark = backup.record(.meta, BackupMark.key).flatMap { BackupMark($0.withoutTrailer) }
    guard let mark, isSameStore(backup, store)
    else { throw .cannotUpdate(path: path, reason: "it is not a backup of this store") }
    guard mark.version == found else {
      throw .cannotUpdate(
        path: path,
        reason: "it was written to since it was made at version \(mark.version): make a new backup")
    }
    guard found == version else {
      throw .cannotUpdate(path: path, reason: "it is at version \(found), not \(version)")
    }
    guard found <= store.state.version else {
      throw .cannotUpdate(
        path: path, reason: "it is at version \(found), and the store at \(store.state.version)")
    }
  }

  /// Returns whether a backup was made of the store, as far as can be determined.
  ///
  /// The log entry of one commit is the same in both, if both still have it.
  private func isSameStore(
    _ backup: borrowing RecordWriter, _ store: StorageSnapshot
  ) -> Bool {
    let key = withUnsafeBytes(of: UInt64(backup.old.version).bigEndian, Array.init)
    guard let made = backup.record(.log, key), let known = store.logEntry(backup.old.version)
    else { return true }
    return made.withoutTrailer.elementsEqual(known)
  }
}

extension StorageSnapshot {
  /// The digest of all records except the backup mark; nil in memory, which has none.
  var digestWithoutMark: StoreDigest? {
    guard isChecked else { return nil }
    guard let content = get(.meta, BackupMark.key) else { return state.digest }
    // The trailer follows the content.
    let record = UnsafeRawBufferPointer(
      start: content.baseAddress, count: content.count + RecordTrailer.size)
    var digest = state.digest
    digest[.meta] &-= RecordTrailer(endOf: record).digest
    return digest
  }
}
