internal import CLMDB

extension StorageSnapshot {
  package static func metadataKey(_ name: String) -> [UInt8] { Array("m:\(name)".utf8) }

  /// Returns the bytes that `setMetadata` stored under a name.
  package func metadata(_ name: String) -> [UInt8]? {
    get(.meta, Self.metadataKey(name)).map { [UInt8]($0) }
  }

  /// Returns the content of a record in place, nil if there is none; an index entry as it is.
  package func get(_ space: RecordSpace, _ key: FixedKey) -> UnsafeRawBufferPointer? {
    guard !isEnded else { return nil }
    if let content = held(space, key) { return content }
    if let item = overlaid(space, key) { return item.content }
    var value = MDB_val()
    let code = key.withValue { mdb_get(transaction, databases[space], &$0, &value) }
    return content(code, value, space, key)
  }

  package func get(_ space: RecordSpace, _ key: [UInt8]) -> UnsafeRawBufferPointer? {
    key.withUnsafeBytes { get(space, $0) }
  }

  package func get(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard !isEnded else { return nil }
    if space == .columns, let content = pending?.held?.content(key) { return content }
    if let item = overlaid(space, key) { return item.content }
    var value = MDB_val()
    var sought = MDB_val(key)
    let code = mdb_get(transaction, databases[space], &sought, &value)
    guard code == 0 else {
      if code != MDB_NOTFOUND { note(explaining(code, "read")) }
      return nil
    }
    return content(of: UnsafeRawBufferPointer(value), space, key)
  }

  /// A record that replayed commits have changed and that is not written yet.
  @inline(__always)
  private func held(_ space: RecordSpace, _ key: FixedKey) -> UnsafeRawBufferPointer? {
    guard space == .columns, let held = pending?.held else { return nil }
    return key.withBytes { held.content($0) }
  }

  /// Returns the content of the record that a call of LMDB returned with `code`; nil if there is none.
  func content(
    _ code: Int32, _ value: MDB_val, _ space: RecordSpace, _ key: FixedKey
  ) -> UnsafeRawBufferPointer? {
    if code == 0 {
      let record = UnsafeRawBufferPointer(value)
      guard isChecked else { return record.content(inMemory: space) }
      if isKnown(record, key) { return record.withoutTrailer }
      guard let content = key.withBytes({ content(of: record, space, $0) }) else { return nil }
      cache.noteIntact(record, key)
      return content
    }
    if code != MDB_NOTFOUND { note(explaining(code, "read")) }
    return nil
  }

  /// Returns whether the record was verified at the same address before.
  @inline(__always)
  private func isKnown(_ record: UnsafeRawBufferPointer, _ key: FixedKey) -> Bool {
    record.count >= RecordTrailer.size && cache.isIntact(record, key)
  }

  /// Returns a record without its trailer; if it is damaged, returns nil and sets the snapshot's failure.
  func content(
    of record: UnsafeRawBufferPointer, _ space: RecordSpace, _ key: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    if space.entrySize != nil { return record }
    guard isChecked else { return record.content(inMemory: space) }
    guard record.isIntact(space, key), RecordTrailer(endOf: record).isWritten(by: newestReadable)
    else {
      note(damaged(RecordName(space, key).description))
      return nil
    }
    return record.withoutTrailer
  }

  /// Runs `body` with a cursor over a database.
  func withCursor(_ space: RecordSpace, _ body: (OpaquePointer) throws -> Void) rethrows {
    guard !isEnded else { return }
    var cursor: OpaquePointer?
    let code = mdb_cursor_open(transaction, databases[space], &cursor)
    guard code == 0, let cursor else { return note(explaining(code, "open a cursor")) }
    defer { mdb_cursor_close(cursor) }
    try body(cursor)
  }

  /// Calls `body` with the key and the content of every record from `key` on, in order, until it
  /// returns false. Skips damaged records and notes the failure.
  package func forEachRecord(
    _ space: RecordSpace, from key: FixedKey?,
    _ body: (_ key: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer) throws -> Bool
  ) rethrows {
    try forEachWholeRecord(space, from: key) { key, record in
      if space == .meta && StoreFormat.isKey(key) { return try body(key, record) }
      guard let content = content(of: record, space, key) else { return true }
      return try body(key, content)
    }
  }

