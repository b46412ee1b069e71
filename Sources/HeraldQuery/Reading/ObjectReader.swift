package import HeraldModel

/// Reads the objects of one version of a store: all that queries and live views know of storage.
///
/// Every method answers for the version that the reader stands at (for a reader over an open write
/// transaction: with its changes so far). Objects that do not exist read as `.null`, 0 and empty.
///
/// No requirement has a default here, so that a reader that passes everything on to another cannot
/// forget one. A reader that knows of no indexes and no zones is a `PlainReader`.
package protocol ObjectReader: AnyObject {
  var schema: Schema { get }

  func exists(_ object: ObjectID) -> Bool

  /// A single-valued property. O(1); repeated reads in one block cost some 20 ns.
  func value(_ property: PropertyID, of object: ObjectID) -> Value

  /// The number of elements in a collection property: a list, a set, a map (its values), or
  /// backlinks (an origin counts once for each of its links). O(1), for backlinks O(origins).
  func listCount(_ property: PropertyID, of object: ObjectID) -> Int

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value

  /// The key of a map's entry; entries are in order of key, and its value is the element there.
  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String

  /// The first place of a set, or of a list in some order, whose element `isBefore` does not hold for;
  /// the last element that it was asked of and denied is the one there. O(log n).
  func partition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (Value) -> Bool
  ) -> Int

  /// The same by the keys of a map.
  func keyPartition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (String) -> Bool
  ) -> Int

  /// Every element of a collection property in order. `body` answers false to stop.
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

  /// The objects whose indexed property lies in a range, each once and in any order, and perhaps
  /// some more; nil where the property has no index, or none that can tell.
  func indexed(_ property: PropertyID, of classID: ClassID, in range: IndexRange)
    -> [ObjectNumber]?

  /// The first objects that `indexed` would answer, in the order of their values. O(limit).
  func firstIndexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange, limit: Int
  ) -> [ObjectNumber]?

  /// How many objects `indexed` would answer: any number above `limit` where there are more.
  func indexedCount(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange, limit: Int
  ) -> Int?

  /// Whether what is known of a block as a whole answers a test, so that no value is looked at.
  func isDecided(_ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int) -> Bool

  /// The least and the greatest value of a column of whole numbers or of numbers in a block, both
  /// nil where all are; nil where it is not known without a look at each.
  func extremes(_ property: PropertyID, of classID: ClassID, block: Int) -> ColumnExtremes?

  /// Whether somebody wants what is being read to stop: asked for each block. What is read from then
  /// on may be incomplete, and is for nobody.
  var isInterrupted: Bool { get }

  /// Does `body`, in which `isInterrupted` is whether the interruption was requested.
  func heeding<R>(_ interruption: Interruption?, _ body: () throws -> R) rethrows -> R
}

/// A reader without what makes queries fast: collections are searched element by element, ranges of
/// indexes are not known, and nothing is known of a block as a whole.
package protocol PlainReader: ObjectReader {}

extension PlainReader {
  package func partition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (Value) -> Bool
  ) -> Int {
    (0..<listCount(property, of: object)).partition {
      isBefore(listElement(property, of: object, at: $0))
    }
  }

  package func keyPartition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (String) -> Bool
  ) -> Int {
    (0..<listCount(property, of: object)).partition {
      isBefore(mapKey(property, of: object, at: $0))
    }
  }

  package func indexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange
  ) -> [ObjectNumber]? {
    guard case .equal(let value) = range else { return nil }
    return indexed(property, of: classID, equals: value)
  }

  package func firstIndexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange, limit: Int
  ) -> [ObjectNumber]? {
    indexed(property, of: classID, in: range).map { Array($0.prefix(limit)) }
  }

  package func indexedCount(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange, limit: Int
  ) -> Int? {
    indexed(property, of: classID, in: range)?.count
  }

  package func isDecided(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int
  ) -> Bool { false }

  package func extremes(
    _ property: PropertyID, of classID: ClassID, block: Int
  ) -> ColumnExtremes? { nil }

  package var isInterrupted: Bool { false }

  package func heeding<R>(
    _ interruption: Interruption?, _ body: () throws -> R
  ) rethrows -> R { try body() }
}

extension Range<Int> {
  /// The first place that `isBefore` does not hold for.
  fileprivate func partition(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Which values of an indexed property are looked for.
///
/// Whole numbers of any column are ints here, and bytes of any column data.
package enum IndexRange: Sendable, Hashable {
  case equal(Value)
  /// Both included, nil for no bound; nil is not in it.
  case between(Value?, Value?)
  /// Strings or data that begin so.
  case prefix([UInt8])
}

/// The least and the greatest value in a block, nil values left out.
package enum ColumnExtremes: Sendable, Equatable {
  case integers(Int, Int)
  case doubles(Double, Double)
  /// Every value is nil.
  case none
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
  /// Link columns: the numbers of which a mask for each block has the bit.
  case numbers([BlockMask], null: Bool)
  /// String and data columns: equality by bytes.
  case bytesEqual([UInt8], inverted: Bool, null: Bool)
  /// String and data columns: begins so; nil does not.
  case bytesPrefix([UInt8])
  /// String and data columns: between bounds, where there are any; nil is not.
  case bytesRange(lower: [UInt8]?, upper: [UInt8]?, openLower: Bool, openUpper: Bool)
  /// String and data columns: equal to one of these, which are in order.
  case bytesSet([[UInt8]], null: Bool)
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

extension ObjectReader {
  /// What stands at the end of steps into a property: into a value of any type, or into a collection
  /// of such; nil where they lead nowhere. Without steps, the single value.
  package func part(
    of property: PropertyID, _ object: ObjectID, _ shape: PropertyShape, at steps: [ValueStep]
  ) -> Value? {
    guard exists(object) else { return nil }
    let whole: Value?
    switch (shape, steps.first) {
    case (.single, _): return value(property, of: object).part(at: steps)
    case (.list, .row(let row)?):
      let count = listCount(property, of: object)
      whole = row >= 0 && row < count ? listElement(property, of: object, at: row) : nil
    case (.map, .key(let key)?): whole = mapValue(forKey: key, property, of: object)
    case (_, _): whole = nil
    }
    return whole?.part(at: steps.dropFirst())
  }
}

extension ObjectReader {
  /// Where a value is in a set, or would be: sets are in order of value. O(log n).
  package func place(
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

  /// Where a key is in a map, or would be: maps are in order of key. O(log n).
  package func place(
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

  /// The value of a map's key; nil where the map has no such key.
  package func mapValue(
    forKey key: String, _ property: PropertyID, of object: ObjectID
  ) -> Value? {
    let place = place(ofKey: key, inMap: property, of: object)
    return place.isPresent ? listElement(property, of: object, at: place.index) : nil
  }
}
