package import HeraldModel
import HeraldStorage

extension TransactionReader {
  /// Returns the objects whose indexed property or primary key equals `value`, ascending; nil if the
  /// property has no index. O(log n + results).
  package func indexed(
    _ property: PropertyID, of classID: ClassID, equals value: Value
  ) -> [ObjectNumber]? {
    guard let column = indexedColumn(property, of: classID) else { return nil }
    let key = column.indexed(value)
    let numbers = storage.indexed(column.id, key)
    guard case .bytes(let bytes) = key, bytes.count > longestExactKey else { return numbers }
    return numbers.filter { self.value(property, of: ObjectID(classID, $0)) == value }
  }

  /// The objects whose value of an indexed property one with a smaller number has, too, by values; none whose value is nil.
  /// O(values).
  func repeated(_ property: PropertyID, of classID: ClassID) -> [ObjectNumber] {
    var repeated: [ObjectNumber] = []
    var last = Value.null
    // Long texts that differ may be in the order of their objects.
    var long: Set<Value> = []
    for number in indexed(property, of: classID, in: .between(nil, nil)) ?? [] {
      let value = value(property, of: ObjectID(classID, number))
      let isLong =
        if case .string(let text) = value { text.utf8.count > longestExactKey } else { false }
      if value == last || isLong && !long.insert(value).inserted { repeated.append(number) }
      last = value
    }
    return repeated
  }

  /// Returns the object with a value of its primary key.
  func find(_ key: PropertyID, of classID: ClassID, equals value: Value) -> ObjectNumber? {
    guard let column = layout.column(key, of: classID) else { return nil }
    if case .string(let text) = value, text.utf8.count > longestExactKey {
      return indexed(key, of: classID, equals: value)?.first
    }
    let stored = column.indexed(value)
    guard case .integer(let integer) = stored else {
      return storage.firstIndexed(column.id, stored)
    }
    return find(column, integer)
  }

  private func find(_ column: Layout.Column, _ key: Int) -> ObjectNumber? {
    let slot = keyLines.firstIndex { $0.column == column.id } ?? keyLines.count
    if slot == keyLines.count { keyLines.append((column.id, KeyPrediction())) }
    if let likely = keyLines[slot].line.predictedNumber(of: key),
      storage.integer(column.id, likely) == key
    {
      keyLines[slot].line.learn(key, likely)
      return likely
    }
    let found = storage.firstIndexed(column.id, .integer(key))
    keyLines[slot].line.learn(key, found)
    return found
  }

  package func indexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>
  ) -> [ObjectNumber]? {
    guard let column = indexedColumn(property, of: classID) else { return nil }
    return storage.indexed(column.id, column.kind, in: range.map(column.indexed))
  }

  package func firstIndexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> [ObjectNumber]? {
    guard let column = indexedColumn(property, of: classID) else { return nil }
    return storage.firstIndexed(
      column.id, column.kind, in: range.map(column.indexed), limit: limit)
  }

  package func indexedCount(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> Int? {
    guard let column = indexedColumn(property, of: classID) else { return nil }
    return storage.indexedCount(
      column.id, column.kind, in: range.map(column.indexed), limit: limit)
  }

  private func indexedColumn(_ property: PropertyID, of classID: ClassID) -> Layout.Column? {
    guard let column = layout.column(property, of: classID), column.isIndexed else { return nil }
    return column
  }
}

extension Layout.Column {
  /// Returns the index key of a value: its stored form, but for a decimal bytes that sort like the numbers.
  func indexed(_ value: Value) -> StoredValue {
    switch value {
    case .decimal(let number) where element == .any:
      // The mark keeps it distinct from the encoding of every other value.
      .bytes([decimalMark] + number.orderedBytes)
    case .decimal(let number): .bytes(number.orderedBytes)
    case .double(let number) where element == .any: stored(.double(number == 0 ? 0 : number))
    case .float(let number) where element == .any: stored(.float(number == 0 ? 0 : number))
    case .null, .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectID, .link,
      .list, .map:
      stored(value)
    }
  }
}

/// The longest string, in bytes, that is its own index key. Storage truncates and hashes longer ones, so
/// their candidates are verified here.
private let longestExactKey = 300

/// Takes the position of the tag of an `any` value.
private let decimalMark: UInt8 = 0xFF
