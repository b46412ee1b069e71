internal import Glibc

/// Creates a store where there is no file. Its file has no name at first, so that nobody else sees it, and gets it with
/// the first commit (`OpenStore.commitFirst`).
struct StoreCreation {
  /// The canonical path.
  let path: String
  let permissions: mode_t

  /// Creates a store without a name, and locks its opening; returns nil if the file system has no such files.
  func makeNameless() throws(StorageError) -> OwnedDescriptor? {
    let descriptor = open(FileFolder.path(of: path), FileFlags.nameless | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) { return nil }
      throw failure
    }
    let store = OwnedDescriptor(descriptor)
    guard fchmod(descriptor, permissions) == 0 else { throw failure }
    guard access("/proc/self/fd/\(descriptor)", F_OK) == 0 else { return nil }
    var options = OpenFile.Options(mapSize: 1 << 24)
    options.isNew = true
    options.isWithoutLock = true
    // The first commit syncs the whole file.
    options.isUnsynced = true
    try OpenFile.open("/proc/self/fd/\(descriptor)", named: path, options).close()
    _ = StoreLocks.opening(store).take(.exclusive, waiting: true)
    return store
  }

  /// Creates an empty file with the name, which whoever opens it makes a store; returns nil if the
  /// name is taken.
  func makeEmpty() throws(StorageError) -> OwnedDescriptor? {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return nil }
      throw failure
    }
    let store = OwnedDescriptor(descriptor)
    fchmod(descriptor, permissions)
    _ = StoreLocks.opening(store).take(.exclusive, waiting: true)
    return store
  }

  private var failure: StorageError {
    .cannotOpen(path: path, reason: StorageError.message(for: errno))
  }
}