  /// The same with whole records, which are not verified.
  func forEachWholeRecord(
    _ space: RecordSpace, from key: FixedKey?,
    _ body: (_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Bool
  ) rethrows {
    try withCursor(space) { cursor in
      var merged = MergedCursor(self, space, cursor, from: key)
      while let element = merged.next() {
        guard let record = element.record else { continue }
        guard try body(element.key, record) else { return }
      }
      noteEnd(of: merged)
    }
  }

  /// Notes the failure of a cursor that has no further element, if it has one.
  func noteEnd(of cursor: MergedCursor) {
    if cursor.code != MDB_NOTFOUND { note(explaining(cursor.code, "read")) }
  }

  /// The number of records, or of entries, in LMDB's transaction.
  private func storedCount(_ space: RecordSpace) -> Int {
    var statistics = MDB_stat()
    mdb_stat(transaction, databases[space], &statistics)
    return Int(statistics.ms_entries)
  }

  /// At least as many as `recordCount`.
  func largestRecordCount(_ space: RecordSpace) -> Int {
    storedCount(space) + (overlay?.items.items(space, from: nil).count ?? 0)
      + (draft?.items.items(space, from: nil).count ?? 0)
  }

  /// The number of records, or of entries.
  func recordCount(_ space: RecordSpace) -> Int {
    var count = storedCount(space)
    withCursor(space) { cursor in
      for item in overlaidItems(space, from: nil) {
        var (key, value) = (MDB_val(item.key), MDB_val(item.value))
        let isEntry = space.entrySize != nil
        let code = mdb_cursor_get(cursor, &key, &value, isEntry ? MDB_GET_BOTH : MDB_SET)
        count += (item.record == nil ? 0 : 1) - (code == 0 ? 1 : 0)
      }
    }
    return count
  }

  package func explaining(_ code: Int32, _ operation: String) -> StorageError {
    .explaining(code, operation, path: environment.file.path)
  }
}

extension StorageSnapshot {
  /// Writes a record, as the commit of `version` does, by default that of this transaction; invalidates every pointer
  /// into the store that was returned before.
  package func put(
    _ space: RecordSpace, _ key: FixedKey, _ content: UnsafeRawBufferPointer, version: Int? = nil
  ) throws(StorageError) {
    let target = try key.withBytes { key throws(StorageError) in
      try reserve(space, key, content.count)
    }
    target.copyMemory(from: content)
    key.withBytes { seal(space, $0, target, version: version) }
  }

  func put(_ space: RecordSpace, _ key: FixedKey, _ content: [UInt8]) throws(StorageError) {
    try content.span.bytes.withUnsafeBytes { content throws(StorageError) in
      try put(space, key, content)
    }
  }

  package func put(_ space: RecordSpace, _ key: [UInt8], _ content: [UInt8]) throws(StorageError) {
    try key.span.bytes.withUnsafeBytes { key throws(StorageError) in
      let target = try reserve(space, key, content.count)
      target.copyBytes(from: content)
      seal(space, key, target)
    }
  }

  /// Writes a draft in its stored form, encoded directly into the record.
  package func put(
    _ space: RecordSpace, _ key: FixedKey, _ draft: BlockDraft, version: Int? = nil
  ) throws(StorageError) {
    let layout = BlockLayout(draft)
    let spare = file.mayChangeInPlace ? draft.spare(layout) : 0
    let target = try key.withBytes { key throws(StorageError) in
      try reserve(space, key, layout.size, spare: spare)
    }
    layout.encode(draft, into: target)
    key.withBytes { seal(space, $0, target, version: version, spare: spare) }
  }

  /// Writes a patched block in its stored form.
  func put(_ space: RecordSpace, _ key: FixedKey, _ patch: BlockPatch) throws(StorageError) {
    let spare = file.mayChangeInPlace ? patch.spareWhenStored : 0
    let target = try key.withBytes { key throws(StorageError) in
      try reserve(space, key, patch.size, spare: spare)
    }
    if let base = target.baseAddress { patch.write(to: base) }
    key.withBytes { seal(space, $0, target, spare: spare) }
  }

  /// Reserves space for a record and its trailer, in a store in memory with `spare` bytes between both; returns the
  /// space of its content.
  private func reserve(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ size: Int, spare: Int = 0
  ) throws(StorageError) -> UnsafeMutableRawBufferPointer {
    try beginChange(of: size)
    if let draft {
      forgetDigest(of: key, space)
      let item = OverlayItem(space, key, size: size)
      put(item, in: draft)
      return item.target
    }
    try makeRoom(for: size)
    try noteMemory(size)
    forgetDigest(of: key, space)
    var sought = MDB_val(key)
    var value = MDB_val(mv_size: size + spare + RecordTrailer.size, mv_data: nil)
    try written(
      mdb_put(transaction, databases[space], &sought, &value, UInt32(MDB_RESERVE)))
    pending?.hasPut = true
    return UnsafeMutableRawBufferPointer(start: value.mv_data, count: size)
  }

  /// LMDB keeps a record of more than a page in memory until the commit, or until it is spilled, except in
  /// memory stores, which are written through their map.
  private func noteMemory(_ size: Int) throws(StorageError) {
    guard size > WriteMemory.pageSize, let pending, !environment.isInMemory else { return }
    pending.largeRecords.add(size)
    guard pending.largeRecords.bytes > environment.writeLimit else { return }
    let error = StorageError.writeTooLarge(limit: environment.writeLimit)
    note(error)
    throw error
  }

