/// How the programs that have a store open know of each other: by locks on bytes of the store's file
/// and of its lock file at offsets that no file ever reaches.
///
///     store      0          exclusive: the transaction that writes            see WriterLock
///                opening    exclusive: who opens or makes it; shared, who opens it for reading only
///                writing    shared: everybody who may write
///                reading    shared: everybody who reads without the lock file
///                pairs + n  shared: everybody who has it open with lock file n
///     lock file  opening    exclusive: who opens it
///                pairs + n  shared: everybody who has it open for store n
///
/// n is the number of a file's inode. LMDB's own locks of the lock file are below: 0, and the number
/// of each process.
///
/// Two programs that have one store open through two lock files, or two stores through one, would
/// both write, each without a notion of the other. The second to come finds the pair of the first.
enum Meeting {
  private static let openingPlace = 1 << 61
  private static let pairs = 1 << 62

  static func opening(_ file: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: file.number, start: openingPlace)
  }

  static func writing(_ store: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: store.number, start: openingPlace + 1)
  }

  static func readingWithoutLock(_ store: OwnedDescriptor) -> LockedBytes {
    LockedBytes(descriptor: store.number, start: openingPlace + 2)
  }

  /// The lock of `file` that tells which other it is open with.
  static func pair(_ file: OwnedDescriptor, with other: FileIdentity) -> LockedBytes {
    LockedBytes(descriptor: file.number, start: place(of: other))
  }

  /// Whether somebody has `file` open with another than `other`.
  static func isPaired(_ file: OwnedDescriptor, besidesWith other: FileIdentity) -> Bool {
    let place = place(of: other)
    let below = LockedBytes(descriptor: file.number, start: pairs, count: place - pairs)
    let above = LockedBytes(descriptor: file.number, start: place + 1, count: 0)
    return (place > pairs && !below.isFree) || !above.isFree
  }

  private static func place(of file: FileIdentity) -> Int {
    pairs | Int(truncatingIfNeeded: file.inode & (1 << 61 - 1))
  }
}
