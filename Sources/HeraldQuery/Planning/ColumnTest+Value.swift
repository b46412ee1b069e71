package import HeraldModel

extension ColumnTest {
  /// Returns the result of the test for one value of the column.
  package func accepts(_ value: Value) -> Bool {
    switch self {
    case .isNull(let wanted): return value.isNull == wanted
    case .integers(let lower, let upper, let inverted, let null):
      guard let integer = value.columnInteger else { return null }
      return (lower <= integer && integer <= upper) != inverted
    case .integerSet(let set, let inverted, let null):
      guard let integer = value.columnInteger else { return null }
      return set.contains(integer) != inverted
    case .doubles(let lower, let upper, let openLower, let openUpper, let inverted, let null):
      guard let number = value.columnDouble else { return null }
      let isInside =
        (openLower ? lower < number : lower <= number)
        && (openUpper ? number < upper : number <= upper)
      return isInside != inverted
    case .dates(let lower, let upper, let inverted, let null):
      guard case .date(let date) = value else { return null }
      return (lower <= date && date <= upper) != inverted
    case .bytesEqual(let bytes, let inverted, let null):
      return value.withColumnBytes { $0.equals(bytes) != inverted } ?? null
    case .numbers(let masks, let null):
      guard let number = value.columnInteger else { return null }
      return number / blockSize < masks.count
        && masks[number / blockSize].contains(number % blockSize)
    case .bytesPrefix(let prefix): return value.withColumnBytes { $0.begins(with: prefix) } ?? false
    case .bytesRange(let lower, let upper, let openLower, let openUpper):
      return value.withColumnBytes { bytes in
        let low = lower.map { bytes.order(to: $0) } ?? 1
        let high = upper.map { bytes.order(to: $0) } ?? -1
        return (openLower ? low > 0 : low >= 0) && (openUpper ? high < 0 : high <= 0)
      } ?? false
    case .bytesSet(let sorted, let null):
      return value.withColumnBytes { bytes in sorted.contains { bytes.equals($0) } } ?? null
    case .bytes(let null, let test): return value.withColumnBytes(test) ?? null
    }
  }
}

extension Value {
  /// The value as stored in a column of integers; nil for nil.
  var columnInteger: Int? {
    switch self {
    case .int(let value): value
    case .bool(let value): value ? 1 : 0
    case .link(let object): object.number
    case .null, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID, .list, .map:
      nil
    }
  }

  var columnDouble: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    case .null, .bool, .int, .string, .data, .date, .decimal, .uuid, .objectID, .link, .list, .map:
      nil
    }
  }

  fileprivate func withColumnBytes(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool? {
    switch self {
    case .string(let text):
      return text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
        ?? Array(text.utf8).withUnsafeBytes(body)
    case .data(let bytes): return bytes.withUnsafeBytes(body)
    case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link, .list,
      .map:
      return nil
    }
  }
}