  /// Appends the trailer to a complete content.
  private func seal(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ content: UnsafeMutableRawBufferPointer,
    version: Int? = nil, spare: Int = 0
  ) {
    guard let pending, let base = content.baseAddress else { return }
    guard isChecked else {
      return SpareBytes.note(spare, behind: base + content.count)
    }
    let trailer = RecordTrailer(
      space, key, UnsafeRawBufferPointer(content),
      version: UInt32(truncatingIfNeeded: version ?? newestReadable))
    trailer.store(at: base + content.count)
    if !Self.isState(space, key) { pending.digest[space] &+= trailer.digest }
  }

  private static func isState(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> Bool {
    space == .meta && key.elementsEqual(StoreState.key.utf8)
  }

  /// Subtracts a record that is about to be replaced or removed from the digest, and notes it for other copies.
  func forgetDigest(of key: UnsafeRawBufferPointer, _ space: RecordSpace) {
    guard isChecked, let pending, !Self.isState(space, key) else { return }
    let old = record(space, key)
    pending.capture?.noteRecord(space, key, from: old?.withoutTrailer)
    guard let old, old.count >= RecordTrailer.size else { return }
    pending.digest[space] &-= RecordTrailer(endOf: old).digest
  }

  /// Returns a whole record as it is, nil if there is none.
  func record(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    if let item = overlaid(space, key) { return item.record }
    var sought = MDB_val(key)
    var value = MDB_val()
    guard mdb_get(transaction, databases[space], &sought, &value) == 0 else { return nil }
    return UnsafeRawBufferPointer(value)
  }

  /// Deletes a record, if there is one.
  package func delete(_ space: RecordSpace, _ key: FixedKey) throws(StorageError) {
    try key.withBytes { key throws(StorageError) in try delete(space, key) }
  }

  package func delete(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) throws(StorageError) {
    try beginChange(of: key.count)
    if let draft {
      guard record(space, key) != nil else { return }
      forgetDigest(of: key, space)
      return put(OverlayItem(deleted: key, space), in: draft)
    }
    try makeRoom()
    forgetDigest(of: key, space)
    var sought = MDB_val(key)
    let code = mdb_del(transaction, databases[space], &sought, nil)
    try written(code == MDB_NOTFOUND ? 0 : code)
  }

  /// Adds an entry of an index or a reverse link, unless it is there, or removes one that is there; returns whether it
  /// has.
  @discardableResult
  func change(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer,
    isAdded: Bool
  ) throws(StorageError) -> Bool {
    try beginChange(of: key.count + entry.count)
    if let draft {
      guard hasEntry(space, key, entry) != isAdded else { return false }
      put(OverlayItem(space, key, entry, isAdded: isAdded), in: draft)
    } else {
      try makeRoom()
      var (sought, value) = (MDB_val(key), MDB_val(entry))
      let database = databases[space]
      let code =
        isAdded
        ? mdb_put(transaction, database, &sought, &value, UInt32(MDB_NODUPDATA))
        : mdb_del(transaction, database, &sought, &value)
      let isDone = code != (isAdded ? MDB_KEYEXIST : MDB_NOTFOUND)
      try written(isDone ? code : 0)
      guard isDone else { return false }
    }
    countEntry(space, key, entry, isAdded: isAdded)
    return true
  }

  /// Counts an entry that was added or removed in the digest, and captures it for other copies.
  @inline(__always)
  func countEntry(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer,
    isAdded: Bool
  ) {
    guard isChecked, let pending else { return }
    let share = StoreDigest.share(space, key, entry)
    if isAdded { pending.digest[space] &+= share } else { pending.digest[space] &-= share }
    pending.capture?.noteEntry(space, key, entry, isAdded: isAdded)
  }

  /// Must follow every change of a record: `code` is LMDB's result.
  func written(_ code: Int32) throws(StorageError) {
    cache.forgetAll()
    pending?.hasWritten = true
    try checkFailure()
    guard code != 0 else { return }
    let error = explaining(code, "write")
    note(error)
    throw error
  }

  package func damaged(_ reason: String) -> StorageError {
    .damaged(path: environment.file.path, reason: reason)
  }

  /// Returns the object number in an entry of an index or a reverse link; notes damage and returns nil if no
  /// object can have it. These entries have no checksum of their own.
  @inline(__always)
  func objectNumber(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    let number = bytes.bigEndian(at: offset, as: UInt64.self)
    guard number > 0, number <= UInt64(UInt32.max) else {
      note(damaged("an entry of an index or a reverse link names no object"))
      return nil
    }
    return Int(truncatingIfNeeded: number)
  }
}

extension UnsafeRawBufferPointer {
  /// A record's content; empty if the record is shorter than a trailer.
  @inline(__always)
  package var withoutTrailer: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: baseAddress, count: Swift.max(0, count &- RecordTrailer.size))
  }

  /// Returns whether a record is as it was written under a key.
  package func isIntact(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> Bool {
    guard count >= RecordTrailer.size else { return false }
    let found = RecordTrailer(endOf: self)
    return RecordTrailer(space, key, withoutTrailer, version: found.version).checksum
      == found.checksum
  }
}
