internal import CLMDB
internal import Glibc
internal import Synchronization

extension OpenFile {
  /// Does a writer's periodic work for all who have the store open. The caller holds the writer lock.
  func prepareWrite() throws(StorageError) {
    guard files?.lock != nil else { return }
    try pin.check(self)
    let now = Self.seconds
    guard readersChecked.exchange(now, ordering: .relaxed) != now else { return }
    try clearDeadReaders()
    dropUnusedEnd()
  }

  /// Clears the slots of processes that were killed, which would keep their old pages forever.
  package func clearDeadReaders() throws(StorageError) {
    let code = mdb_reader_check(handle, nil)
    guard code == 0 else { throw .explaining(code, "check readers", path: path) }
  }

  private static var seconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return now.tv_sec
  }
}

/// The version that is kept for processes that read without a slot in the reader table.
///
/// They began when nobody could write. A process that opens the store for writing while they read
/// keeps the current version, or an older one that another process keeps, until they have finished.
final class VersionPin: Sendable {
  private struct State: @unchecked Sendable {
    /// Nil if nobody reads without a slot.
    var transaction: OpaquePointer?
    /// The oldest version that they may be reading.
    var oldest: UInt64 = 0
  }

  private let state = Mutex(State())

  var isHeld: Bool { state.withLock { $0.transaction != nil } }

  /// Keeps the current version if anyone reads without a slot.
  func take(_ file: OpenFile) throws(StorageError) {
    guard let files = file.files, let table = file.table,
      !StoreLocks.readingWithoutLock(files.store).isFree
    else { return }
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(file.handle, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == 0 else { throw .explaining(code, "begin", path: file.path) }
    let oldest = table.oldestRead ?? 0
    state.withLock { $0 = State(transaction: transaction, oldest: oldest) }
  }

  /// Throws `locked` if a version that may still be read is no longer kept by any process; releases
  /// the kept one once nobody reads without a slot.
  func check(_ file: OpenFile) throws(StorageError) {
    let oldest = state.withLock { $0.transaction == nil ? nil : $0.oldest }
    guard let oldest, let files = file.files else { return }
    if StoreLocks.readingWithoutLock(files.store).isFree {
      end()
    } else if let kept = file.table?.oldestRead, kept > oldest {
      throw .locked(path: file.path)
    }
  }

  func end() {
    state.withLock { state in
      if let transaction = state.transaction { mdb_txn_abort(transaction) }
      state.transaction = nil
    }
  }
}
