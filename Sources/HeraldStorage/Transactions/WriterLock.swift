internal import Glibc

/// The lock by which writers of several processes wait for each other.
///
/// LMDB has one too, but can only wait for it; this one, on the first byte of the store's file,
/// can be tried. It belongs to the open file, so the kernel drops it when a process dies; and it is
/// one for all who have the file, whatever lock file they found beside it.
enum WriterLock {
  /// Whether the lock is ours now; false only when somebody holds it and `waiting` is false. Where the
  /// file system has no such locks we are left to LMDB's own.
  static func take(_ store: OwnedDescriptor, waiting: Bool) -> Bool {
    byte(store).take(.exclusive, waiting: waiting)
  }

  static func release(_ store: OwnedDescriptor) { byte(store).release() }

  /// Whether nobody else held the lock a moment ago. Does not take it, not even for that moment.
  static func isFree(_ store: OwnedDescriptor) -> Bool { byte(store).isFree }

  /// What keeps writers out while somebody only looks.
  static func byte(_ store: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: store.number, start: 0)
  }
}
