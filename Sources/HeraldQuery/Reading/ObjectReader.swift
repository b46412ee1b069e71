package import HeraldModel

/// `HeraldModel.blockSize`, as a constant of this module: a division by that of another one is not a shift.
let blockSize = 256

/// Reads the objects of one version of a store: the only view of storage that queries and live views
/// have.
///
/// Every method reads at the reader's version; in an open write transaction, with its changes so far.
/// Objects that do not exist read as `.null`, 0 and empty.
///
/// No requirement has a default here, so that a reader that forwards to another cannot omit one. A
/// reader without indexes and zones is a `PlainReader`.
package protocol ObjectReader: AnyObject {
  var schema: Schema { get }

  /// A reader of the same version whose values of type `any` refer to nested lists and maps, instead of
  /// containing them.
  var references: any ObjectReader { get }

  func exists(_ object: ObjectID) -> Bool

  /// Returns the value of a single-valued property. O(1); about 20 ns for repeated reads in one block.
  func value(_ property: PropertyID, of object: ObjectID) -> Value

  /// Appends the values of single-valued properties of one object, in the order of the properties.
  func append(_ properties: [PropertyID], of object: ObjectID, to values: inout [Value])

  /// Returns the number of elements of a collection property: a list, a set, a map (its values), or
  /// backlinks (one for each link of an origin). O(1), for backlinks O(origins).
  func listCount(_ property: PropertyID, of object: ObjectID) -> Int

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value

  /// Returns the key of a map's entry, in order of key; its value is the element at the same index.
  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String

  /// Returns the keys of a map, in order. O(n).
  func mapKeys(_ property: PropertyID, of object: ObjectID) -> [String]

  /// Returns the first index of a set, or of a sorted list, whose element is not before: `isBefore`
  /// returns false. The last element for which it did is the one at that index. O(log n).
  func partition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (Value) -> Bool
  ) -> Int

  /// Like `partition`, by the keys of a map.
  func keyPartition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (String) -> Bool
  ) -> Int

  /// Calls `body` with every element of a collection property, in order, until it returns false.
  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool) rethrows

  /// Calls `body` with the objects of `origin` whose `property` (a link or a list of links) links to
  /// `target`, ascending, each with the number of its links, until it returns false. O(log n + results).
  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool) rethrows

  /// Returns the number of links to `target` that `property` of the object `number` of `origin` holds.
  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int

  /// Returns the number of objects of a class. O(1).
  func objectCount(of classID: ClassID) -> Int

  /// Returns the number of blocks: blocks 0 ..< blockCount hold every object of the class.
  func blockCount(of classID: ClassID) -> Int

  /// Returns the objects that exist in a block.
  func presence(of classID: ClassID, block: Int) -> BlockMask

  /// Returns the objects of `candidates` in a block whose value of a single-valued property passes
  /// `test`. Scans the column in place: about 1 ns per value for numbers.
  func select(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int,
    within candidates: BlockMask
  ) -> BlockMask

  /// Returns the values of a single-valued property for a whole block: 256 entries, also for objects that
  /// do not exist.
  func column(_ property: PropertyID, of classID: ClassID, block: Int) -> ColumnValues

  /// Returns a block of a column as it is in memory, for every thread to read while this reader is at its version; nil
  /// if its values have to be read in another way.
  func storedBlock(_ property: PropertyID, of classID: ClassID, block: Int) -> StoredBlock?

  /// Returns a superset of the objects whose indexed property or primary key is in a range, each once, in
  /// any order; nil if the property has no index. O(log n + results).
  func indexed(_ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>)
    -> [ObjectNumber]?

  /// Returns the first objects that `indexed` would return, in the order of their values. O(limit).
  func firstIndexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> [ObjectNumber]?

  /// Returns the number of objects that `indexed` would return; any number above `limit` if there are
  /// more than that.
  func indexedCount(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> Int?

  /// Returns whether the zone of a block decides a test without reading its values.
  func isDecided(_ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int) -> Bool

  /// Calls `body` with a block of a column of integers, doubles or floats, which is valid until it returns: in place,
  /// where that is possible.
  func withNumbers(
    _ property: PropertyID, of classID: ClassID, block: Int, _ body: (StoredBlock) -> Void)

  /// Writes 64 bits for each of the 256 values of a block of a column with tests that order as the values do: of
  /// strings and data eight bytes after `depth` such ranks, of dates the seconds, then the nanoseconds.
  func ranks(
    _ property: PropertyID, of classID: ClassID, block: Int, depth: Int,
    into ranks: UnsafeMutableBufferPointer<UInt64>
  ) -> BlockRanks

  /// Calls `body` for each of `parts`, in any order and on several threads if there are several processors. Once
  /// the read is interrupted, the remaining parts are omitted.
  func concurrently(_ parts: Int, _ body: @Sendable (Int) -> Void)

  /// Like `concurrently`, with a reader of the same version, which is used by one thread at a time.
  func readConcurrently(_ parts: Int, _ body: @Sendable (Int, any ObjectReader) -> Void)

  /// Whether the current read was interrupted; checked for each block. Results may be incomplete from
  /// then on, and are discarded.
  var isInterrupted: Bool { get }

  /// Runs `body`, during which `isInterrupted` reflects the interruption.
  func withInterruption<R>(_ interruption: Interruption?, _ body: () throws -> R) rethrows -> R
}

/// A reader without optimizations: it has no indexes and no zones, reads blocks value by value, and
/// searches collections by reading elements.
package protocol PlainReader: ObjectReader {}

