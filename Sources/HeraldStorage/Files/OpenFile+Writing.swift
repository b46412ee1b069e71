internal import CLMDB
internal import Glibc
internal import Synchronization

extension OpenFile {
  /// What a writer does now and then, for all who have the store open. The writer's lock is ours.
  func prepareWrite() throws(StorageError) {
    guard files?.lock != nil else { return }
    try pin.check(self)
    let now = Self.seconds
    guard readersChecked.exchange(now, ordering: .relaxed) != now else { return }
    try forgetDeadReaders()
  }

  /// Gives up the places of processes that were killed, which would hold their old pages for ever.
  func forgetDeadReaders() throws(StorageError) {
    let code = mdb_reader_check(handle, nil)
    guard code == 0 else { throw .explaining(code, "check readers", path: path) }
  }

  private static var seconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return now.tv_sec
  }
}

/// The version that is kept for those who read without a place in the table of readers.
///
/// They began when nobody could write. Who opens the store for writing while they read keeps the
/// version that it finds, or an older one that somebody else keeps, until they have gone.
final class VersionPin: Sendable {
  private struct State: @unchecked Sendable {
    /// Nil where nobody reads without a place.
    var transaction: OpaquePointer?
    /// The oldest version that they may be reading.
    var oldest: UInt64 = 0
  }

  private let state = Mutex(State())

  var isHeld: Bool { state.withLock { $0.transaction != nil } }

  /// Keeps the present version where somebody reads without a place.
  func take(_ file: OpenFile) throws(StorageError) {
    guard let files = file.files, let table = file.table,
      !Meeting.readingWithoutLock(files.store).isFree
    else { return }
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(file.handle, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == 0 else { throw .explaining(code, "begin", path: file.path) }
    let oldest = table.oldestRead ?? 0
    state.withLock { $0 = State(transaction: transaction, oldest: oldest) }
  }

  /// Throws `locked` where a version that somebody may be reading is kept by nobody any more; gives up
  /// the one that is kept once nobody reads so.
  func check(_ file: OpenFile) throws(StorageError) {
    let oldest = state.withLock { $0.transaction == nil ? nil : $0.oldest }
    guard let oldest, let files = file.files else { return }
    if Meeting.readingWithoutLock(files.store).isFree {
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
