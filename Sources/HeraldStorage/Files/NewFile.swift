internal import Glibc

/// A file that gets its name once it is whole and on disk.
///
/// Until `finish` it has a temporary name in the same folder and is readable by its owner alone;
/// dropped before, it leaves nothing. Used by one thread at a time.
final class NewFile {
  /// The name that the file is to have.
  let path: String
  /// Where the file is until then.
  let temporaryPath: String
  let descriptor: Int32
  private var hasTemporaryName = true

  /// A file with a temporary name of its own: what a program that was killed has left under it is removed.
  /// The caller sees to it that nobody else is making one.
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
  }

  init(_ path: String) throws(StorageError) {
    self.path = path
    var random = SystemRandomNumberGenerator()
    while true {
      let name = Self.folder(of: path) + ".herald-" + String(random.next(), radix: 16)
      let descriptor = Glibc.open(
        name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        temporaryPath = name
        self.descriptor = descriptor
        return
      }
      guard errno == EEXIST else { throw Self.failure(errno, path) }
    }
  }

  deinit {
    close(descriptor)
    if hasTemporaryName { unlink(temporaryPath) }
  }

  /// The folder of a path, with the slash at its end.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
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

  /// Forgets what was written.
  func empty() throws(StorageError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw Self.failure(errno, path)
    }
  }

  /// Puts the file on disk and gives it its name, which no file has yet.
  func finish() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(errno, path) }
    // A link never takes the place of a file that came meanwhile, as a renaming would.
    if link(temporaryPath, path) == 0 {
      unlink(temporaryPath)
    } else {
      let reason = errno
      var status = stat()
      guard reason != EEXIST, lstat(path, &status) != 0, errno == ENOENT else {
        throw Self.failure(reason, path)
      }
      // A file system without links.
      guard rename(temporaryPath, path) == 0 else { throw Self.failure(errno, path) }
    }
    hasTemporaryName = false
    try Self.syncFolder(of: path)
  }

  /// Puts the file on disk and in the place of the one that has its name.
  func replace() throws(StorageError) {
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw Self.failure(errno, path)
    }
    hasTemporaryName = false
    try Self.syncFolder(of: path)
  }

  /// Makes names that were given or taken in the folder of a file survive a loss of power.
  static func syncFolder(of path: String) throws(StorageError) {
    let folder = Glibc.open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw failure(errno, path) }
    defer { close(folder) }
    // Some file systems keep names without being asked, and refuse to be.
    guard fsync(folder) == 0 || errno == EINVAL else { throw failure(errno, path) }
  }

  static func failure(_ code: Int32, _ path: String) -> StorageError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .full(path: path)
    case EEXIST: .cannotWrite(path: path, reason: "it exists already")
    default: .cannotWrite(path: path, reason: StorageError.words(for: code))
    }
  }
}
