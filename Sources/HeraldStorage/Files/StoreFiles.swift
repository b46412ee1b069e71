internal import Glibc
internal import Synchronization

/// A store's file and its lock file as one opening of the store has them, and their paths.
///
/// Both are found by name, so another process may remove or replace them while they are open. The
/// next process to open the store would then use other files than this one.
package final class StoreFiles: Sendable {
  /// The canonical path of the store.
  let path: String
  package let store: OwnedDescriptor
  /// Nil if the store is read without it.
  package let lock: OwnedDescriptor?
  /// The number of this process in the reader table.
  package let processNumber: Int32
  let lockPath: String
  package let storeIdentity: FileIdentity
  let lockIdentity: FileIdentity?
  /// How the store is opened once there is a file at the path; nil if this is that file.
  let named: FileOpening?
  /// The readers of the file in this process, and whether another file replaces it (`beginUse`).
  let users = Atomic(0)
  let isSuperseded = Atomic(false)

  /// Returns nil if a descriptor is invalid.
  init?(
    _ path: String, _ store: OwnedDescriptor, _ lock: OwnedDescriptor?, processNumber: pid_t,
    named: FileOpening? = nil
  ) {
    guard let facts = FileFacts(store.number) else { return nil }
    self.path = path
    self.store = store
    self.lock = lock
    self.processNumber = processNumber
    self.named = named
    lockPath = path + LockFile.suffix
    storeIdentity = facts.identity
    lockIdentity = lock.flatMap { FileFacts($0.number)?.identity }
    if lock != nil && lockIdentity == nil { return nil }
  }

  /// Returns whether a file is one of the two.
  func contains(_ identity: FileIdentity) -> Bool {
    identity == storeIdentity || identity == lockIdentity
  }

  func isLock(_ identity: FileIdentity) -> Bool { identity == lockIdentity }

  /// Throws if a path leads elsewhere now. One system call for each: a microsecond or two.
  package func check() throws(StorageError) {
    if named != nil {
      if FileIdentity(ofNameAt: path) != nil { throw .replaced(path: path) }
      return
    }
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

  /// Opens the file that the store is in now, if all processes that have the lock file open agree
  /// on it (`StorageEnvironment.compact`); returns nil if the file was replaced in any other way.
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
    if let found = FileIdentity(ofNameAt: path) { return found == identity ? .same : .other }
    // A program that dropped its privileges may no longer see its files.
    return errno == ENOENT || errno == ENOTDIR ? .nothing : .same
  }
}
