internal import CLMDB
package import HeraldStorage

extension StorageSnapshot {
  /// Returns every structural inconsistency that a full recount of the store finds; empty if there
  /// are none. Reads every record.
  package func check() -> [String] {
    // LMDB trusts the pages, so they are checked first.
    let problems = fileProblems()
    if !problems.isEmpty { return problems }
    var check = StoreCheck(self)
    check.checkColumns()
    check.checkLists()
    check.checkLinksAndIndex()
    check.checkLog()
    if let failure = failure { check.note("a read failed: \(failure)") }
    return check.problems
  }

  /// Every column that has a record of any kind, including the presence column of a class. Reads
  /// every record.
  package func columnsInUse() -> Set<ColumnID> {
    var columns: Set<ColumnID> = []
    func note(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
      guard bytes.count >= offset + 8 else { return }
      columns.insert(
        ColumnID(
          classID: bytes.bigEndian(at: offset, as: UInt32.self),
          propertyID: bytes.bigEndian(at: offset + 4, as: UInt32.self)))
    }
    for space: RecordSpace in [
      .columns, .lists, .index,
    ] {
      forEachRecord(space, from: nil) { key, _ in
        note(key, at: 0)
        return true
      }
    }
    forEachRecord(.links, from: nil) { key, _ in
      note(key, at: 12)
      return true
    }
    for index in memtable?.indexes ?? [] { columns.insert(index.column) }
    return columns
  }

  /// The number of entries in a column's index, counted one by one: for consistency checks.
  package func indexEntryCount(_ column: ColumnID) -> Int {
    settle(column)
    var count = 0
    withAdded(column) { count += $0.entries.count }
    forEachRecord(.index, from: nil) { key, _ in
      guard key.count >= 8 else { return true }
      let isOfColumn =
        key.bigEndian(at: 0, as: UInt32.self) == column.classID
        && key.bigEndian(at: 4, as: UInt32.self) == column.propertyID
      if isOfColumn { count += 1 }
      return true
    }
    return count
  }

  /// Returns the problems of the file's pages and records in the version that the transaction
  /// reads, if a meta page still leads to it; empty for a store in memory.
  private func fileProblems() -> [String] {
    guard isChecked, !isOfWrite else { return [] }
    do throws(StorageError) {
      let verification = try StoreVerification(
        file.descriptor, transaction.number, .records)
      return verification.isOfAnotherVersion ? [] : verification.problems
    } catch {
      return ["the file cannot be read: \(error)"]
    }
  }
}
