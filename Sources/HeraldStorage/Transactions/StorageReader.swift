package import HeraldModel

/// The reads that a transaction offers: a read transaction reads its snapshot, a write transaction
/// its snapshot with the changes made so far.
///
/// Nil values, values of missing objects, and those of numbers never issued all read as nil. Memory
/// that is lent to a closure is the store's own, and valid during the call only. A block is 256
/// object numbers: number / 256. Reading a column as a kind other than the one it was written as is
/// a programming error and stops the program.
package protocol StorageReader: ~Copyable {
  /// The transaction's snapshot; not to be kept beyond it.
  var snapshot: StorageSnapshot { get }
}

extension StorageReader where Self: ~Copyable {
  /// The error of the first read that failed, and returned nil or no rows instead; nil if none did.
  package var failure: StorageError? { snapshot.failure }
  @inline(__always) package var hasFailed: Bool { snapshot.hasFailed }
  /// Returns the failure, and clears it in a read transaction.
  package func takeFailure() -> StorageError? { snapshot.takeFailure() }

  /// Whether the object exists.
  package func isPresent(_ classID: UInt32, _ number: Int) -> Bool {
    snapshot.isPresent(classID, number)
  }

  /// The numbers in use in a block, one bit each.
  package func presence(_ classID: UInt32, block: Int) -> SIMD4<UInt64> {
    snapshot.presence(classID, block: block)
  }

  /// The number of blocks, from 0, that cover every number the class ever issued.
  package func blockCount(_ classID: UInt32) -> Int { snapshot.blockCount(classID) }

  package func objectCount(_ classID: UInt32) -> Int { snapshot.objectCount(classID) }

  /// Returns one value; some ten nanoseconds if its block was read recently, else a search in the tree.
  package func integer(_ column: ColumnID, _ number: Int) -> Int? {
    snapshot.integer(column, number)
  }

  package func double(_ column: ColumnID, _ number: Int) -> Double? {
    snapshot.double(column, number)
  }

  package func float(_ column: ColumnID, _ number: Int) -> Float? {
    snapshot.float(column, number)
  }

  package func date(_ column: ColumnID, _ number: Int) -> (seconds: Int, nanoseconds: Int32)? {
    snapshot.date(column, number)
  }

  package func withBytes<Result>(
    _ column: ColumnID, _ number: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    try snapshot.withBytes(column, number, body)
  }

  package func value(_ column: ColumnID, _ kind: ColumnKind, _ number: Int) -> StoredValue {
    snapshot.value(column, kind, number)
  }

  /// Returns the rows among `within` that match the test; some hundred nanoseconds per block.
  ///
  /// Rows without an object are nil to the test: mask the result with the presence.
  package func select(
    _ test: ColumnTest, _ column: ColumnID, block: Int, within: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    snapshot.select(test, column, block: block, within: within)
  }

  /// Returns whether the zone of a block decides a test, so that no value has to be read.
  package func isDecided(_ test: ColumnTest, _ column: ColumnID, block: Int) -> Bool {
    snapshot.isDecided(test, column, block: block)
  }

  /// Returns the smallest and the largest number of a block; the smallest is above the largest if
  /// all values are nil.
  package func integerZone(_ column: ColumnID, block: Int) -> (smallest: Int, largest: Int)? {
    snapshot.zone(column, .integers, block: block)
  }

  /// Like `integerZone`, for doubles and floats: both are NaN if any value is.
  package func numberZone(_ column: ColumnID, block: Int) -> (smallest: Double, largest: Double)? {
    snapshot.zone(column, nil, block: block).map { smallest, largest in
      (
        Double(bitPattern: UInt64(UInt(bitPattern: smallest))),
        Double(bitPattern: UInt64(UInt(bitPattern: largest)))
      )
    }
  }

  /// Reads the 256 values of a block into `values`, resized to that count. Returns which of them
  /// are nil; their entries are meaningless.
  package func readIntegers(
    _ column: ColumnID, block: Int, into values: inout [Int]
  ) -> SIMD4<UInt64> {
    snapshot.readIntegers(column, block: block, into: &values)
  }

  /// Like `readIntegers`, for doubles, and for floats converted to doubles.
  package func readDoubles(
    _ column: ColumnID, block: Int, into values: inout [Double]
  ) -> SIMD4<UInt64> {
    snapshot.readDoubles(column, block: block, into: &values)
  }

