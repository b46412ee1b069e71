internal import Glibc

/// The lock with which writers of several processes exclude each other.
///
/// LMDB has one too, but can only wait for it; this one, on the first byte of the store's file, can
/// be tried. It belongs to the open file, so the kernel drops it when a process dies; and everyone
/// who opens the file shares it, whichever lock file they found beside it.
package enum WriterLock {
  /// Takes the lock; returns false only if another holds it and `waiting` is false. If the file
  /// system has no such locks, LMDB's own must suffice.
  package static func take(_ store: OwnedDescriptor, waiting: Bool) -> Bool {
    byte(store).take(.exclusive, waiting: waiting)
  }

  static func release(_ store: OwnedDescriptor) { byte(store).release() }

  /// Returns whether nobody else held the lock a moment ago. Never takes it, not even briefly.
  static func isFree(_ store: OwnedDescriptor) -> Bool { byte(store).isFree }

  /// The lock's byte, with which a check can keep writers out.
  package static func byte(_ store: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: store.number, start: 0)
  }
}
