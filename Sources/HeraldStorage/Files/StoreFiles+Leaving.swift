internal import CLMDB
internal import Glibc
internal import Synchronization

// After `compact` the old file has no name any more, and goes with the last who has it open. Who goes on with
// the new file keeps the old one open for as long as LMDB has a handle of it; its room is given back as soon
// as nobody reads it.

extension StoreFiles {
  /// Counts one who is about to read the file; false where another file is the store's by now.
  func beginUse() -> Bool {
    users.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if !isSuperseded.load(ordering: .sequentiallyConsistent) { return true }
    endUse()
    return false
  }

  func endUse() {
    let left = users.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0, isSuperseded.load(ordering: .sequentiallyConsistent) { giveRoomBack() }
  }

  /// The store is in another file, which is in use here already.
  func supersede() {
    isSuperseded.store(true, ordering: .sequentiallyConsistent)
    if users.load(ordering: .sequentiallyConsistent) == 0 { giveRoomBack() }
  }

  /// Gives the pages of the file back to the disk where no name leads to it, and nobody reads it, of this
  /// process or another. The first two stay: LMDB looks at them without a transaction.
  private func giveRoomBack() {
    guard let lockIdentity, let facts = FileFacts(store.number), facts.links == 0 else { return }
    let pair = Meeting.pair(store, with: lockIdentity)
    pair.release()
    guard pair.isFree, Meeting.readingWithoutLock(store).isFree else { return }
    let kept = 2 * Int(sysconf(Int32(_SC_PAGESIZE)))
    if facts.size > kept {
      _ = fallocate(store.number, Self.punchesHole, off_t(kept), off_t(facts.size - kept))
      // What was reserved behind the end goes with a change of the size, even to what it is.
      _ = ftruncate(store.number, off_t(facts.size))
    }
  }

  /// `FALLOC_FL_PUNCH_HOLE` and `FALLOC_FL_KEEP_SIZE` of Linux.
  private static let punchesHole: Int32 = 3
}
