import HeraldModel
import HeraldQuery

/// How the rows of a stage of results compare: by sort values, ties by the order before the sort,
/// which is that of creation or of the collection that they stand in.
///
/// A row is the number of an object, or, in the results of a collection, where an object may stand
/// more than once, the number that its element has in `collection`.
struct RowOrder {
  let sort: SortOrder
  let collection: CollectionRows?

  /// The same rows by other keys.
  func by(_ keys: [SortOrder.Key]) -> RowOrder {
    RowOrder(sort: SortOrder(keys: keys), collection: collection)
  }

  func object(of row: Int) -> ObjectNumber { collection?.object(of: row) ?? row }

  /// Negative, 0 or positive, by the keys alone.
  func compareKeys(_ a: Int, _ b: Int, _ reader: any ObjectReader) -> Int {
    sort.compare(object(of: a), object(of: b), reader)
  }

  /// The values of a row's keys.
  func values(of row: Int, _ reader: any ObjectReader) -> [Value] {
    sort.keys.isEmpty ? [] : sort.keyValues(of: object(of: row), reader)
  }

  func isBefore(_ a: Int, _ b: Int, _ reader: any ObjectReader) -> Bool {
    isBefore(a, b, byKeys: compareKeys(a, b, reader))
  }

  /// The same where the values of `b` are known.
  func isBefore(
    _ a: Int, _ b: Int, with values: [Value], _ reader: any ObjectReader
  ) -> Bool {
    isBefore(a, b, byKeys: sort.compare(object(of: a), values, reader))
  }

  /// The same where those of both are.
  func isBefore(_ a: Int, with aValues: [Value], _ b: Int, with bValues: [Value]) -> Bool {
    isBefore(a, b, byKeys: sort.compare(aValues, bValues))
  }

  /// By the keys, where there are any, or else by the order before the sort.
  private func isBefore(_ a: Int, _ b: Int, byKeys order: @autoclosure () -> Int) -> Bool {
    let order = sort.keys.isEmpty ? 0 : order()
    if order != 0 { return order < 0 }
    guard let collection else { return a < b }
    return collection.position(of: a) < collection.position(of: b)
  }

  /// The rows of a set in order. O(n log n).
  func sorted(_ members: MemberSet, _ reader: any ObjectReader) -> [Int] {
    var rows: [Int] = []
    rows.reserveCapacity(members.count)
    members.forEachMember { rows.append($0) }
    return sorted(ascending: rows, reader)
  }

  /// The rows, given in ascending order of their numbers, in order. O(n log n).
  func sorted(ascending rows: [Int], _ reader: any ObjectReader) -> [Int] {
    guard let collection else { return sort.sorted(rows, reader) }
    let rows = collection.inOrder(rows)
    if sort.keys.isEmpty { return rows }
    // Elements of one object are equal in every key, and so are in their own order when sorted.
    let objects = rows.map(collection.object(of:))
    var waiting: [ObjectNumber: [Int]] = [:]
    for (row, object) in zip(rows, objects).reversed() { waiting[object, default: []].append(row) }
    return sort.sorted(objects, reader).compactMap { waiting[$0]?.popLast() }
  }
}
