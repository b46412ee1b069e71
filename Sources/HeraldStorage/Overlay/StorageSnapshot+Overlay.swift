internal import CLMDB

// What a snapshot reads beside LMDB's transaction: the overlay of its version, and what its own write has changed.

extension StorageSnapshot {
  /// Returns what the version has in place of LMDB's record; nil if that is it.
  @inline(__always)
  func overlaid(_ space: RecordSpace, _ key: FixedKey) -> OverlayItem? {
    if overlay == nil && draft == nil { return nil }
    return draft?.items.find(space, key) ?? overlay?.items.find(space, key)
  }

  @inline(__always)
  func overlaid(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> OverlayItem? {
    if overlay == nil && draft == nil { return nil }
    return draft?.items.find(space, key) ?? overlay?.items.find(space, key)
  }

  /// All items that are read in place of LMDB's.
  private var overlaidItems: OverlayItems? {
    guard let draft, !draft.items.all.isEmpty else { return overlay?.items }
    guard let overlay else { return draft.items }
    return draft.items(over: overlay.items)
  }

  /// Returns the items of a database from a key on, in order.
  @inline(__always)
  func overlaidItems(
    _ space: RecordSpace, from key: UnsafeRawBufferPointer?
  ) -> ArraySlice<OverlayItem> {
    if overlay == nil && draft == nil { return [] }
    return overlaidItems?.items(space, from: key) ?? []
  }

  func overlaidItems(_ space: RecordSpace, from key: FixedKey?) -> ArraySlice<OverlayItem> {
    guard let key else { return overlaidItems(space, from: UnsafeRawBufferPointer?.none) }
    return key.withBytes { overlaidItems(space, from: $0) }
  }

  /// Returns the entries that the version has beside LMDB's under a key, or not any more.
  @inline(__always)
  func overlaidEntries(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer
  ) -> ArraySlice<OverlayItem> {
    if overlay == nil && draft == nil { return [] }
    return changedEntries(space, key)
  }

  @inline(never)
  private func changedEntries(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer
  ) -> ArraySlice<OverlayItem> {
    let earlier = overlay?.items.entries(space, key) ?? []
    let later = draft?.items.entries(space, key) ?? []
    if earlier.isEmpty || later.isEmpty { return earlier + later }
    var merged = OverlayItems()
    for item in earlier + later { merged.put(item) }
    return merged.all[...]
  }

  /// Calls `body` with the entries under a key, ascending, some at a time, until it returns false.
  func forEachPage(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) rethrows {
    let changed = overlaidEntries(space, key)
    try withCursor(space) { cursor in
      var sought = MDB_val(key)
      let first = firstPage(cursor, &sought)
      if changed.isEmpty { return try forEachPage(cursor, first, body) }
      var entries: [UInt8] = []
      forEachPage(cursor, first) {
        entries += $0
        return true
      }
      let merged = Self.merged(entries, changed, space)
      if !merged.isEmpty { try merged.withUnsafeBytes { _ = try body($0) } }
    }
  }

  /// Returns entries in the order of their bytes, with those that were added and without those that were removed.
  static func merged(
    _ entries: [UInt8], _ changed: ArraySlice<OverlayItem>, _ space: RecordSpace
  ) -> [UInt8] {
    let size = space.entrySize ?? 1
    var merged: [UInt8] = []
    merged.reserveCapacity(entries.count + changed.count * size)
    entries.withUnsafeBytes { entries in
      var next = changed.startIndex
      for offset in stride(from: 0, to: entries.count, by: size) {
        let entry = UnsafeRawBufferPointer(rebasing: entries[offset..<offset + size])
        while next < changed.endIndex, changed[next].value.order(to: entry) < 0 {
          if let added = changed[next].record { merged += added }
          next += 1
        }
        if next < changed.endIndex, changed[next].value.order(to: entry) == 0 {
          if let added = changed[next].record { merged += added }
          next += 1
        } else {
          merged += entry
        }
      }
      for item in changed[next...] { if let added = item.record { merged += added } }
    }
    return merged
  }

  /// Returns whether an entry is there.
  func hasEntry(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer
  ) -> Bool {
    if let item = overlaidEntries(space, key).first(where: { $0.value.order(to: entry) == 0 }) {
      return item.record != nil
    }
    var isThere = false
    withCursor(space) { cursor in
      var (sought, value) = (MDB_val(key), MDB_val(entry))
      let code = mdb_cursor_get(cursor, &sought, &value, MDB_GET_BOTH)
      if code != 0, code != MDB_NOTFOUND { note(explaining(code, "read")) }
      isThere = code == 0
    }
    return isThere
  }

  /// Moves a read transaction to the newest version, if that is the given one, and its commits since are in the journal
  /// alone; returns whether that is so. The caller has the writer lock.
  package func advanceInJournal(to version: Int) -> Bool {
    guard isReadable, pending == nil, !isShared, borrower == nil, joined == nil,
      file === environment.file, let newest = environment.store.journaled.current,
      newest.base == transaction.number, newest.state.version == version
    else { return false }
    advance(to: newest)
    return true
  }
}
