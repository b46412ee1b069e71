internal import CLMDB
internal import Glibc
internal import Synchronization

// A commit needs two syncs without the journal: of its pages, and of its meta page. With it, one sync is enough, of the
// journal's record, and of its pages if they are written at once. The next commit's sync, or the closing of the file,
// makes the meta page durable. After a power cut the record is applied to the commit before.

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

  /// Commits a write transaction and returns LMDB's code.
  func commit(_ transaction: OpaquePointer) -> Int32 {
    isInMemory ? mdb_txn_commit(transaction) : commitWithoutJournal(transaction)
  }

  /// Commits a write transaction to which the journal leads, with one sync, after which the meta page may not be on the
  /// disk. Returns LMDB's code.
  func commitWithoutMeta(_ transaction: OpaquePointer) -> Int32 {
    // Only the writer changes these flags, and LMDB lets nobody else write.
    mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 1)
    let code = mdb_txn_commit(transaction)
    mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 0)
    if code == 0 { hasUnsyncedMeta.store(true, ordering: .relaxed) }
    return code
  }

  /// Appends records to the area that follows their base, of which `used` bytes are used; if they are to be synced, the
  /// disk begins to write them. Returns where they are in the file; nil if not all of them could be written.
  func append(_ records: [JournalRecord], used: Int, isSynced: Bool) -> Range<Int>? {
    guard let base = records.first?.base else { return nil }
    let bytes = records.count == 1 ? records[0].bytes : records.flatMap(\.bytes)
    let start = JournalArea.offset(after: base, pageSize: pageSize) + used
    guard JournalArea.write(bytes, descriptor, start) else { return nil }
    if let table, table.refusedRecord != 0 { table.refusedRecord = 0 }
    let written = start..<start + bytes.count
    if isSynced { JournalArea.beginWriting(descriptor, written) }
    return written
  }

  /// Waits until an appended record is on the disk: while that writes, without giving up the processor, unless it was
  /// slow not long ago. Returns the system's code if that fails.
  func sync(_ written: Range<Int>) -> Int32? {
    if slowWrites.load(ordering: .relaxed) > 0 {
      slowWrites.subtract(1, ordering: .relaxed)
    } else if !JournalArea.awaitWriting(descriptor, written) {
      slowWrites.store(Self.writesAfterSlowOne, ordering: .relaxed)
    }
    return fdatasync(descriptor) == 0 ? nil : errno
  }

  /// How many writes follow a slow one before it is looked again how long one takes.
  private static let writesAfterSlowOne = 16

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
  func eraseFailed(_ record: JournalRecord, used: Int) -> Bool {
    if eraseDurably(after: record.base, skipping: used) { return true }
    // It may be that of an earlier commit, if this one's could not be written.
    let left = used == 0 ? try? pendingRecord() : nil
    table?.refusedRecord = (left ?? record).mark
    return false
  }

  private func eraseDurably(after transaction: UInt64, skipping used: Int) -> Bool {
    JournalArea.erase(descriptor, after: transaction, skipping: used, pageSize: pageSize)
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
  func pendingRecord() throws(StorageError) -> JournalRecord? { try pendingRecords().first }

  /// The journal's records of the commits that the file does not have yet, in order.
  func pendingRecords() throws(StorageError) -> [JournalRecord] {
    let file = try PageFile(descriptor)
    return file.consistentMetas.first.map { file.journalRecords(after: $0) } ?? []
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
      var records = try pendingRecords()
      if let table, table.refusedRecord != 0,
        let refused = records.firstIndex(where: { $0.mark == table.refusedRecord })
      {
        let used = records[..<refused].reduce(0) { $0 + $1.size }
        guard eraseDurably(after: records[refused].base, skipping: used) else {
          throw .diskFailed(path: path, reason: StorageError.message(for: errno))
        }
        table.refusedRecord = 0
        records.removeSubrange(refused...)
      }
      if records.isEmpty { return }
      try replay.apply(records)
    }
  }

  /// Waits until the commits that another process has in the journal alone are in the file. The caller has registered,
  /// so that there will be no others. If that process ends first, applies them.
  func awaitCheckpoint() throws(StorageError) {
    guard let files else { return }
    for _ in 0..<10_000 {
      guard try !hasEveryCommit() else { return }
      if WriterLock.isFree(files.store) {
        // The process may have completed its commit in between.
        guard try pendingRecord() != nil else { return }
        return try applyJournal()
      }
      usleep(500)
    }
    throw .locked(path: path)
  }

  /// Whether readers get every commit: none is in the journal alone, and they begin at the newest transaction of the
  /// pages. LMDB writes the meta page of a transaction before it lets readers begin there.
  private func hasEveryCommit() throws(StorageError) -> Bool {
    let pages = try PageFile(descriptor)
    guard let newest = pages.consistentMetas.first else { return true }
    guard pages.journalRecords(after: newest).isEmpty else { return false }
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == 0, let transaction else { throw .explaining(code, "begin", path: path) }
    defer { mdb_txn_abort(transaction) }
    return transaction.number >= newest.transaction
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