  /// Like `readIntegers`, for dates as (seconds, nanoseconds).
  package func readDates(
    _ column: ColumnID, block: Int, into values: inout [(Int, Int32)]
  ) -> SIMD4<UInt64> {
    snapshot.readDates(column, block: block, into: &values)
  }

  /// Calls `body` with the bytes of each of the 256 rows of a block, nil for a nil value.
  package func forEachBytes(
    _ column: ColumnID, block: Int, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
  ) rethrows {
    try snapshot.forEachBytes(column, block: block, body)
  }
}

extension StorageReader where Self: ~Copyable {
  package func listCount(_ list: ListID) -> Int { snapshot.listCount(list) }

  /// Returns one element; a search in the directory, linear in length / 512.
  package func listElement(_ list: ListID, _ kind: ColumnKind, at position: Int) -> StoredValue {
    snapshot.listElement(list, kind, at: position)
  }

  /// Returns the first position whose element does not satisfy `isBefore`, in a list that it
  /// partitions; the last element that it rejected is the one there. O(log n), plus a sum over the directory.
  package func listPartition(
    _ list: ListID, _ kind: ColumnKind, _ isBefore: (StoredValue) -> Bool
  ) -> Int {
    snapshot.listPartition(list, kind, isBefore)
  }

  /// Calls `body` with every element in order until it returns false.
  package func forEachListElement(
    _ list: ListID, _ kind: ColumnKind, _ body: (StoredValue) throws -> Bool
  ) rethrows {
    try snapshot.forEachListElement(list, kind, body)
  }

  /// Like `forEachListElement`, for lists of integers and links.
  package func forEachListInteger(_ list: ListID, _ body: (Int?) throws -> Bool) rethrows {
    try snapshot.forEachListInteger(list, body)
  }

  /// Calls `body` with the objects that link to an object through a link or list property,
  /// ascending, and the number of their links, until it returns false.
  package func forEachOrigin(
    ofClass targetClass: UInt32, number: Int, through column: ColumnID,
    _ body: (_ origin: Int, _ links: Int) throws -> Bool
  ) rethrows {
    try snapshot.forEachOrigin(ofClass: targetClass, number: number, through: column, body)
  }

  /// The number of links from an object to another through one property.
  package func linkCount(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) -> Int {
    snapshot.linkCount(from: origin, through: column, toClass: targetClass, number: number)
  }

  /// Returns the numbers of the objects that the index holds under a value, ascending.
  ///
  /// Values of 502 bytes and more are found by their prefix and a hash: for these the caller must
  /// check that the objects found have the value.
  package func indexed(_ column: ColumnID, _ value: StoredValue) -> [Int] {
    snapshot.indexed(column, value)
  }

  /// Returns the smallest number that `indexed` finds; one search in the tree, without allocating.
  package func firstIndexed(_ column: ColumnID, _ value: StoredValue) -> Int? {
    snapshot.firstIndexed(column, value)
  }

  /// Returns the bytes that `setMetadata` stored under a name.
  package func metadata(_ name: String) -> [UInt8]? { snapshot.metadata(name) }

  /// Returns the entry that `setLogEntry` stored for a version; nil if there is none, or it was trimmed.
  package func logEntry(_ version: Int) -> [UInt8]? { snapshot.logEntry(version) }

  /// The oldest version with an entry in the log.
  package var oldestLogVersion: Int? { snapshot.oldestLogVersion }
}

extension StorageReader where Self: ~Copyable {
  /// The number of entries in a column's index, counted one by one: for consistency checks.
  package func indexEntryCount(_ column: ColumnID) -> Int {
    snapshot.settle(column)
    var count = snapshot.pending?.index(column)?.entries.count ?? 0
    snapshot.forEachRecord(.index, from: nil) { key, _ in
      guard key.count >= 8 else { return true }
      let isOfColumn =
        key.bigEndian(at: 0, as: UInt32.self) == column.classID
        && key.bigEndian(at: 4, as: UInt32.self) == column.propertyID
      if isOfColumn { count += 1 }
      return true
    }
    return count
  }
}

extension StorageReader where Self: ~Copyable {
  /// The committed version that the transaction reads, or began at.
  package var baseVersion: Int { snapshot.state.version }
}
