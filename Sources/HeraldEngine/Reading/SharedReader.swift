import HeraldModel
import HeraldQuery
import HeraldStorage

/// One version of a store that several threads read, one at a time.
///
/// `@unchecked Sendable`: every read holds `lock`.
final class SharedReader: ObjectReader, @unchecked Sendable {
  /// Guarded by `lock`: used through `reading` only.
  let reader: TransactionReader
  private let lock: RecursiveLock
  let version: Int
  let schema: Schema

  /// Takes over `reader`, which from now on is used through this object only.
  convenience init(_ reader: TransactionReader) { self.init(reader, RecursiveLock()) }

  private init(_ reader: TransactionReader, _ lock: RecursiveLock) {
    self.reader = reader
    self.lock = lock
    version = reader.version
    schema = reader.schema
  }

  func reading<R>(
    _ body: (TransactionReader) throws -> R
  ) rethrows -> R {
    try lock.withLock { try body(reader) }
  }

  var references: any ObjectReader { SharedReader(reading { $0.stored }, lock) }

  var isInterrupted: Bool { reading { $0.isInterrupted } }

  /// Holds the lock throughout, because the interruption applies to this thread's reads only.
  func withInterruption<R>(_ interruption: Interruption?, _ body: () throws -> R) rethrows -> R {
    try reading { try $0.withInterruption(interruption, body) }
  }

  func exists(_ object: ObjectID) -> Bool { reading { $0.exists(object) } }

  func value(_ property: PropertyID, of object: ObjectID) -> Value {
    reading { $0.value(property, of: object) }
  }

  func append(_ properties: [PropertyID], of object: ObjectID, to values: inout [Value]) {
    reading { $0.append(properties, of: object, to: &values) }
  }

  func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    reading { $0.listCount(property, of: object) }
  }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    reading { $0.listElement(property, of: object, at: index) }
  }

  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String {
    reading { $0.mapKey(property, of: object, at: index) }
  }

  func mapKeys(_ property: PropertyID, of object: ObjectID) -> [String] {
    reading { $0.mapKeys(property, of: object) }
  }

  func partition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (Value) -> Bool
  ) -> Int {
    reading { $0.partition(property, of: object, isBefore) }
  }

  func keyPartition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (String) -> Bool
  ) -> Int {
    reading { $0.keyPartition(property, of: object, isBefore) }
  }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    try reading { try $0.forEachElement(property, of: object, body) }
  }

  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool
  ) rethrows {
    try reading { try $0.forEachOrigin(of: target, origin: origin, property: property, body) }
  }

  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int {
    reading { $0.linkCount(from: number, origin: origin, property: property, to: target) }
  }

  func objectCount(of classID: ClassID) -> Int { reading { $0.objectCount(of: classID) } }

  func blockCount(of classID: ClassID) -> Int { reading { $0.blockCount(of: classID) } }

  func presence(of classID: ClassID, block: Int) -> BlockMask {
    reading { $0.presence(of: classID, block: block) }
  }

  func select(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int,
    within candidates: BlockMask
  ) -> BlockMask {
    reading {
      $0.select(test, property: property, of: classID, block: block, within: candidates)
    }
  }

  func column(_ property: PropertyID, of classID: ClassID, block: Int) -> ColumnValues {
    reading { $0.column(property, of: classID, block: block) }
  }

  /// Nil, for the memory may be used by one thread at a time only.
  func storedBlock(
    _ property: PropertyID, of classID: ClassID, block: Int
  ) -> StoredBlock? { nil }

  func indexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>
  ) -> [ObjectNumber]? {
    reading { $0.indexed(property, of: classID, in: range) }
  }

  func firstIndexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> [ObjectNumber]? {
    reading { $0.firstIndexed(property, of: classID, in: range, limit: limit) }
  }

  func indexedCount(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> Int? {
    reading { $0.indexedCount(property, of: classID, in: range, limit: limit) }
  }

  func isDecided(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int
  ) -> Bool {
    reading { $0.isDecided(test, property: property, of: classID, block: block) }
  }

  func withNumbers(
    _ property: PropertyID, of classID: ClassID, block: Int, _ body: (StoredBlock) -> Void
  ) {
    reading { $0.withNumbers(property, of: classID, block: block, body) }
  }

  func ranks(
    _ property: PropertyID, of classID: ClassID, block: Int, depth: Int,
    into ranks: UnsafeMutableBufferPointer<UInt64>
  ) -> BlockRanks {
    reading { $0.ranks(property, of: classID, block: block, depth: depth, into: ranks) }
  }

  // The lock is held for the other threads, too: they never take it.

  func concurrently(_ parts: Int, _ body: @Sendable (Int) -> Void) {
    reading { $0.concurrently(parts, body) }
  }

  func readConcurrently(_ parts: Int, _ body: @Sendable (Int, any ObjectReader) -> Void) {
    reading { $0.readConcurrently(parts, body) }
  }
}
