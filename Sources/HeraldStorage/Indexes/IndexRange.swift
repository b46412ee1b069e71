/// Which values of a column an index is asked for.
package enum IndexRange {
  case equal(StoredValue)
  /// Both included, nil for no bound; values that are nil are not in it.
  case between(StoredValue?, StoredValue?)
  /// Bytes that begin so.
  case prefix([UInt8])

  /// The keys from `first` on, up to those that begin with `last`; cut bytes bring in some more.
  func keys(_ column: ColumnID, _ kind: ColumnKind) -> (first: [UInt8], last: [UInt8]) {
    switch self {
    // The keys that begin with this one are those of other bytes: not to be used for equality.
    case .equal(let value):
      let key = IndexKey.encode(column, value)
      return (key, key)
    case .prefix(let prefix):
      let key = IndexKey.encode(column, prefix: prefix)
      return (key, key)
    case .between(let lower, let upper):
      return (
        lower.map { Self.bound(column, $0) } ?? IndexKey.encode(column, kind: kind),
        upper.map { Self.bound(column, $0) } ?? IndexKey.encode(column, kind: kind)
      )
    }
  }

  private static func bound(_ column: ColumnID, _ value: StoredValue) -> [UInt8] {
    guard case .bytes(let bytes) = value else { return IndexKey.encode(column, value) }
    return IndexKey.encode(column, prefix: bytes)
  }
}

extension StorageReader where Self: ~Copyable {
  /// The numbers of the objects whose value lies in a range, in the order of the values, and of some
  /// more where bytes of 486 and more are compared: the caller must look at the values themselves.
  package func indexed(_ column: ColumnID, _ kind: ColumnKind, in range: IndexRange) -> [Int] {
    if case .equal(let value) = range { return snapshot.indexed(column, value) }
    return snapshot.indexed(column, range.keys(column, kind))
  }

  /// The first numbers that `indexed` would answer. O(limit), in a write O(range).
  package func firstIndexed(
    _ column: ColumnID, _ kind: ColumnKind, in range: IndexRange, limit: Int
  ) -> [Int] {
    if case .equal(let value) = range {
      return Array(snapshot.indexed(column, value).prefix(limit))
    }
    return snapshot.firstIndexed(column, range.keys(column, kind), limit: limit)
  }

  /// How many numbers `indexed` would answer, as far as `limit`: one more is many more. Takes time
  /// for each different value, of the first so many.
  package func indexedCount(
    _ column: ColumnID, _ kind: ColumnKind, in range: IndexRange, limit: Int
  ) -> Int {
    if case .equal(let value) = range { return snapshot.indexedCount(column, value) }
    return snapshot.indexedCount(column, range.keys(column, kind), limit: limit)
  }
}
