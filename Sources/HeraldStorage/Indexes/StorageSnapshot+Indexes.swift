internal import CLMDB
package import HeraldModel

extension StorageSnapshot {
  /// Returns the numbers of the objects that the index holds under a value, ascending.
  ///
  /// Values of 502 bytes and more are found by their prefix and a hash: for these the caller must
  /// check that the objects found have the value.
  package func indexed(_ column: ColumnID, _ value: StoredValue) -> [Int] {
    settle(column)
    var numbers: [Int] = []
    IndexKey.withEncoded(column, value) { key in
      forEachPage(.index, key) { append($0, to: &numbers) }
    }
    if case .integer(let integer) = value {
      let added = addedNumbers(column, integer)
      if !added.isEmpty { numbers = (numbers + added).sorted() }
    }
    return numbers
  }

  private func indexed(_ column: ColumnID, _ keys: (first: [UInt8], last: [UInt8])) -> [Int] {
    settle(column)
    let added = addedEntries(column, keys)
    return added.isEmpty ? indexedInTree(keys) : merged(column, keys, added)
  }

  private func indexedInTree(_ keys: (first: [UInt8], last: [UInt8])) -> [Int] {
    var numbers: [Int] = []
    forEachKey(keys) { _, entries in
      forEachPage(of: entries) { append($0, to: &numbers) }
      return !hasFailed
    }
    return numbers
  }

  /// Appends the numbers of entries; returns false if one is damaged.
  private func append(_ bytes: UnsafeRawBufferPointer, to numbers: inout [Int]) -> Bool {
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      guard let number = objectNumber(bytes, at: offset) else { return false }
      numbers.append(number)
    }
    return true
  }

  /// Returns the first of these numbers. O(limit).
  private func firstIndexed(
    _ column: ColumnID, _ keys: (first: [UInt8], last: [UInt8]), limit: Int
  ) -> [Int] {
    settle(column)
    let added = addedEntries(column, keys)
    guard added.isEmpty else { return Array(merged(column, keys, added).prefix(limit)) }
    var numbers: [Int] = []
    forEachKey(keys) { _, entries in
      forEachPage(of: entries) { append($0, to: &numbers) && numbers.count < limit }
      return !hasFailed && numbers.count < limit
    }
    return Array(numbers.prefix(limit))
  }

  /// Returns the number of objects under one value. O(log n).
  private func indexedCount(_ column: ColumnID, _ value: StoredValue) -> Int {
    settle(column)
    var count = 0
    IndexKey.withEncoded(column, value) { key in
      withCursor(.index) { count = entries(of: key, .index, $0).count }
    }
    guard case .integer(let integer) = value else { return count }
    withAdded(column) { count += $0.numbers(under: IndexKey.ordered(integer)).count }
    return count
  }

  private func indexedCount(
    _ column: ColumnID, _ keys: (first: [UInt8], last: [UInt8]), limit: Int
  ) -> Int {
    settle(column)
    var total = addedEntries(column, keys).count
    guard total <= limit else { return total }
    forEachKey(keys) { _, entries in
      total += entries.count
      return total <= limit
    }
    return total
  }

  /// Calls `body` for each key from the first to those with the prefix `last`, until it returns
  /// false.
  func forEachKey(
    _ keys: (first: [UInt8], last: [UInt8]),
    _ body: (_ key: UnsafeRawBufferPointer, _ entries: KeyEntries) -> Bool
  ) {
    withCursor(.index) { cursor in
      var merged = keys.first.withUnsafeBytes {
        MergedCursor(self, .index, cursor, from: $0, byKey: true)
      }
      while let element = merged.next() {
        let prefix = UnsafeRawBufferPointer(rebasing: element.key.prefix(keys.last.count))
        if prefix.order(to: keys.last) > 0 { return }
        let entries = KeyEntries(element, .index, cursor)
        guard entries.count == 0 || body(element.key, entries) else { return }
      }
      noteEnd(of: merged)
    }
  }

  /// Returns the smallest number that `indexed` finds; one search in the tree, without allocating.
  package func firstIndexed(_ column: ColumnID, _ value: StoredValue) -> Int? {
    guard case .integer(let integer) = value else { return firstInTree(column, value) }
    return firstIndexed(column, integer)
  }

  /// The same of an integer.
  package func firstIndexed(_ column: ColumnID, _ integer: Int) -> Int? {
    let ordered = IndexKey.ordered(integer)
    var first = memtable?.index(column)?.first(under: ordered)
    if let index = pending?.indexReference(column) {
      let isAbove = index._withUnsafeGuaranteedRef { index in
        if index.entries.isEmpty { return false }
        if let added = index.first(under: ordered) { first = min(added, first ?? added) }
        // A bulk insert with ascending keys is above all values in the tree.
        guard let ceiling = ceiling(index) else { return true }
        return ordered > ceiling
      }
      if isAbove { return first }
    }
    guard let found = firstInTree(column, .integer(integer)) else { return first }
    return min(found, first ?? found)
  }

  private func firstInTree(_ column: ColumnID, _ value: StoredValue) -> Int? {
    IndexKey.withEncoded(column, value) { key in
      settle(column, for: key)
      if overlaid(.index, key) == nil {
        return get(.index, key).flatMap { objectNumber($0, at: 0) }
      }
      var first: Int?
      forEachPage(.index, key) { entries in
        first = objectNumber(entries, at: 0)
        return false
      }
      return first
    }
  }

  /// Returns the numbers of the objects whose value is in a range, in the order of the values. If
  /// bytes of 486 and more are compared, it may return others too: the caller must check the values.
  package func indexed(_ column: ColumnID, _ kind: ColumnKind, in range: IndexRange<StoredValue>)
    -> [Int]
  {
    if case .equal(let value) = range { return indexed(column, value) }
    return indexed(column, range.keys(column, kind))
  }

  /// Returns the first numbers that `indexed` returns. O(limit), in a write transaction O(range).
  package func firstIndexed(
    _ column: ColumnID, _ kind: ColumnKind, in range: IndexRange<StoredValue>, limit: Int
  ) -> [Int] {
    if case .equal(let value) = range {
      return Array(indexed(column, value).prefix(limit))
    }
    return firstIndexed(column, range.keys(column, kind), limit: limit)
  }

  /// The number of objects that `indexed` returns, counted until it exceeds `limit`. O(distinct
  /// values counted).
  package func indexedCount(
    _ column: ColumnID, _ kind: ColumnKind, in range: IndexRange<StoredValue>, limit: Int
  ) -> Int {
    if case .equal(let value) = range { return indexedCount(column, value) }
    return indexedCount(column, range.keys(column, kind), limit: limit)
  }
}

