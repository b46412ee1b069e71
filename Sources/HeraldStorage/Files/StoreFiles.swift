internal import Glibc
internal import Synchronization

/// A store's file and its lock file as one opening of the store has them, and where they were found.
///
/// The two go by their names, so somebody may remove them, or put others in their places, while they
/// are open. Whoever opens the store next would then have other files than we.
final class StoreFiles: Sendable {
  /// The canonical path of the store.
  let path: String
  let store: OwnedDescriptor
  /// Nil for who reads without it.
  let lock: OwnedDescriptor?
  /// What LMDB knows this process by in the table of readers.
  let processNumber: pid_t
  let lockPath: String
  let storeIdentity: FileIdentity
  let lockIdentity: FileIdentity?
  /// Who reads the file in this process, and whether another is the store's by now (`beginUse`).
  let users = Atomic(0)
  let isSuperseded = Atomic(false)

  /// Nil where one of the descriptors is none.
  init?(_ path: String, _ store: OwnedDescriptor, _ lock: OwnedDescriptor?, processNumber: pid_t) {
    guard let facts = FileFacts(store.number) else { return nil }
    self.path = path
    self.store = store
    self.lock = lock
    self.processNumber = processNumber
    lockPath = path + LockFile.suffix
    storeIdentity = facts.identity
    lockIdentity = lock.flatMap { FileFacts($0.number)?.identity }
    if lock != nil && lockIdentity == nil { return nil }
  }

  /// Whether a file is one of the two.
  func contains(_ identity: FileIdentity) -> Bool {
    identity == storeIdentity || identity == lockIdentity
  }

  func isLock(_ identity: FileIdentity) -> Bool { identity == lockIdentity }

  /// Throws where the paths lead elsewhere by now. Asks the system about each: a microsecond or two.
  func check() throws(StorageError) {
    switch Self.compare(path, storeIdentity) {
    case .same: break
    case .other: throw .replaced(path: path)
    case .nothing: throw .removed(path: path)
    }
    guard let lockIdentity else { return }
    switch Self.compare(lockPath, lockIdentity) {
    case .same: break
    case .other: throw .lockReplaced(path: lockPath)
    case .nothing: throw .lockRemoved(path: lockPath)
    }
  }

  /// The file that the store is in by now, where everybody who has the lock file open has agreed on that
  /// (`StorageEnvironment.compact`); nil where another file has come to the path in any other way.
  func successor(agreedBy table: LockTable, isReadOnly: Bool) -> StoreFiles? {
    guard let lock, let lockIdentity, let agreed = table.storeInode,
      UInt(agreed) != storeIdentity.inode,
      case .same = Self.compare(lockPath, lockIdentity)
    else { return nil }
    let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = open(path, (isReadOnly ? O_RDONLY : O_RDWR) | flags)
    guard descriptor >= 0 else { return nil }
    let store = OwnedDescriptor(descriptor)
    guard let facts = FileFacts(descriptor), case .regular = facts.kind,
      facts.identity.inode == UInt(agreed), facts.identity.device == storeIdentity.device
    else { return nil }
    return StoreFiles(path, store, lock, processNumber: processNumber)
  }

  private enum Comparison {
    case same, other, nothing
  }

  private static func compare(_ path: String, _ identity: FileIdentity) -> Comparison {
    var status = stat()
    if lstat(path, &status) == 0 { return FileIdentity(status) == identity ? .same : .other }
    // A program that gave up a right of its own may not see its files any more.
    return errno == ENOENT || errno == ENOTDIR ? .nothing : .same
  }
}