extension PlainReader {
  package func append(
    _ properties: [PropertyID], of object: ObjectID, to values: inout [Value]
  ) {
    for property in properties { values.append(value(property, of: object)) }
  }

  package func mapKeys(_ property: PropertyID, of object: ObjectID) -> [String] {
    (0..<listCount(property, of: object)).map { mapKey(property, of: object, at: $0) }
  }

  package func partition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (Value) -> Bool
  ) -> Int {
    (0..<listCount(property, of: object)).partitionPoint {
      isBefore(listElement(property, of: object, at: $0))
    }
  }

  package func keyPartition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (String) -> Bool
  ) -> Int {
    (0..<listCount(property, of: object)).partitionPoint {
      isBefore(mapKey(property, of: object, at: $0))
    }
  }

  package func select(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int,
    within candidates: BlockMask
  ) -> BlockMask {
    selectPlainly(test, property, of: classID, block, within: candidates)
  }

  /// Reads the values of the candidates one by one.
  package func selectPlainly(
    _ test: ColumnTest, _ property: PropertyID, of classID: ClassID, _ block: Int,
    within candidates: BlockMask
  ) -> BlockMask {
    var mask = BlockMask.zero
    for bit in BlockBits(candidates) {
      let object = ObjectID(classID, block * blockSize + bit)
      if test.accepts(value(property, of: object)) { mask.insert(bit) }
    }
    return mask
  }

  package func column(
    _ property: PropertyID, of classID: ClassID, block: Int
  ) -> ColumnValues { plainColumn(property, of: classID, block) }

  /// Reads the values of a block one by one.
  package func plainColumn(
    _ property: PropertyID, of classID: ClassID, _ block: Int
  ) -> ColumnValues {
    let values = (0..<blockSize).map {
      value(property, of: ObjectID(classID, block * blockSize + $0))
    }
    var nulls = BlockMask.zero
    for (bit, value) in values.enumerated() where value.isNull { nulls.insert(bit) }
    switch schema.classSchema(classID)?.property(property)?.type.element {
    case .float, .double: return .doubles(values.map { $0.columnDouble ?? 0 }, nulls: nulls)
    case .date: return .dates(values.map(\.columnDate), nulls: nulls)
    case .string: return .strings(values.map(\.columnText), nulls: nulls)
    case .data: return .data(values.map(\.columnBytes), nulls: nulls)
    case .bool, .int, .link, .decimal, .uuid, .objectID, .any, nil:
      return .integers(values.map { $0.columnInteger ?? 0 }, nulls: nulls)
    }
  }

  package func storedBlock(
    _ property: PropertyID, of classID: ClassID, block: Int
  ) -> StoredBlock? { nil }

  package func indexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>
  ) -> [ObjectNumber]? { nil }

  package func firstIndexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> [ObjectNumber]? {
    indexed(property, of: classID, in: range).map { Array($0.prefix(limit)) }
  }

  package func indexedCount(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> Int? {
    indexed(property, of: classID, in: range)?.count
  }

  package func isDecided(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int
  ) -> Bool { false }

  package func withNumbers(
    _ property: PropertyID, of classID: ClassID, block: Int, _ body: (StoredBlock) -> Void
  ) { column(property, of: classID, block: block).withNumbers(body) }

  package func ranks(
    _ property: PropertyID, of classID: ClassID, block: Int, depth: Int,
    into ranks: UnsafeMutableBufferPointer<UInt64>
  ) -> BlockRanks {
    column(property, of: classID, block: block).writeRanks(at: depth, into: ranks)
  }

  package func concurrently(_ parts: Int, _ body: @Sendable (Int) -> Void) {
    for part in 0..<parts where !isInterrupted { body(part) }
  }

  package func readConcurrently(
    _ parts: Int, _ body: @Sendable (Int, any ObjectReader) -> Void
  ) {
    for part in 0..<parts where !isInterrupted { body(part, self) }
  }

  package var isInterrupted: Bool { false }

  package func withInterruption<R>(
    _ interruption: Interruption?, _ body: () throws -> R
  ) rethrows -> R { try body() }
}

extension Value {
  fileprivate var columnDate: Timestamp {
    if case .date(let date) = self { date } else { Timestamp(seconds: 0) }
  }

  fileprivate var columnText: String { if case .string(let text) = self { text } else { "" } }

  fileprivate var columnBytes: [UInt8] { if case .data(let bytes) = self { bytes } else { [] } }
}

extension ObjectReader {
  /// Returns the index of a value in a set, or its insertion index: sets are sorted by value. O(log n).
  package func position(
    of value: Value, inSet property: PropertyID, of object: ObjectID
  ) -> (index: Int, isPresent: Bool) {
    var isPresent = false
    let index = partition(property, of: object) { element in
      let order = Value.order(element, value)
      if order >= 0 { isPresent = order == 0 }
      return order < 0
    }
    return (index, isPresent)
  }

  /// Returns the index of a key in a map, or its insertion index: maps are sorted by key. O(log n).
  package func position(
    ofKey key: String, inMap property: PropertyID, of object: ObjectID
  ) -> (index: Int, isPresent: Bool) {
    var isPresent = false
    let index = keyPartition(property, of: object) { other in
      let order = other.byteOrder(key)
      if order >= 0 { isPresent = order == 0 }
      return order < 0
    }
    return (index, isPresent)
  }

  /// Returns the value of a map's key; nil if the map has no such key.
  package func mapValue(
    forKey key: String, _ property: PropertyID, of object: ObjectID
  ) -> Value? {
    let found = position(ofKey: key, inMap: property, of: object)
    return found.isPresent ? listElement(property, of: object, at: found.index) : nil
  }
}
