package import HeraldModel

/// Reads the objects of one version of a store: all that queries and live views know of storage.
///
/// Every method answers for the version that the reader stands at (for a reader over an open write
/// transaction: with its changes so far). Objects that do not exist read as `.null`, 0 and empty.
package protocol ObjectReader: AnyObject {
  var schema: Schema { get }

  func exists(_ object: ObjectID) -> Bool

  /// A single-valued property. O(1); repeated reads in one block cost some 20 ns.
  func value(_ property: PropertyID, of object: ObjectID) -> Value

  /// The number of elements in a list property. O(1).
  func listCount(_ property: PropertyID, of object: ObjectID) -> Int

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value

  /// Every element of a list property in order. `body` answers false to stop.
  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool) rethrows

  /// The objects of `origin` whose `property` (a link or a list of links) leads to `target`,
  /// ascending, each with the number of its links to it. O(log n + results). `body` answers false to stop.
  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool) rethrows

  /// How many links `property` of `origin` holds to `target` from the object numbered `number`: 0 where none.
  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int

  /// The number of objects of a class. O(1).
  func objectCount(of classID: ClassID) -> Int

  /// Blocks 0 ..< blockCount hold every object of the class.
  func blockCount(of classID: ClassID) -> Int

  /// The objects that exist in a block.
  func presence(of classID: ClassID, block: Int) -> BlockMask

  /// The objects of `candidates` in a block whose value of a single-valued property passes `test`.
  /// Scans the column in place: about 1 ns a value for numbers.
  func select(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int,
    within candidates: BlockMask
  ) -> BlockMask

  /// The values of a single-valued property for a whole block (256 entries, whatever exists).
  func column(_ property: PropertyID, of classID: ClassID, block: Int) -> ColumnValues

  /// The objects whose indexed property or primary key equals `value`, ascending; nil where the
  /// property has no index. O(log n + results).
  func indexed(_ property: PropertyID, of classID: ClassID, equals value: Value) -> [ObjectNumber]?
}

/// A test that a reader can make on a whole column block. `null` is what the test answers for nil;
/// `inverted` turns the answer for values that are not nil.
package enum ColumnTest: Sendable {
  case isNull(Bool)
  /// Bool (0 and 1) and int columns, and link columns by object number: lower <= value <= upper.
  case integers(lower: Int, upper: Int, inverted: Bool, null: Bool)
  case integerSet(Set<Int>, inverted: Bool, null: Bool)
  /// Float and double columns; a NaN is never inside.
  case doubles(
    lower: Double, upper: Double, openLower: Bool, openUpper: Bool, inverted: Bool, null: Bool)
  case dates(lower: Timestamp, upper: Timestamp, inverted: Bool, null: Bool)
  /// String and data columns: equality by bytes.
  case bytesEqual([UInt8], inverted: Bool, null: Bool)
  /// String and data columns: any other test on the bytes (UTF-8 for strings).
  case bytes(null: Bool, @Sendable (UnsafeRawBufferPointer) -> Bool)
}

/// A column block read as a whole: 256 values, `nulls` where nil. Absent objects hold anything.
package enum ColumnValues {
  case integers([Int], nulls: BlockMask)
  case doubles([Double], nulls: BlockMask)
  case dates([Timestamp], nulls: BlockMask)
  case strings([String], nulls: BlockMask)
  case data([[UInt8]], nulls: BlockMask)
}
