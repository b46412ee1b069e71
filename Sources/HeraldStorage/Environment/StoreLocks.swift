/// The locks by which programs that have a store open find each other: locks on bytes of the store's
/// file and of its lock file, at offsets that no file ever reaches.
///
///     store      0          exclusive: the write transaction                  see WriterLock
///                opening    exclusive: opens or creates it; shared: opens it for reading only
///                writing    shared: may write
///                reading    shared: reads without the lock file
///                queue      exclusive: writes next
///                pairs + n  shared: has it open with lock file n
///     lock file  opening    exclusive: opens it
///                pairs + n  shared: has it open for store n
///
/// n is a file's inode number. LMDB's own locks of the lock file are at lower offsets: 0, and the
/// number of each process.
///
/// Two programs that have one store open through two lock files, or two stores through one, would
/// both write without knowing of each other. The second one finds the pair lock of the first.
package enum StoreLocks {
  private static let openingOffset = 1 << 61
  private static let pairs = 1 << 62

  package static func opening(_ file: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: file.number, start: openingOffset)
  }

  static func writing(_ store: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: store.number, start: openingOffset + 1)
  }

  static func readingWithoutLock(_ store: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: store.number, start: openingOffset + 2)
  }

  /// The lock of the process that writes next. Without it, a process that commits again and again would take
  /// the write lock each time before those that wait for it and look at intervals.
  static func queue(_ store: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: store.number, start: openingOffset + 3)
  }

  /// The lock of `file` that records the other file it is open with.
  static func pair(_ file: OwnedDescriptor, with other: FileIdentity) -> LockedBytes {
    LockedBytes(descriptor: file.number, start: offset(of: other))
  }

  /// Returns whether anyone has `file` open with a file other than `other`.
  static func isPaired(_ file: OwnedDescriptor, besidesWith other: FileIdentity) -> Bool {
    let offset = offset(of: other)
    let below = LockedBytes(descriptor: file.number, start: pairs, count: offset - pairs)
    let above = LockedBytes(descriptor: file.number, start: offset + 1, count: 0)
    return (offset > pairs && !below.isFree) || !above.isFree
  }

  private static func offset(of file: FileIdentity) -> Int {
    pairs | Int(truncatingIfNeeded: file.inode & (1 << 61 - 1))
  }
}
