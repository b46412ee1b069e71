internal import Glibc
package import HeraldStorage

/// A file that gets its name once it is complete and on disk.
///
/// Until `finish` it has a temporary name in the same folder and is readable by its owner alone; if
/// dropped before, it leaves nothing behind. Used by one thread at a time.
package final class NewFile {
  /// The final name of the file.
  let path: String
  /// The name of the file until then.
  package let temporaryPath: String
  package let descriptor: Int32
  private var hasTemporaryName = true

  /// Creates a file with a given temporary name, and removes the one that a killed program has left
  /// there. The caller ensures that nobody else is creating one.
  init(_ path: String, temporaryName: String) throws(StorageError) {
    self.path = path
    temporaryPath = temporaryName
    unlink(temporaryName)
    descriptor = Glibc.open(
      temporaryName, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      hasTemporaryName = false
      throw Self.failure(errno, path)
    }
    // The umask may have taken away the owner's own permissions.
    fchmod(descriptor, 0o600)
  }

  package init(_ path: String) throws(StorageError) {
    self.path = path
    var random = SystemRandomNumberGenerator()
    while true {
      let name = FileFolder.path(of: path) + ".herald-" + String(random.next(), radix: 16)
      let descriptor = Glibc.open(
        name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        temporaryPath = name
        self.descriptor = descriptor
        fchmod(descriptor, 0o600)
        return
      }
      guard errno == EEXIST else { throw Self.failure(errno, path) }
    }
  }

  deinit {
    close(descriptor)
    if hasTemporaryName { unlink(temporaryPath) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    var start = 0
    while start < bytes.count {
      let count = Glibc.write(
        descriptor, bytes.baseAddress.unsafelyUnwrapped + start, bytes.count - start)
      if count < 0 && errno != EINTR { throw Self.failure(errno, path) }
      start += max(0, count)
    }
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
    guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
      throw Self.failure(errno, path)
    }
  }

  /// Truncates the file.
  func empty() throws(StorageError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw Self.failure(errno, path)
    }
  }

  /// Syncs the file to disk and gives it its name, which must not exist yet.
  package func finish() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(errno, path) }
    // Unlike a rename, a link never replaces a file that was created meanwhile.
    if link(temporaryPath, path) == 0 {
      unlink(temporaryPath)
    } else {
      let reason = errno
      var status = stat()
      guard reason != EEXIST, lstat(path, &status) != 0, errno == ENOENT else {
        throw Self.failure(reason, path)
      }
      // The file system has no hard links.
      guard rename(temporaryPath, path) == 0 else { throw Self.failure(errno, path) }
    }
    hasTemporaryName = false
    try syncFolder()
  }

  /// Syncs the file to disk and replaces the one that has its name.
  func replace() throws(StorageError) {
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw Self.failure(errno, path)
    }
    hasTemporaryName = false
    try syncFolder()
  }

  /// Makes the new name survive a power loss.
  private func syncFolder() throws(StorageError) {
    let code = FileFolder.sync(of: path)
    if code != 0 { throw Self.failure(code, path) }
  }

  package static func failure(_ code: Int32, _ path: String) -> StorageError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .full(path: path)
    case EEXIST: .cannotWrite(path: path, reason: "it exists already")
    default: .cannotWrite(path: path, reason: StorageError.message(for: code))
    }
  }
}
