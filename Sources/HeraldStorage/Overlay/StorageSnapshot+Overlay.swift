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
    guard let draft else { return overlay?.items }
    return draft.items(over: overlay?.items)
  }

  /// Returns the items of a database from a key on, in order.
  @inline(__always)
  func overlaidItems(
    _ space: RecordSpace, from key: UnsafeRawBufferPointer?
  ) -> ArraySlice<OverlayItem> {
    overlaidItems?.items(space, from: key) ?? []
  }

  /// Returns the entries that the version has beside LMDB's under a key, or not any more.
  @inline(__always)
  func overlaidEntries(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer
  ) -> ArraySlice<OverlayItem> {
    overlaidItems?.entries(space, key) ?? []
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
    guard case .reader = role, isReadable, read.group == nil, file === environment.file,
      let newest = environment.store.journaled.current,
      newest.base == transaction.number, newest.state.version == version
    else { return false }
    advance(to: newest)
    return true
  }
}
