internal import CLMDB
internal import Glibc
package import HeraldStorage

/// A snapshot of a store that a process holds.
package struct SnapshotHolder: Hashable, Sendable {
  package let process: Int
  /// The holder; nil if it has no label, such as a backup or a program of another version.
  package let label: ReaderLabel?
  package let version: Int
  /// Milliseconds since 1970; nil if unknown.
  package let since: Int?
  /// The bytes that cannot be reused as long as it is held.
  package let bytes: Int
}

extension StorageEnvironment {
  /// Returns the snapshots that processes hold at this moment, oldest first, after clearing those
  /// of dead processes.
  ///
  /// Reads the reader table and the list of free pages.
  package func snapshotHolders() throws(StorageError) -> [SnapshotHolder] {
    try checkpoint()
    try file.clearDeadReaders()
    let held = heldTransactions()
    let read = try beginRead()
    let newest = Int(mdb_txn_id(read.transaction))
    let freed = try freedPages(in: read.transaction)
    let pageSize = pageSize
    return held.map { process, transaction, note in
      // Without a note as many versions as transactions are assumed.
      let behind = note.map { (read.version - $0.version) & ReaderNote.versionMask }
      return SnapshotHolder(
        process: process, label: note?.label,
        version: max(0, read.version - (behind ?? newest - transaction)), since: note?.since,
        bytes: freed.reduce(0) { sum, entry in
          transaction..<max(newest, transaction) ~= entry.transactionID
            ? sum + entry.pages * pageSize : sum
        })
    }.sorted { one, other in
      (one.version, one.process, one.label?.name ?? "")
        < (other.version, other.process, other.label?.name ?? "")
    }
  }

  /// The transactions that processes hold.
  private func heldTransactions() -> [(process: Int, transaction: Int, note: ReaderNote?)] {
    let file = file
    let known = file.table?.readers.map { (Int($0.process), Int($0.transaction), $0.note) } ?? []
    let process = Int(file.files?.processNumber ?? getpid())
    return known + localHolders.map { (process, Int($0.transaction), $0) }
  }

  private var pageSize: Int {
    var statistics = MDB_stat()
    let file = file
    withExtendedLifetime(file) { _ = mdb_env_stat(file.handle, &statistics) }
    return Int(statistics.ms_psize)
  }

  /// The pages that each transaction freed and that were not reused, at the newest version.
  func freedPages() throws(StorageError) -> [(transactionID: Int, pages: Int)] {
    let read = try beginRead()
    return try freedPages(in: read.transaction)
  }

  /// The bytes of the file's free pages, at the newest version.
  package func freeBytes() throws(StorageError) -> Int {
    try checkpoint()
    let pageSize = pageSize
    return try freedPages().reduce(0) { $0 + $1.pages * pageSize }
  }

  private func freedPages(
    in transaction: OpaquePointer
  ) throws(StorageError) -> [(transactionID: Int, pages: Int)] {
    var opened: OpaquePointer?
    // LMDB's own list of free pages is database 0: it maps a transaction to the number of pages,
    // and the pages.
    let code = mdb_cursor_open(transaction, 0, &opened)
    guard code == 0, let cursor = opened else {
      throw .explaining(code, "read free pages", path: file.path)
    }
    defer { mdb_cursor_close(cursor) }
    var freed: [(transactionID: Int, pages: Int)] = []
    var key = MDB_val()
    var value = MDB_val()
    while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
      guard key.mv_size >= 8, value.mv_size >= 8 else { continue }
      freed.append(
        (
          Int(key.mv_data.loadUnaligned(as: UInt.self)),
          Int(value.mv_data.loadUnaligned(as: UInt.self))
        ))
    }
    return freed
  }
}
