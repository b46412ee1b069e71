import HeraldEngine
import HeraldModel
import HeraldQuery

// Second way: the kept rows of observed results, to read how many there are and single ones.
// They must equal what the query finds, and `ObservedReadTests` holds them equal; it runs while a report is pending.
// It saves a run of the query for the first read after each change, in blocks: 24 ms of 200,000 sorted rows.

extension DynamicResults {
  /// The number of rows that an observer keeps; nil if the query must be run.
  var keptCount: Int? {
    observer.flatMap { store.session.rowCount(of: $0, binding.query) }
  }

  /// Returns the object in the row that `index` makes of the number of rows, nil beyond these, and that number; nil if
  /// the query must be run. O(log rows). Errors: `droppedFromSchema`.
  func keptRow(
    _ index: (Int) -> Int
  ) throws -> (number: ObjectNumber?, count: Int)? {
    try checkSchema()
    guard let observer, let count = keptCount else { return nil }
    let row = index(count)
    guard row >= 0, row < count else { return (nil, count) }
    return store.session.objects(of: observer, at: row..<row + 1)?.first.map { ($0.number, count) }
  }
}
