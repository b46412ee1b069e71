internal import Glibc

/// The file beside a store through which LMDB's readers and writers coordinate.
package enum LockFile {
  package static let suffix = "-lock"

  enum Found {
    case file(OwnedDescriptor, isMade: Bool)
    case missing
    /// The file exists, but this process may not write to it.
    case closed
  }

  /// Opens the lock file at `path`, or creates it, with the owner and the permissions of the store.
  ///
  /// Throws if the file may not be the lock file of this store: then it must not be written to.
  /// `isOpenHere` returns whether this process has a file open as a lock file already; a second
  /// descriptor of it, once closed, would drop LMDB's locks.
  static func open(
    _ path: String, of store: FileFacts, makes: Bool, isOpenHere: (FileIdentity) -> Bool
  ) throws(StorageError) -> Found {
    while true {
      let pathDescriptor = Glibc.open(path, FileFlags.path | O_NOFOLLOW | O_CLOEXEC)
      guard pathDescriptor >= 0 else {
        guard errno == ENOENT else { throw failure(path) }
        guard makes else { return .missing }
        if let made = try make(path, of: store) { return .file(made, isMade: true) }
        continue
      }
      // An `O_PATH` descriptor holds no locks, and drops none when it is closed.
      defer { close(pathDescriptor) }
      guard let facts = FileFacts(pathDescriptor) else { throw failure(path) }
      if let reason = objection(to: facts, of: store) ?? (isOpenHere(facts.identity) ? inUse : nil)
      {
        throw .cannotOpen(path: path, reason: reason)
      }
      guard let lock = try reopen(pathDescriptor, path, facts) else { return .closed }
      return .file(lock, isMade: false)
    }
  }

  private static let inUse = "this program has it open as the lock file of another store"

  /// Returns the reason why a file cannot be the lock file of a store; nil if it can.
  private static func objection(to lock: FileFacts, of store: FileFacts) -> String? {
    switch lock.kind {
    case .regular: break
    case .symbolicLink: return "a lock file cannot be a symbolic link; remove it"
    case .directory, .other: return "a lock file must be a regular file; remove it"
    }
    if lock.links > 1 { return "a lock file cannot have a second name; remove it" }
    let isTrusted = [store.owner, geteuid(), 0].contains(lock.owner)
    // A user who may write to the store can do no more harm with its lock file.
    let isShared =
      store.permissions & 0o002 != 0
      || store.permissions & 0o020 != 0 && lock.group == store.group
    guard isTrusted || isShared else {
      return "it belongs to neither the store's owner nor this user; remove it"
    }
    return nil
  }

  /// Opens the file of a path descriptor for reading and writing; returns nil if that is not permitted.
  private static func reopen(
    _ pathDescriptor: Int32, _ path: String, _ facts: FileFacts
  ) throws(StorageError) -> OwnedDescriptor? {
    var descriptor = Glibc.open("/proc/self/fd/\(pathDescriptor)", O_RDWR | O_CLOEXEC)
    if descriptor < 0 && errno == ENOENT {
      // `/proc` is not mounted.
      descriptor = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    }
    guard descriptor >= 0 else {
      if errno == EACCES || errno == EPERM || errno == EROFS { return nil }
      throw failure(path)
    }
    let lock = OwnedDescriptor(descriptor)
    guard FileFacts(descriptor)?.identity == facts.identity else {
      throw .cannotOpen(path: path, reason: "it was replaced while it was being opened; try again")
    }
    return lock
  }

  /// Creates the lock file; returns nil if another process was faster.
  private static func make(
    _ path: String, of store: FileFacts
  ) throws(StorageError) -> OwnedDescriptor? {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return nil }
      throw failure(path)
    }
    let lock = OwnedDescriptor(descriptor)
    var permissions = store.permissions & 0o666
    let isOurs = store.owner == geteuid() || geteuid() == 0
    if fchown(descriptor, isOurs ? store.owner : uid_t.max, store.group) != 0 {
      // If the store's group could not be set, no group gets access.
      permissions &= ~0o060
    }
    guard fchmod(descriptor, permissions | 0o600) == 0 else {
      let failure = failure(path)
      unlink(path)
      throw failure
    }
    return lock
  }

  private static func failure(_ path: String) -> StorageError {
    .cannotOpen(path: path, reason: StorageError.message(for: errno))
  }
}

/// Linux's extensions of `open`, which glibc exposes only on request.
enum FileFlags {
  /// `O_PATH`: a location in the file system, for neither reading nor writing.
  static let path = __O_PATH
  /// `O_TMPFILE`: a file without a name.
  static let nameless = __O_TMPFILE
}
