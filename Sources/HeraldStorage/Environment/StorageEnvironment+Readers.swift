internal import CLMDB

/// One snapshot of a store that some process holds.
package struct SnapshotHolder: Hashable, Sendable {
  package let process: Int
  package let version: Int
  /// What cannot be used again for as long as it is held, in bytes.
  package let bytes: Int
}

extension StorageEnvironment {
  /// The snapshots that processes hold at this moment, oldest first; those of processes that have died
  /// are given up before.
  ///
  /// Cost: the table of readers, and the list of free pages.
  package func snapshotHolders() throws(StorageError) -> [SnapshotHolder] {
    var dead: Int32 = 0
    mdb_reader_check(file.handle, &dead)
    let held = heldTransactions()
    let read = try beginRead()
    let newest = Int(mdb_txn_id(read.snapshot.transaction))
    let freed = try freedPages(in: read.snapshot.transaction)
    let pageSize = pageSize
    return held.map { process, transactionID in
      // Store and LMDB count commits alike: each makes the next version, and the next transaction.
      SnapshotHolder(
        process: process, version: max(0, read.version - (newest - transactionID)),
        bytes: freed.reduce(0) { sum, entry in
          transactionID..<newest ~= entry.transactionID ? sum + entry.pages * pageSize : sum
        })
    }.sorted { ($0.version, $0.process) < ($1.version, $1.process) }
  }

  private var pageSize: Int {
    var statistics = MDB_stat()
    mdb_env_stat(file.handle, &statistics)
    return Int(statistics.ms_psize)
  }

  /// Which process holds which transaction, from LMDB's table of readers, which it tells as text: a
  /// process, a thread and a transaction a line, the last a dash where there is none.
  private func heldTransactions() -> [(process: Int, transactionID: Int)] {
    let lines = TextLines()
    mdb_reader_list(
      file.handle,
      { text, context in
        guard let text, let context else { return 0 }
        Unmanaged<TextLines>.fromOpaque(context).takeUnretainedValue().text += String(cString: text)
        return 0
      }, Unmanaged.passUnretained(lines).toOpaque())
    return lines.text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count == 3, let process = Int(fields[0]), let transactionID = Int(fields[2])
      else { return nil }
      return (process, transactionID)
    }
  }

  /// The pages that each transaction freed and that were not used again, at the newest version.
  func freedPages() throws(StorageError) -> [(transactionID: Int, pages: Int)] {
    let read = try beginRead()
    return try freedPages(in: read.snapshot.transaction)
  }

  private func freedPages(
    in transaction: OpaquePointer
  ) throws(StorageError) -> [(transactionID: Int, pages: Int)] {
    var opened: OpaquePointer?
    // LMDB's own list of free pages is the database 0: from a transaction to the number of pages, and
    // the pages.
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

private final class TextLines { var text = "" }
