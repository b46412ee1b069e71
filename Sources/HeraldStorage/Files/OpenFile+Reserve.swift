internal import CLMDB
internal import Glibc
internal import Synchronization

// Deleting needs pages too: LMDB writes what it changes to free ones, and gives the old ones back only later.
// So behind the pages that the store uses some room is kept, on the disk and below every limit, that none but
// a transaction that deletes may use. A full disk lets one delete, and what that frees is used again.

extension OpenFile {
  /// As much is kept, and an eighth of a small store's limit.
  private static let largestReserve = 1 << 19

  /// Throws `full` where a transaction, about to be committed, makes the file grow and leaves no reserve.
  /// It is without a say where this LMDB is laid out in another way. A system call for each half megabyte
  /// by which a store grows.
  func checkReserve(_ transaction: OpaquePointer, isDeleting: Bool) throws(StorageError) {
    guard !isDeleting, let pages = TransactionFields.pages(of: transaction, in: handle)
    else { return }
    var information = MDB_envinfo()
    var statistics = MDB_stat()
    mdb_env_info(handle, &information)
    mdb_env_stat(handle, &statistics)
    // One that finds its pages among the free ones takes nothing of the reserve.
    let used = Int(information.me_last_pgno) + 1
    guard pages > used else { return }
    let (limit, pageSize) = (Int(information.me_mapsize), Int(statistics.ms_psize))
    let end = pages * pageSize + min(Self.largestReserve, limit / 8)
    guard end <= limit, isInMemory || hasRoom(from: used * pageSize, through: end) else {
      throw .full(path: path)
    }
  }

  /// Whether the file has room on the disk between two offsets, which is reserved where the file system can.
  private func hasRoom(from start: Int, through end: Int) -> Bool {
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      UInt64(end) > UInt64(limit.rlim_cur)
    {
      return false
    }
    let reserved = reservedSize.load(ordering: .relaxed)
    if end <= reserved { return true }
    // More than is needed now, so as not to ask with every commit.
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
      default: return !isWithoutRoom
      }
    }
    return false
  }

  /// `FALLOC_FL_KEEP_SIZE` of Linux.
  private static let keepsSize: Int32 = 1
}
