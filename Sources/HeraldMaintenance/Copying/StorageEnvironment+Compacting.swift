internal import CLMDB
internal import Glibc
package import HeraldStorage

/// The result of compacting: the sizes of the store's file, in bytes.
package struct Compaction: Hashable, Sendable {
  package let before: Int
  package let after: Int
}

// A store is compacted by a copy that replaces its file. Processes that have the store open find
// another file at the path, and its inode in the lock file: the same store, in a new file.

extension StorageEnvironment {
  /// Moves the store into a new file without free pages.
  ///
  /// Writers wait in the meantime, and the caller must be this process's only one; readers do not
  /// wait, and use the old file until they move to another version. Errors: `cannotWrite` if the
  /// file cannot be replaced, `full`, `damaged`, `interrupted` if `progress` returns false; the
  /// store is then unchanged. The store is read and written once.
  package func compact(_ progress: CopyProgress) throws(StorageError) -> Compaction {
    guard !isReadOnly else { throw .readOnly }
    guard !isInMemory else {
      throw .failed(operation: "compact", code: 0, reason: "a store in memory has no file")
    }
    try takeWriterLock(waiting: true)
    guard hasFile else {
      releaseWriterLock()
      throw .cannotWrite(path: file.path, reason: "there is no file yet; the first commit makes it")
    }
    do throws(StorageError) {
      try checkpoint()
    } catch {
      releaseWriterLock()
      throw error
    }
    let file = file
    guard let files = file.files, let lock = files.lock, let table = file.table,
      table.storeInode != nil, let facts = FileFacts(files.store.number)
    else {
      releaseWriterLock()
      throw .cannotWrite(
        path: file.path,
        reason: "its lock file is of an earlier version; close it everywhere first")
    }
    defer { releaseWriterLock(of: files) }
    _ = files.beginUse()
    defer { files.endUse() }
    guard facts.links == 1 else {
      throw .cannotWrite(
        path: file.path,
        reason: "its file has a second name, which would still lead to the old file")
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
    // Wakes those that wait for a commit, so that they find the new file.
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
    let opening = StoreLocks.opening(lock)
    _ = opening.take(.exclusive, waiting: true)
    defer { opening.release() }
    // If the file system does not support our locks, LMDB's own keeps writers out.
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(file.handle, nil, 0, &transaction)
    guard code == 0, let transaction else { throw .explaining(code, "begin", path: file.path) }
    defer { mdb_txn_abort(transaction) }
    guard transaction.number == copied + 1 else { throw .locked(path: file.path) }
    try files.check()
    // Set before the rename: the inode of a file that is not at the path has no effect.
    table.storeInode = UInt64(new.inode)
    do throws(StorageError) {
      try copy.replace()
    } catch {
      if FileIdentity(file.path) == new {
        // The rename succeeded, and only the sync failed.
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
          path: path, reason: "it belongs to another user, who cannot get a new file")
      }
      // If the store's group could not be set, no group gets access.
      if fchown(descriptor, uid_t.max, facts.group) != 0 { permissions &= ~0o060 }
    }
    guard fchmod(descriptor, permissions) == 0 else { throw Self.failure(errno, path) }
  }

  func sync() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(errno, path) }
  }
}
