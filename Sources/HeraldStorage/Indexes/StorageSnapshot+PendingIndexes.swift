internal import CLMDB

// Additions of a write transaction to the indexes: those of integers are merged into reads, and
// flushed to the tree by the commit; all others are flushed before the index is read.

extension StorageSnapshot {
  /// Returns the entries not yet in the tree whose keys are in a range.
  func addedEntries(
    _ column: ColumnID, _ keys: (first: [UInt8], last: [UInt8])
  ) -> ArraySlice<PendingIndex.Entry> {
    guard memtable != nil || pending?.index(column) != nil,
      let values = IndexKey.orderedIntegers(keys)
    else { return [] }
    var added: ArraySlice<PendingIndex.Entry> = []
    withAdded(column) { index in
      let range = index.range(of: values)
      if added.isEmpty { added = index.entries[range] } else { added += index.entries[range] }
    }
    return added
  }

  /// Returns the numbers not yet in the tree under one integer, ascending for each of the indexes that have them.
  func addedNumbers(_ column: ColumnID, _ integer: Int) -> [Int] {
    var numbers: [Int] = []
    withAdded(column) { index in
      let added = index.numbers(under: IndexKey.ordered(integer))
      if !added.isEmpty { numbers += added }
    }
    return numbers
  }

  /// Returns the numbers of a range in the order of their values, merged with those of `added`.
  func merged(
    _ column: ColumnID, _ keys: (first: [UInt8], last: [UInt8]),
    _ added: ArraySlice<PendingIndex.Entry>
  ) -> [Int] {
    var entries = Array(added)
    func take(_ value: UInt64, _ bytes: UnsafeRawBufferPointer) {
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        entries.append(.init(value: value, number: bytes.bigEndian(at: offset, as: UInt64.self)))
      }
    }
    forEachKey(keys) { found, stored in
      guard let value = IndexKey.orderedInteger(found, of: column) else { return true }
      forEachPage(of: stored) { bytes in
        take(value, bytes)
        return true
      }
      return true
    }
    return entries.sorted().map { Int(truncatingIfNeeded: $0.number) }
  }

  /// An upper bound of a column's values in the tree in this transaction, nil if it has none.
  func ceiling(_ index: PendingIndex) -> UInt64? {
    if let ceiling = index.ceiling { return ceiling }
    var largest: UInt64?
    withCursor(.index) { cursor in
      var value = MDB_val()
      // Seeks the key after the last of the column's integers.
      var (code, found) = IndexKey.withEncoded(index.column, ordered: .max) { bytes in
        var key = MDB_val(bytes)
        let code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
        return (code, key)
      }
      if code == 0 {
        largest = IndexKey.orderedInteger(UnsafeRawBufferPointer(found), of: index.column)
        if largest != nil { return }
      }
      let step = code == MDB_NOTFOUND ? MDB_LAST : MDB_PREV_NODUP
      if code == 0 || code == MDB_NOTFOUND {
        code = mdb_cursor_get(cursor, &found, &value, step)
      }
      if code == 0 {
        largest = IndexKey.orderedInteger(UnsafeRawBufferPointer(found), of: index.column)
      } else if code != MDB_NOTFOUND {
        note(explaining(code, "read"))
      }
    }
    if let overlaid = overlaidCeiling(index.column) { largest = max(largest ?? 0, overlaid) }
    index.ceiling = .some(largest)
    return largest
  }

  /// The largest integer of a column's index that the overlay has beside the tree.
  private func overlaidCeiling(_ column: ColumnID) -> UInt64? {
    let items = IndexKey.withEncoded(column, ordered: 0) { overlaidItems(.index, from: $0) }
    var largest: UInt64?
    for item in items where item.change == .added {
      guard let value = IndexKey.orderedInteger(item.key, of: column) else { break }
      largest = value
    }
    return largest
  }

  /// Writes the entries to the tree that must be there before a column's index is read.
  package func settle(_ column: ColumnID) {
    guard let keys = pending?.keys(column), !keys.entries.isEmpty else { return }
    do throws(StorageError) { try flush(keys) } catch { note(error) }
  }

  /// The same before one key is read.
  func settle(_ column: ColumnID, for key: UnsafeRawBufferPointer) {
    guard let keys = pending?.keys(column), keys.mayHold(key) else { return }
    settle(column)
  }

  /// Flushes the largest parts of the pending entries until the rest is half of what they may occupy together.
  @inline(never)
  func limitPendingEntries(_ changes: WriteBuffer) throws(StorageError) {
    guard changes.indexByteCount > WriteBuffer.indexByteLimit else { return }
    while changes.indexByteCount > WriteBuffer.indexByteLimit / 2 {
      let index = changes.indexes.max { $0.byteCount < $1.byteCount }
      let keys = changes.keys.max { $0.byteCount < $1.byteCount }
      if let index, index.byteCount > keys?.byteCount ?? 0 {
        try flush(index)
      } else if let keys {
        try flush(keys)
        keys.releaseMemory()
      }
    }
  }

  func flush(_ keys: PendingKeys) throws(StorageError) {
    guard !keys.entries.isEmpty else { return }
    try checkFailure()
    try beginChange(of: keys.byteCount, items: keys.entries.count)
    if draft != nil {
      var failure: StorageError?
      keys.drain { key, number in
        do throws(StorageError) {
          try add(key, UInt64(number))
        } catch {
          failure = error
        }
        return failure == nil
      }
      if let failure { throw failure }
      return
    }
    var code: Int32 = 0
    withCursor(.index) { cursor in
      var isLast = false
      var before: UnsafeRawBufferPointer?
      keys.drain { bytes, number in
        let isSame = before.map { $0.order(to: bytes) == 0 } ?? false
        if before == nil { isLast = isBeyondAll(bytes, cursor) }
        before = bytes
        let flags = !isLast ? 0 : isSame ? MDB_APPENDDUP : MDB_APPEND
        var number = UInt64(number).bigEndian
        code = withUnsafeMutableBytes(of: &number) { number in
          put(
            MDB_val(bytes), MDB_val(mv_size: number.count, mv_data: number.baseAddress), cursor,
            UInt32(flags))
        }
        return code == 0
      }
    }
    try written(code)
  }

  /// Writes a column's pending entries to the tree: in order, with one cursor, which finds the
  /// position of each next to the last.
  func flush(_ index: PendingIndex) throws(StorageError) {
    guard !index.entries.isEmpty else { return }
    try checkFailure()
    index.sort()
    let count = index.entries.count
    try beginChange(of: count * MemoryLayout<PendingIndex.Entry>.size * 2, items: count)
    if draft != nil || count == 1 {
      for entry in index.entries {
        try IndexKey.withEncoded(index.column, ordered: entry.value) { key throws(StorageError) in
          try add(key, entry.number)
        }
      }
    } else {
      try put(index.entries, index.column)
    }
    index.forgetEntries()
  }

  /// Adds one entry, unless it is there.
  private func add(_ key: UnsafeRawBufferPointer, _ number: UInt64) throws(StorageError) {
    _ = try withUnsafeBytes(of: number.bigEndian) { entry throws(StorageError) in
      try change(.index, key, entry, isAdded: true)
    }
  }

  /// Writes entries, which are sorted, to the tree.
  func put(_ entries: [PendingIndex.Entry], _ column: ColumnID) throws(StorageError) {
    var code: Int32 = 0
    withCursor(.index) { cursor in code = put(entries, column, cursor) }
    try written(code)
  }

  private func put(
    _ entries: [PendingIndex.Entry], _ column: ColumnID, _ cursor: OpaquePointer
  ) -> Int32 {
    let isLast = IndexKey.withEncoded(column, ordered: entries[0].value) {
      isBeyondAll($0, cursor)
    }
    if isLast { return append(entries, column, cursor) }
    var last: PendingIndex.Entry?
    for entry in entries where entry != last {
      let code = put(entry, column, cursor)
      guard code == 0 else { return code }
      last = entry
    }
    return 0
  }

  /// Appends entries at the end of the tree, which fills its pages completely. The numbers under one value are inserted
  /// together.
  private func append(
    _ entries: [PendingIndex.Entry], _ column: ColumnID, _ cursor: OpaquePointer
  ) -> Int32 {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { numbers in
      var start = 0
      while start < entries.count {
        let value = entries[start].value
        let isNew = start == 0 || entries[start - 1].value != value
        var end = start
        var count = 0
        while end < entries.count, entries[end].value == value, count < numbers.count {
          if end == 0 || entries[end] != entries[end - 1] {
            numbers[count] = entries[end].number.bigEndian
            count += 1
          }
          end += 1
        }
        let added = UnsafeMutableBufferPointer(rebasing: numbers[..<count])
        let code = count == 0 ? 0 : append(added, value, column, cursor, isNew: isNew)
        guard code == 0 else { return code }
        start = end
      }
      return 0
    }
  }

  /// Appends big-endian numbers under one integer, which is new or the last key of the tree.
  @inline(__always)
  private func append(
    _ numbers: UnsafeMutableBufferPointer<UInt64>, _ value: UInt64, _ column: ColumnID,
    _ cursor: OpaquePointer, isNew: Bool
  ) -> Int32 {
    let spilled = spillIfDue()
    guard spilled == 0 else { return spilled }
    let flags = UInt32(MDB_APPENDDUP | (isNew ? MDB_APPEND : 0))
    return IndexKey.withEncoded(column, ordered: value) { bytes in
      var key = MDB_val(bytes)
      var code: Int32
      if numbers.count == 1 {
        var entry = MDB_val(mv_size: 8, mv_data: numbers.baseAddress)
        code = mdb_cursor_put(cursor, &key, &entry, flags)
      } else {
        code = withUnsafeTemporaryAllocation(of: MDB_val.self, capacity: 2) { entries in
          entries[0] = MDB_val(mv_size: 8, mv_data: numbers.baseAddress)
          entries[1] = MDB_val(mv_size: numbers.count, mv_data: nil)
          return mdb_cursor_put(cursor, &key, entries.baseAddress, flags | UInt32(MDB_MULTIPLE))
        }
      }
      guard code == 0, isChecked else { return code }
      for number in numbers {
        withUnsafeBytes(of: number) { countEntry(.index, bytes, $0, isAdded: true) }
      }
      return 0
    }
  }

  @inline(__always)
  private func put(
    _ entry: PendingIndex.Entry, _ column: ColumnID, _ cursor: OpaquePointer
  ) -> Int32 {
    var number = entry.number.bigEndian
    return IndexKey.withEncoded(column, ordered: entry.value) { bytes in
      withUnsafeMutableBytes(of: &number) { number in
        put(
          MDB_val(bytes), MDB_val(mv_size: number.count, mv_data: number.baseAddress), cursor, 0)
      }
    }
  }

  /// Inserts an entry into the tree, unless it is there.
  @inline(__always)
  private func put(
    _ key: MDB_val, _ entry: MDB_val, _ cursor: OpaquePointer, _ flags: UInt32
  ) -> Int32 {
    var (key, entry) = (key, entry)
    let spilled = spillIfDue()
    guard spilled == 0 else { return spilled }
    // LMDB may change what both point to.
    let (keyBytes, entryBytes) = (UnsafeRawBufferPointer(key), UnsafeRawBufferPointer(entry))
    let code = mdb_cursor_put(cursor, &key, &entry, flags | UInt32(MDB_NODUPDATA))
    if code == 0 { countEntry(.index, keyBytes, entryBytes, isAdded: true) }
    return code == MDB_KEYEXIST ? 0 : code
  }

  /// Returns whether every key of the tree is smaller than one.
  private func isBeyondAll(_ key: UnsafeRawBufferPointer, _ cursor: OpaquePointer) -> Bool {
    var last = MDB_val()
    var entry = MDB_val()
    let code = mdb_cursor_get(cursor, &last, &entry, MDB_LAST)
    guard code == 0 else { return code == MDB_NOTFOUND }
    return UnsafeRawBufferPointer(last).order(to: key) < 0
  }
}
