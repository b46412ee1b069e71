internal import CLMDB
internal import Glibc
internal import Synchronization

// A commit needs two syncs without the journal: of its pages, and of its meta page. With it, one sync is enough,
// of its pages and the journal's record. The next commit's sync, or the closing of the file, makes the meta page
// durable. After a power cut the record is applied to the commit before.

extension OpenFile {
  /// The size of the largest record of the journal; 0 if commits do not use it.
  var journalSize: Int {
    guard files?.lock != nil, !isReadOnly,
      format.load(ordering: .relaxed) >= StoreFormat.withJournal
    else { return 0 }
    return JournalArea.size(pageSize: pageSize)
  }

  private var pageSize: Int {
    var statistics = MDB_stat()
    mdb_env_stat(handle, &statistics)
    return Int(statistics.ms_psize)
  }

  /// Commits a write transaction and returns LMDB's code. With a record, one sync makes the commit durable.
  func commit(_ transaction: OpaquePointer, _ record: JournalRecord?) -> Int32 {
    guard !isInMemory else { return mdb_txn_commit(transaction) }
    guard let record, writeJournal(record) else {
      return commitWithoutJournal(transaction)
    }
    // Only the writer changes these flags, and LMDB lets nobody else write.
    mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 1)
    let code = mdb_txn_commit(transaction)
    mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 0)
    if code == 0 { hasUnsyncedMeta.store(true, ordering: .relaxed) }
    return code
  }

  private func commitWithoutJournal(_ transaction: OpaquePointer) -> Int32 {
    eraseUnacknowledged(after: transaction.number - 1)
    let isOld = format.load(ordering: .relaxed) < StoreFormat.withJournal
    if isOld {
      let code = StoreFormat.put(transaction, databases.meta)
      guard code == 0 else {
        mdb_txn_abort(transaction)
        return code
      }
    }
    let code = mdb_txn_commit(transaction)
    guard code == 0 else { return code }
    if isOld { format.store(StoreFormat.version, ordering: .relaxed) }
    hasUnsyncedMeta.store(false, ordering: .relaxed)
    return 0
  }

  /// Writes a record; if that fails, no part of it counts.
  private func writeJournal(_ record: JournalRecord) -> Bool {
    let offset = JournalArea.offset(after: record.base, pageSize: pageSize)
    guard JournalArea.write(record.bytes, descriptor, offset) else { return false }
    if let table, table.refusedRecord != 0 { table.refusedRecord = 0 }
    return true
  }

  /// Erases the record of a process that was killed before its commit, whose place another one takes: it must not
  /// pass for that one if the meta page is damaged. The commit's sync makes this durable.
  private func eraseUnacknowledged(after transaction: UInt64) {
    guard journalSize > 0 else { return }
    let offset = JournalArea.offset(after: transaction, pageSize: pageSize)
    var header = [UInt8](repeating: 0, count: JournalRecord.headerSize)
    guard pread(descriptor, &header, header.count, off_t(offset)) == header.count,
      header.withUnsafeBytes({ JournalRecord.base(in: $0) }) == transaction
    else { return }
    _ = JournalArea.erase(descriptor, after: transaction, pageSize: pageSize)
  }

  /// Erases the record of a commit that failed, before its error is returned: it must never be applied. Returns
  /// false if the disk refuses that, too; then the lock file has the record's mark until the system ends.
  func eraseFailed(_ record: JournalRecord) -> Bool {
    if eraseDurably(after: record.base) { return true }
    // It may be that of an earlier commit, if this one's could not be written.
    let left = try? pendingRecord()
    table?.refusedRecord = (left ?? record).mark
    return false
  }

  private func eraseDurably(after transaction: UInt64) -> Bool {
    JournalArea.erase(descriptor, after: transaction, pageSize: pageSize)
      && fdatasync(descriptor) == 0
  }

  /// Makes the last commit's meta page durable, so that the file at rest does not need the journal.
  func syncMeta() {
    guard hasUnsyncedMeta.exchange(false, ordering: .relaxed) else { return }
    fdatasync(descriptor)
  }
}

extension OpenFile {
  /// The journal's record of a commit that the file does not have yet; nil if there is none.
  ///
  /// It is of a commit that a power cut has taken from the file, or of one that was never acknowledged, since
  /// its process was killed, or that another process is about to complete.
  func pendingRecord() throws(StorageError) -> JournalRecord? {
    let file = try PageFile(descriptor)
    return file.consistentMetas.first.flatMap { file.journalRecord(after: $0) }
  }

  /// Applies the commits that are only in the journal. The caller has the store open alone. Errors:
  /// `commitInJournal` if this process cannot write to the file; those of a commit, after which they are still in
  /// the journal.
  func applyJournal() throws(StorageError) {
    guard try pendingRecord() != nil else { return }
    guard !isReadOnly, let files else { throw .commitInJournal(path: path) }
    _ = WriterLock.take(files.store, waiting: true)
    defer { WriterLock.release(files.store) }
    // There are two areas, but a power cut during this leaves others.
    for _ in 0..<4 {
      // Without locks of the file system only LMDB's own keeps out other writers.
      let replay = try JournalReplay(self)
      guard let record = try pendingRecord() else { return }
      if let table, table.refusedRecord != 0, table.refusedRecord == record.mark {
        guard eraseDurably(after: record.base) else {
          throw .diskFailed(path: path, reason: StorageError.message(for: errno))
        }
        table.refusedRecord = 0
        return
      }
      try replay.apply(record)
    }
  }

  /// Erases the record of a process that was killed before its commit, if nobody has the store open for writing
  /// any more but this process, which has not seen that commit.
  func dropUnacknowledged() {
    guard journalSize > 0, let record = try? pendingRecord(),
      JournalArea.erase(descriptor, after: record.base, pageSize: pageSize)
    else { return }
    fdatasync(descriptor)
  }
}
