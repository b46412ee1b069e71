internal import CLMDB
internal import Glibc
internal import Synchronization

extension OpenStore {
  /// Puts the commits that are in the journal alone into LMDB's pages. The caller holds the gate. After an error they
  /// are still in the journal.
  func checkpoint() throws(StorageError) {
    if let version = journaled.current { try checkpoint(version) }
  }

  /// Puts a version into LMDB's pages, whose records in the journal need not be on the disk yet.
  func checkpoint(_ version: Overlay) throws(StorageError) {
    let shield = SignalShield.raise()
    defer { shield?.lower() }
    let (transaction, file) = try beginCheckpoint()
    let number = transaction.number
    guard number == version.base + 1 else {
      mdb_txn_abort(transaction)
      throw .damaged(path: file.path, reason: "another program has written to it")
    }
    for item in version.items.all {
      let code = file.put(item, transaction)
      guard code == 0 else {
        mdb_txn_abort(transaction)
        throw .explaining(code, "write", path: file.path)
      }
    }
    var code = file.commitWithoutMeta(transaction)
    guard code == 0 else {
      MetaPages.restore(file.descriptor, failed: number)
      if code == EIO && file.isDiskFull { code = ENOSPC }
      throw .explaining(code, "commit", path: file.path)
    }
    journaled.clear(version) { if let store = file.files?.store { WriterLock.release(store) } }
  }

  /// A disk failure may have made LMDB's handle unusable.
  private func beginCheckpoint() throws(StorageError) -> (OpaquePointer, OpenFile) {
    while true {
      let file = current
      var transaction: OpaquePointer?
      let code = mdb_txn_begin(file.handle, nil, 0, &transaction)
      if code == 0, let transaction { return (transaction, file) }
      guard code == MDB_PANIC, file.files != nil else {
        throw .explaining(code, "begin", path: file.path)
      }
      try replace(file) { file throws(StorageError) in try file.reopened(mapSize: 0) }
    }
  }

  /// Starts the thread that makes a checkpoint once there was no commit for a moment.
  func startTimer() {
    if !CheckpointTimer(self).start() { _ = journaled.endTimer() }
  }
}

extension OpenFile {
  /// Whether no other process has the store open.
  var isAlone: Bool {
    guard let files, let lock = files.lock, !pin.isHeld else { return false }
    return StoreLocks.pair(lock, with: files.storeIdentity).isFree
  }
}

/// Looks every few milliseconds whether there was a commit.
private final class CheckpointTimer: WaitingThread {
  private let store: OpenStore

  /// The number of intervals without anything to do after which the thread ends, and for which it waits after an error.
  private static let patience = 200

  init(_ store: OpenStore) { self.store = store }

  func run() {
    let journaled = store.journaled
    var (last, rest, idle) = (journaled.count, 0, 0)
    while true {
      usleep(journaled.patience.load(ordering: .relaxed))
      if journaled.isEnded || idle >= Self.patience {
        if journaled.endTimer() { return }
        idle = 0
      }
      let count = journaled.count
      defer { last = count }
      guard journaled.current != nil else {
        idle += 1
        continue
      }
      idle = 0
      rest = max(0, rest - 1)
      guard count == last, rest == 0 else { continue }
      journaled.gate.take()
      defer { journaled.gate.leave() }
      do throws(StorageError) {
        // The store may have been closed, with commits in the journal that the disk has refused.
        if journaled.count == count, !journaled.isEnded { try store.checkpoint() }
      } catch {
        rest = Self.patience
      }
    }
  }
}
