/// What can be asked of a transaction: of a read transaction about its snapshot, of a write
/// transaction about its snapshot with the changes made so far.
///
/// Values that are nil, of objects that are not there, and of numbers never given, all read as nil.
/// Memory that a closure is lent is the store's own, and holds for the call only. A block is 256
/// object numbers: number / 256. Reading a column as another kind than it was written as is a
/// mistake of the caller and stops the program.
package protocol StorageReader: ~Copyable {
  /// What the transaction sees; not to be kept beyond it.
  var snapshot: StorageSnapshot { get }
}

extension StorageReader where Self: ~Copyable {
  /// Why a read could not be answered and was answered with nothing: nil as long as all is well.
  package var failure: StorageError? { snapshot.failure }
  @inline(__always) package var hasFailed: Bool { snapshot.hasFailed }
  /// The failure, which a read transaction then has no more.
  package func takeFailure() -> StorageError? { snapshot.takeFailure() }

  /// Whether the object exists.
  package func isPresent(_ classID: UInt32, _ number: Int) -> Bool {
    snapshot.isPresent(classID, number)
  }

  /// The numbers in use in a block, one bit each.
  package func presence(_ classID: UInt32, block: Int) -> SIMD4<UInt64> {
    snapshot.presence(classID, block: block)
  }

  /// How many blocks, from 0, cover every number that the class ever gave.
  package func blockCount(_ classID: UInt32) -> Int { snapshot.blockCount(classID) }

  package func objectCount(_ classID: UInt32) -> Int { snapshot.objectCount(classID) }

  /// One value; some ten nanoseconds when its block was lately read, else a search in the tree.
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

  /// The rows among `within` for which the test holds; some hundred nanoseconds a block.
  ///
  /// Rows without an object are nil to the test: mask with the presence.
  package func select(
    _ test: ColumnTest, _ column: ColumnID, block: Int, within: SIMD4<UInt64>
  ) -> SIMD4<UInt64> {
    snapshot.select(test, column, block: block, within: within)
  }

  /// Whether the zone of a block answers a test, so that no value needs to be looked at.
  package func isDecided(_ test: ColumnTest, _ column: ColumnID, block: Int) -> Bool {
    snapshot.isDecided(test, column, block: block)
  }

  /// The least and the greatest number of a block, the least above the greatest where all are nil.
  package func integerZone(_ column: ColumnID, block: Int) -> (least: Int, greatest: Int)? {
    snapshot.zone(column, .integers, block: block)
  }

  /// As `integerZone`, for doubles and floats: both are NaN where any is.
  package func numberZone(_ column: ColumnID, block: Int) -> (least: Double, greatest: Double)? {
    snapshot.zone(column, nil, block: block).map { least, greatest in
      (
        Double(bitPattern: UInt64(UInt(bitPattern: least))),
        Double(bitPattern: UInt64(UInt(bitPattern: greatest)))
      )
    }
  }

  /// The 256 values of a block into `values`, made that long; answers which of them are nil, whose
  /// entries mean nothing.
  package func readIntegers(
    _ column: ColumnID, block: Int, into values: inout [Int]
  ) -> SIMD4<UInt64> {
    snapshot.readIntegers(column, block: block, into: &values)
  }

  /// As `readIntegers`, for doubles, and floats made doubles.
  package func readDoubles(
    _ column: ColumnID, block: Int, into values: inout [Double]
  ) -> SIMD4<UInt64> {
    snapshot.readDoubles(column, block: block, into: &values)
  }

  /// As `readIntegers`, for dates as (seconds, nanoseconds).
  package func readDates(
    _ column: ColumnID, block: Int, into values: inout [(Int, Int32)]
  ) -> SIMD4<UInt64> {
    snapshot.readDates(column, block: block, into: &values)
  }

  /// Lends the bytes of each of the 256 rows of a block in turn, nil for a nil one.
  package func forEachBytes(
    _ column: ColumnID, block: Int, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
  ) rethrows {
    try snapshot.forEachBytes(column, block: block, body)
  }
}

extension StorageReader where Self: ~Copyable {
  package func listCount(_ list: ListID) -> Int { snapshot.listCount(list) }

  /// One element; a search in the directory, which is linear in the length / 512.
  package func listElement(_ list: ListID, _ kind: ColumnKind, at position: Int) -> StoredValue {
    snapshot.listElement(list, kind, at: position)
  }

  /// The first position whose element `isBefore` does not hold for, in a list that it divides; the last
  /// element that it denied is the one there. O(log n), and a sum over the directory.
  package func listPartition(
    _ list: ListID, _ kind: ColumnKind, _ isBefore: (StoredValue) -> Bool
  ) -> Int {
    snapshot.listPartition(list, kind, isBefore)
  }

  /// Every element in order until `body` answers false.
  package func forEachListElement(
    _ list: ListID, _ kind: ColumnKind, _ body: (StoredValue) throws -> Bool
  ) rethrows {
    try snapshot.forEachListElement(list, kind, body)
  }

  /// As `forEachListElement`, for lists of integers and links.
  package func forEachListInteger(_ list: ListID, _ body: (Int?) throws -> Bool) rethrows {
    try snapshot.forEachListInteger(list, body)
  }

  /// The objects that link to one through a link or list property, ascending, with the number of
  /// their links, until `body` answers false.
  package func forEachOrigin(
    ofClass targetClass: UInt32, number: Int, through column: ColumnID,
    _ body: (_ origin: Int, _ links: Int) throws -> Bool
  ) rethrows {
    try snapshot.forEachOrigin(ofClass: targetClass, number: number, through: column, body)
  }

  /// How many links lead from an object to another through one property.
  package func linkCount(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) -> Int {
    snapshot.linkCount(from: origin, through: column, toClass: targetClass, number: number)
  }

  /// The numbers of the objects that the index has under a value, ascending.
  ///
  /// Bytes of 502 and more are found by their beginning and a hash: of these the caller must check
  /// that the objects found have the value.
  package func indexed(_ column: ColumnID, _ value: StoredValue) -> [Int] {
    snapshot.indexed(column, value)
  }

  /// The lowest of the numbers that `indexed` finds; one search in the tree, without allocating.
  package func firstIndexed(_ column: ColumnID, _ value: StoredValue) -> Int? {
    snapshot.firstIndexed(column, value)
  }

  /// What `setMetadata` put under a name.
  package func metadata(_ name: String) -> [UInt8]? { snapshot.metadata(name) }

  /// What `setLogEntry` left for a version; nil when nothing, or when trimmed since.
  package func logEntry(_ version: Int) -> [UInt8]? { snapshot.logEntry(version) }

  /// The oldest version of which the log has an entry.
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