extension WriteTransaction {
  package func addToIndex(
    _ column: ColumnID, _ value: StoredValue, _ number: Int
  ) throws(StorageError) {
    if case .integer(let integer) = value { return try addToIndex(column, integer, number) }
    try snapshot.checkFailure()
    let keys = changes.keys(column) ?? changes.addedKeys(column)
    if keys.isFull { try snapshot.flush(keys) }
    keys.append(value, number)
    if changes.noteIndexEntry() { try snapshot.limitPendingEntries(changes) }
  }

  /// The same of an integer.
  package func addToIndex(
    _ column: ColumnID, _ integer: Int, _ number: Int
  ) throws(StorageError) {
    try snapshot.checkFailure()
    let index = changes.indexReference(column) ?? changes.addedIndex(column)
    if index._withUnsafeGuaranteedRef({ $0.isDue }) {
      try snapshot.flush(index.takeUnretainedValue())
    }
    index._withUnsafeGuaranteedRef {
      $0.append(.init(value: IndexKey.ordered(integer), number: UInt64(truncatingIfNeeded: number)))
    }
    if changes.noteIndexEntry() { try snapshot.limitPendingEntries(changes) }
  }

  /// Removes an entry from the index; throws `damaged` if it is not there.
  package func removeFromIndex(
    _ column: ColumnID, _ value: StoredValue, _ number: Int
  ) throws(StorageError) {
    try snapshot.checkFailure()
    if case .integer = value, let index = changes.index(column), index.mayHold(number) {
      try snapshot.flush(index)
    }
    if let keys = changes.keys(column), keys.mayHold(number) { try snapshot.flush(keys) }
    let isRemoved = try IndexKey.withEncoded(column, value) { key throws(StorageError) in
      try withUnsafeBytes(of: UInt64(number).bigEndian) { entry throws(StorageError) in
        try snapshot.change(.index, key, entry, isAdded: false)
      }
    }
    if !isRemoved { throw snapshot.damaged("an entry to be removed is not in the index") }
  }

  /// Writes every pending entry to the tree.
  func flushIndexes() throws(StorageError) {
    if changes.indexes.isEmpty, changes.keys.isEmpty { return }
    for index in changes.orderedIndexes {
      try snapshot.flush(index)
    }
    for keys in changes.orderedKeys {
      try snapshot.flush(keys)
    }
  }
}
