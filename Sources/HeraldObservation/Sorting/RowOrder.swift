import HeraldModel
import HeraldQuery

/// The order of the rows of a results stage: by sort keys, with ties broken by the order of creation or
/// of the collection.
///
/// A row is an object number or, in the results of a collection, which may hold an object more than once,
/// the number of an element in `collection`.
struct RowOrder {
  let sort: SortOrder
  let collection: CollectionRows?
  /// The property whose values the first key compares as they are; nil for another key, and without one.
  let firstProperty: (classID: ClassID, property: PropertyID)?

  init(sort: SortOrder, collection: CollectionRows?) {
    self.sort = sort
    self.collection = collection
    guard let key = sort.keys.first, key.isOfPath, key.path.steps.count == 1,
      key.path.steps[0].positions.isEmpty,
      case .property(let property) = key.path.steps[0].kind
    else {
      firstProperty = nil
      return
    }
    firstProperty = (key.path.root, property)
  }

  /// Returns the order of the same rows by other keys.
  func by(_ keys: [SortOrder.Key]) -> RowOrder {
    RowOrder(sort: SortOrder(keys: keys), collection: collection)
  }

  func object(of row: Int) -> ObjectNumber { collection?.object(of: row) ?? row }

  /// Returns the rank of a row by the first key; nil if its value has another type.
  func rank(of row: Int, by key: RankedKey, _ reader: any ObjectReader) -> UInt64? {
    if let (classID, property) = firstProperty {
      return key.rank(of: reader.value(property, of: ObjectID(classID, object(of: row))))
    }
    return key.rank(of: sort.firstValue(of: object(of: row), reader))
  }

  /// Compares two rows by the keys alone: negative, 0 or positive.
  func compareKeys(_ a: Int, _ b: Int, _ reader: any ObjectReader) -> Int {
    sort.compare(object(of: a), object(of: b), reader)
  }

  /// Returns the sort values of a row.
  func values(of row: Int, _ reader: any ObjectReader) -> [Value] {
    sort.keys.isEmpty ? [] : sort.keyValues(of: object(of: row), reader)
  }

  func isBefore(_ a: Int, _ b: Int, _ reader: any ObjectReader) -> Bool {
    isBefore(a, b, byKeys: compareKeys(a, b, reader))
  }

  /// Whether `a` comes before `b`, whose sort values are given.
  func isBefore(
    _ a: Int, _ b: Int, with values: [Value], _ reader: any ObjectReader
  ) -> Bool {
    isBefore(a, b, byKeys: sort.compare(object(of: a), values, reader))
  }

  /// Whether a row comes before another one, whose first sort value has a rank; nil where the values have to be
  /// compared.
  func isBefore(_ a: Int, _ rank: ValueRank?, _ reader: any ObjectReader) -> Bool? {
    guard let rank, let (classID, property) = firstProperty,
      let own = ValueRank(reader.value(property, of: ObjectID(classID, object(of: a)))),
      let order = own.order(to: rank)
    else { return nil }
    return (order < 0) == sort.keys[0].isAscending
  }

  /// Whether `a` comes before `b`, with the sort values of both given.
  func isBefore(_ a: Int, with aValues: [Value], _ b: Int, with bValues: [Value]) -> Bool {
    isBefore(a, b, byKeys: sort.compare(aValues, bValues))
  }

  /// Whether `a` comes before `b`: by the keys, if any, then by the order of the collection or of
  /// creation.
  private func isBefore(_ a: Int, _ b: Int, byKeys order: @autoclosure () -> Int) -> Bool {
    let order = sort.keys.isEmpty ? 0 : order()
    if order != 0 { return order < 0 }
    guard let collection else { return a < b }
    return collection.position(of: a) < collection.position(of: b)
  }

  /// Rows in order, with their ranks by the first key where a sort has found them.
  struct SortedNumbers {
    let numbers: [Int]
    var ranks: [UInt64]?
  }

  /// Returns the rows of a set in order. O(n log n).
  func sorted(_ members: MemberSet, _ reader: any ObjectReader) -> SortedNumbers {
    var rows: [Int] = []
    rows.reserveCapacity(members.count)
    members.forEachMember { rows.append($0) }
    guard collection == nil else { return SortedNumbers(numbers: sorted(ascending: rows, reader)) }
    let sorted = sort.rankedRows(rows, reader)
    return SortedNumbers(numbers: sorted.rows, ranks: sorted.ranks)
  }

  /// Returns rows, given by ascending numbers, in order. O(n log n).
  func sorted(ascending rows: [Int], _ reader: any ObjectReader) -> [Int] {
    guard let collection else { return sort.sorted(rows, reader) }
    let rows = collection.inOrder(rows)
    if sort.keys.isEmpty { return rows }
    // Elements with the same object are equal in every key, so a stable sort keeps them in the
    // collection's order.
    let objects = rows.map(collection.object(of:))
    var rowsByObject: [ObjectNumber: [Int]] = [:]
    for (row, object) in zip(rows, objects).reversed() {
      rowsByObject[object, default: []].append(row)
    }
    return sort.sorted(objects, reader).compactMap { rowsByObject[$0]?.popLast() }
  }
}
