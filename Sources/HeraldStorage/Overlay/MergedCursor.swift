internal import CLMDB

/// The records of a database, or its entries, in the order of their keys: those of LMDB's transaction, and among them, or
/// in their place, what the overlay and the draft of a snapshot have.
struct MergedCursor {
  struct Element {
    let key: UnsafeRawBufferPointer
    /// The record in LMDB's transaction, or the first entry; nil if the key is not there.
    let stored: UnsafeRawBufferPointer?
    /// What there is in its place, or beside it.
    let changed: ArraySlice<OverlayItem>

    /// What the snapshot has, if the cursor does not go by key; nil if it is deleted.
    var record: UnsafeRawBufferPointer? {
      if let changed = changed.first { changed.record } else { stored }
    }
  }

  private let space: RecordSpace
  private let cursor: OpaquePointer
  private let step: MDB_cursor_op
  private var changed: ArraySlice<OverlayItem>
  private var key = MDB_val()
  private var value = MDB_val()
  /// LMDB's, `MDB_NOTFOUND` after its last record.
  private(set) var code: Int32 = 0
  /// Whether what the cursor is at has been returned.
  private var isDone = false

  /// - Parameters:
  ///   - cursor: LMDB's, of that database, which the caller may move among the entries of a key.
  ///   - key: The first key, or one before it; nil for all.
  ///   - byKey: Whether all entries of a key are one element.
  init(
    _ snapshot: StorageSnapshot, _ space: RecordSpace, _ cursor: OpaquePointer,
    from key: UnsafeRawBufferPointer?, byKey: Bool = false
  ) {
    self.space = space
    self.cursor = cursor
    step = byKey ? MDB_NEXT_NODUP : MDB_NEXT
    changed = snapshot.overlaidItems(space, from: key)
    if let key { self.key = MDB_val(key) }
    code = mdb_cursor_get(cursor, &self.key, &value, key == nil ? MDB_FIRST : MDB_SET_RANGE)
  }

  init(
    _ snapshot: StorageSnapshot, _ space: RecordSpace, _ cursor: OpaquePointer, from key: FixedKey?
  ) {
    guard let key else {
      self.init(snapshot, space, cursor, from: UnsafeRawBufferPointer?.none)
      return
    }
    self = key.withBytes { MergedCursor(snapshot, space, cursor, from: $0) }
  }

  /// The entries of one key, one by one.
  init(_ entries: KeyEntries) {
    space = entries.space
    cursor = entries.cursor
    step = MDB_NEXT_DUP
    changed = entries.element.changed
    key = MDB_val(entries.element.key)
    value = MDB_val(entries.element.stored ?? UnsafeRawBufferPointer(start: nil, count: 0))
    code = entries.element.stored == nil ? MDB_NOTFOUND : 0
  }

  mutating func next() -> Element? {
    if isDone { code = mdb_cursor_get(cursor, &key, &value, step) }
    isDone = false
    guard code == 0 || code == MDB_NOTFOUND && !changed.isEmpty else { return nil }
    let order = order
    if order > 0 {
      isDone = true
      return Element(
        key: UnsafeRawBufferPointer(key), stored: UnsafeRawBufferPointer(value), changed: [])
    }
    let items = itemsOfNextKey
    changed = changed[items.endIndex...]
    isDone = order == 0
    return Element(
      key: items[items.startIndex].key,
      stored: order == 0 ? UnsafeRawBufferPointer(value) : nil, changed: items)
  }

  /// Negative if the overlay has the next element alone, positive if LMDB has, and 0 if both have.
  private var order: Int {
    guard let item = changed.first else { return 1 }
    guard code == 0 else { return -1 }
    let key = UnsafeRawBufferPointer(key)
    return step == MDB_NEXT_NODUP
      ? item.order(to: space, key) : item.order(to: space, key, UnsafeRawBufferPointer(value))
  }

  private var itemsOfNextKey: ArraySlice<OverlayItem> {
    guard step == MDB_NEXT_NODUP, let first = changed.first else { return changed.prefix(1) }
    let key = first.key
    return changed.prefix { $0.order(to: space, key) == 0 }
  }
}

/// The entries of one key of an index, or of reverse links: in LMDB's transaction, where a cursor is, and beside that.
struct KeyEntries {
  let space: RecordSpace
  let element: MergedCursor.Element
  let cursor: OpaquePointer
  /// The number of entries in LMDB's transaction.
  let storedCount: Int

  init(_ element: MergedCursor.Element, _ space: RecordSpace, _ cursor: OpaquePointer) {
    self.space = space
    self.element = element
    self.cursor = cursor
    var count = 0
    if element.stored != nil { mdb_cursor_count(cursor, &count) }
    storedCount = count
  }

  /// The number of entries. O(those of the overlay).
  var count: Int {
    element.changed.reduce(storedCount) { $0 + ($1.change == .added ? 1 : -1) }
  }
}

extension StorageSnapshot {
  /// Returns the entries of a key, to which the cursor moves.
  func entries(
    of key: UnsafeRawBufferPointer, _ space: RecordSpace, _ cursor: OpaquePointer
  ) -> KeyEntries {
    var (sought, value) = (MDB_val(key), MDB_val())
    let code = mdb_cursor_get(cursor, &sought, &value, MDB_SET)
    if code != 0, code != MDB_NOTFOUND { note(explaining(code, "read")) }
    let element = MergedCursor.Element(
      key: key, stored: code == 0 ? UnsafeRawBufferPointer(value) : nil,
      changed: overlaidEntries(space, key))
    return KeyEntries(element, space, cursor)
  }

  /// Calls `body` with the entries under a key, ascending, some at a time, until it returns false.
  func forEachPage(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) rethrows {
    try withCursor(space) { try forEachPage(of: entries(of: key, space, $0), body) }
  }

  func forEachPage(
    of entries: KeyEntries, _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) rethrows {
    guard entries.element.changed.isEmpty else {
      var merged = MergedCursor(entries)
      while let element = merged.next() {
        guard let entry = element.record else { continue }
        guard try body(entry) else { return }
      }
      return noteEnd(of: merged)
    }
    guard let first = entries.element.stored else { return }
    // The page that LMDB returns for a key with a single entry is that of the key before.
    guard entries.storedCount > 1 else {
      _ = try body(first)
      return
    }
    var (key, value) = (MDB_val(), MDB_val())
    var code = mdb_cursor_get(entries.cursor, &key, &value, MDB_GET_MULTIPLE)
    while code == 0 {
      guard try body(UnsafeRawBufferPointer(value)) else { return }
      code = mdb_cursor_get(entries.cursor, &key, &value, MDB_NEXT_MULTIPLE)
    }
    if code != MDB_NOTFOUND { note(explaining(code, "read")) }
  }
}
