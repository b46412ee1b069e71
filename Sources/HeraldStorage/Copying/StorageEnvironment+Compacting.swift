internal import CLMDB
internal import Glibc

/// What compacting has done: the sizes of the store's file, in bytes.
package struct Compaction: Hashable, Sendable {
  package let before: Int
  package let after: Int
}

// A store is compacted by a copy that takes the name of its file. Who has the store open learns that by
// finding another file at the path, and its number in the lock file: the same store, in a new file.

extension StorageEnvironment {
  /// Puts the store into a new file without free pages.
  ///
  /// Writers wait meanwhile, of which the caller is to be this process's only one; readers do not, and go
  /// on with the old file until they take another version. Errors: `cannotWrite` where the file cannot be
  /// replaced, `full`, `damaged`, `interrupted` where `progress` returns false; then the store is as it
  /// was. Cost: the store is read and written once.
  package func compact(_ progress: CopyProgress) throws(StorageError) -> Compaction {
    guard !isReadOnly else { throw .readOnly }
    guard !isInMemory else {
      throw .failed(operation: "compact", code: 0, reason: "a store in memory has no file")
    }
    try takeWriterLock(waiting: true)
    let file = file
    guard let files = file.files, let lock = files.lock, let table = file.table,
      table.storeInode != nil, let facts = FileFacts(files.store.number)
    else {
      releaseWriterLock()
      throw .cannotWrite(
        path: file.path,
        reason: "its lock file is of an earlier version; close it everywhere first")
    }
    // Of the old file: the lock of the new one is anybody's.
    defer { WriterLock.release(files.store) }
    _ = files.beginUse()
    defer { files.endUse() }
    guard facts.links == 1 else {
      throw .cannotWrite(
        path: file.path, reason: "its file has a second name, which would lead to the old one")
    }
    let copy = try NewFile(file.path, temporaryName: file.path + "-compact")
    do throws(StorageError) {
      try copyAllPages(into: copy, progress)
      try copy.take(facts)
    } catch .damaged(copy.temporaryPath, let reason) {
      throw .damaged(path: file.path, reason: reason)
    } catch {
      throw error.naming(file.path, inPlaceOf: copy.temporaryPath)
    }
    try verify(copy)
    try exchange(file, files, table, lock, copy)
    let after = FileFacts(copy.descriptor)?.size ?? 0
    // Whoever waits for a commit finds the new file.
    file.announceCommit()
    try checkFiles()
    return Compaction(before: facts.size, after: after)
  }

  /// Gives the copy the name of the store, while nobody writes to the store or opens it.
  private func exchange(
    _ file: OpenFile, _ files: StoreFiles, _ table: LockTable, _ lock: OwnedDescriptor,
    _ copy: NewFile
  ) throws(StorageError) {
    guard let new = FileFacts(copy.descriptor)?.identity,
      let copied = try PageFile(copy.descriptor).metas.map(\.transaction).max()
    else { throw .damaged(path: file.path, reason: "its copy cannot be read") }
    try copy.sync()
    let opening = Meeting.opening(lock)
    _ = opening.take(.exclusive, waiting: true)
    defer { opening.release() }
    // Where the file system has no locks of our kind, LMDB's own keeps writers out.
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(file.handle, nil, 0, &transaction)
    guard code == 0, let transaction else { throw .explaining(code, "begin", path: file.path) }
    defer { mdb_txn_abort(transaction) }
    guard transaction.number == copied + 1 else { throw .locked(path: file.path) }
    try files.check()
    // Agreed on before it is so: the number of a file that is not at the path leads nobody anywhere.
    table.storeInode = UInt64(new.inode)
    do throws(StorageError) {
      try copy.replace()
    } catch {
      if FileIdentity(file.path) == new {
        // It is done, and only the disk has not said so.
        table.beginGeneration()
      } else {
        table.storeInode = UInt64(files.storeIdentity.inode)
      }
      throw error.naming(file.path, inPlaceOf: copy.temporaryPath)
    }
    table.beginGeneration()
  }
}

extension NewFile {
  /// Gives the file the owner and the permissions of another, as far as this user may.
  fileprivate func take(_ facts: FileFacts) throws(StorageError) {
    var permissions = facts.permissions
    if fchown(descriptor, facts.owner, facts.group) != 0 {
      guard facts.owner == geteuid() else {
        throw .cannotWrite(
          path: path, reason: "it belongs to another user, to whom a new file cannot be given")
      }
      // Another group than the store's gets nothing.
      if fchown(descriptor, uid_t.max, facts.group) != 0 { permissions &= ~0o060 }
    }
    guard fchmod(descriptor, permissions) == 0 else { throw Self.failure(errno, path) }
  }

  func sync() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(errno, path) }
  }
}
