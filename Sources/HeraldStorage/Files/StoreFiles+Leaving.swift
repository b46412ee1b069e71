internal import CLMDB
internal import Glibc
internal import Synchronization

// After `compact` the old file has no name any more, and is deleted when its last user closes it. A
// process that continues with the new file keeps the old one open as long as LMDB has a handle of
// it; its space is freed as soon as nobody reads it.

extension StoreFiles {
  /// Counts a new reader of the file; returns false if the store is in another file now.
  package func beginUse() -> Bool {
    users.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if !isSuperseded.load(ordering: .sequentiallyConsistent) { return true }
    endUse()
    return false
  }

  package func endUse() {
    let left = users.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0, isSuperseded.load(ordering: .sequentiallyConsistent) { freeSpace() }
  }

  /// Marks the file as replaced by another one, which this process already uses.
  func supersede() {
    isSuperseded.store(true, ordering: .sequentiallyConsistent)
    if users.load(ordering: .sequentiallyConsistent) == 0 { freeSpace() }
  }

  /// Frees the file's space on disk if it has no name and no reader, in any process. Keeps the
  /// first two pages: LMDB reads them without a transaction.
  private func freeSpace() {
    guard let lockIdentity, let facts = FileFacts(store.number), facts.links == 0 else { return }
    let pair = StoreLocks.pair(store, with: lockIdentity)
    pair.release()
    guard pair.isFree, StoreLocks.readingWithoutLock(store).isFree else { return }
    let kept = 2 * Int(sysconf(Int32(_SC_PAGESIZE)))
    if facts.size > kept {
      _ = fallocate(store.number, Self.punchesHole, off_t(kept), off_t(facts.size - kept))
      // A change of the size, even to the same value, frees the space reserved after the end.
      _ = ftruncate(store.number, off_t(facts.size))
    }
  }

  /// `FALLOC_FL_PUNCH_HOLE` and `FALLOC_FL_KEEP_SIZE` of Linux.
  private static let punchesHole: Int32 = 3
}
