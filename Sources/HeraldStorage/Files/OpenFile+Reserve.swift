internal import CLMDB
internal import Glibc
internal import Synchronization

// Deleting needs pages too: LMDB writes changes to free ones, and frees the old ones only later. So
// some space after the pages that the store uses is reserved, on disk and below every limit, for
// transactions that delete. A full disk still allows deletions, and their space is reused.

extension OpenFile {
  /// The size of the reserve in bytes; for a small store, an eighth of its limit.
  private static let largestReserve = 1 << 19

  /// Throws `full` if a transaction, about to be committed, grows the file and leaves no reserve.
  /// Without effect if this LMDB has another layout. One system call for each half megabyte by
  /// which a store grows.
  func checkReserve(_ transaction: OpaquePointer, isDeleting: Bool) throws(StorageError) {
    guard isDeleting || hasRoom(for: 0, in: transaction) else { throw .full(path: path) }
  }

  /// Returns whether a transaction can write `count` bytes more and leave the reserve. True if this LMDB has
  /// another layout.
  func hasRoom(for count: Int, in transaction: OpaquePointer) -> Bool {
    guard let pages = TransactionFields.pages(of: transaction, in: handle) else { return true }
    var information = MDB_envinfo()
    var statistics = MDB_stat()
    mdb_env_info(handle, &information)
    mdb_env_stat(handle, &statistics)
    let used = Int(information.me_last_pgno) + 1
    // A transaction that only reuses free pages takes nothing from the reserve.
    guard pages > used || count > 0 else { return true }
    let (limit, pageSize) = (Int(information.me_mapsize), Int(statistics.ms_psize))
    let end = max(pages, used) * pageSize + count + min(Self.largestReserve, limit / 8)
    return end <= limit && (isInMemory || hasRoom(from: used * pageSize, through: end))
  }

  /// Returns whether the disk has space for the file between two offsets, and reserves it if the
  /// file system can.
  private func hasRoom(from start: Int, through end: Int) -> Bool {
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      UInt64(end) > UInt64(limit.rlim_cur)
    {
      return false
    }
    let reserved = reservedSize.load(ordering: .relaxed)
    if end <= reserved { return true }
    // Reserves more than needed now, to avoid a system call with every commit.
    for wanted in [end + Self.largestReserve, end] {
      var code: Int32
      repeat {
        let size = off_t(wanted - start)
        code = fallocate(descriptor, Self.keepsSize, off_t(start), size) == 0 ? 0 : errno
      } while code == EINTR
      switch code {
      case 0:
        reservedSize.store(wanted, ordering: .relaxed)
        return true
      case ENOSPC, EDQUOT, EFBIG: continue
      default: return !isDiskFull
      }
    }
    return false
  }

  /// Cuts off what transactions that were not committed have left after the pages that the store uses, except
  /// the reserve. The caller holds the writer lock. If the system refuses, the file stays as it is: later
  /// transactions use that space.
  func dropUnusedEnd() {
    guard !isInMemory, !isReadOnly else { return }
    let used = usedSize
    let kept = used + 2 * Self.largestReserve
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) > kept,
      ftruncate(descriptor, off_t(kept)) == 0
    else { return }
    // Pages that were never written have no space on the disk.
    reservedSize.store(0, ordering: .relaxed)
    _ = hasRoom(from: used, through: used + Self.largestReserve)
  }

  /// `FALLOC_FL_KEEP_SIZE` of Linux.
  private static let keepsSize: Int32 = 1
}
