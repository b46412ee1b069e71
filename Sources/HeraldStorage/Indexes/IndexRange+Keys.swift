package import HeraldModel

extension IndexRange<StoredValue> {
  /// Returns the keys from `first` on, up to those with the prefix `last`; truncated bytes add a few others.
  func keys(_ column: ColumnID, _ kind: ColumnKind) -> (first: [UInt8], last: [UInt8]) {
    switch self {
    // Keys with this one as a prefix belong to other bytes: unsuitable for equality.
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
  /// Returns the numbers of the objects whose value is in a range, in the order of the values. If
  /// bytes of 486 and more are compared, it may return others too: the caller must check the values.
  package func indexed(_ column: ColumnID, _ kind: ColumnKind, in range: IndexRange<StoredValue>)
    -> [Int]
  {
    if case .equal(let value) = range { return snapshot.indexed(column, value) }
    return snapshot.indexed(column, range.keys(column, kind))
  }

  /// Returns the first numbers that `indexed` returns. O(limit), in a write transaction O(range).
  package func firstIndexed(
    _ column: ColumnID, _ kind: ColumnKind, in range: IndexRange<StoredValue>, limit: Int
  ) -> [Int] {
    if case .equal(let value) = range {
      return Array(snapshot.indexed(column, value).prefix(limit))
    }
    return snapshot.firstIndexed(column, range.keys(column, kind), limit: limit)
  }

  /// The number of objects that `indexed` returns, counted until it exceeds `limit`. O(distinct
  /// values counted).
  package func indexedCount(
    _ column: ColumnID, _ kind: ColumnKind, in range: IndexRange<StoredValue>, limit: Int
  ) -> Int {
    if case .equal(let value) = range { return snapshot.indexedCount(column, value) }
    return snapshot.indexedCount(column, range.keys(column, kind), limit: limit)
  }
}
