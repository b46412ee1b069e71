import HeraldModel

/// The groups of a query's objects, made of whole columns: by properties of the objects themselves, with aggregates of
/// such properties. O(objects), some nanoseconds for each.
final class ColumnGrouping {
  private struct Key {
    let property: PropertyID
    var numbers: KeyNumbers
  }

  private let classID: ClassID
  private var keys: [Key] = []
  /// The number of a group by two numbers, those of the keys before and of one key: one table for each key but the first.
  private var pairs: [IntegerNumbers] = []
  private let totals: [ColumnTotals]
  /// By group.
  private var memberCounts: [Int] = []
  /// The groups of a block's rows, and their numbers by one key.
  private let groups = UnsafeMutablePointer<Int>.allocate(capacity: 2 * blockSize)
  private var further: UnsafeMutablePointer<Int> { groups + blockSize }

  /// Returns nil for a grouping by something else.
  init?(_ grouping: BoundGrouping) {
    classID = grouping.query.classID
    var totals: [ColumnTotals] = []
    for aggregate in grouping.aggregates {
      guard let total = ColumnTotals(aggregate) else { return nil }
      totals.append(total)
    }
    self.totals = totals
    for key in grouping.keys {
      guard key.measure == nil, let property = key.path.propertyOfRoot,
        let numbers = KeyNumbers(key.element)
      else { return nil }
      keys.append(Key(property: property, numbers: numbers))
    }
    guard !keys.isEmpty else { return nil }
    pairs = keys.dropFirst().map { _ in IntegerNumbers() }
  }

  deinit { groups.deallocate() }

  func add(_ block: Int, _ rows: BlockMask, _ reader: any ObjectReader) {
    for index in keys.indices {
      let column = reader.column(keys[index].property, of: classID, block: block)
      guard index > 0 else {
        keys[0].numbers.number(column, rows, into: groups)
        continue
      }
      keys[index].numbers.number(column, rows, into: further)
      let (numbers, groups, further) = (pairs[index - 1], groups, further)
      for bit in BlockBits(rows) {
        groups[bit] = numbers.number(of: groups[bit] << 32 | further[bit])
      }
    }
    let count = pairs.last?.count ?? keys[0].numbers.count
    if memberCounts.count < count {
      memberCounts += repeatElement(0, count: count - memberCounts.count)
    }
    memberCounts.withUnsafeMutableBufferPointer { counts in
      for bit in BlockBits(rows) { counts[groups[bit]] += 1 }
    }
    for total in totals {
      total.reserve(count)
      if let property = total.property {
        total.add(reader.column(property, of: classID, block: block), rows, groups)
      }
    }
  }

  /// The rows of the groups, unordered.
  var rows: [GroupRow] {
    memberCounts.indices.compactMap { group in
      // A number that nil has, but no object.
      if memberCounts[group] == 0 { return nil }
      return GroupRow(
        key(group) + totals.map { $0.value(of: group, members: memberCounts[group]) })
    }
  }

  private func key(_ group: Int) -> [Value] {
    var values: [Value] = []
    var number = group
    for index in keys.indices.dropFirst().reversed() {
      let pair = pairs[index - 1][number]
      values.append(keys[index].numbers.value(pair & 0xFFFF_FFFF))
      number = pair >> 32
    }
    values.append(keys[0].numbers.value(number))
    return values.reversed()
  }
}

/// Numbers the values of a key's column from 1 in the order in which they come; nil has the number 0.
private struct KeyNumbers {
  private enum Kind { case bools, integers, texts, dates }

  private let kind: Kind
  private let integers = IntegerNumbers()
  private var texts: [String: Int] = [:]
  private var dates: [Timestamp: Int] = [:]
  private var values: [Value] = []

  /// Returns nil for a type whose values are not grouped by columns.
  init?(_ element: ElementType?) {
    switch element {
    case .bool: kind = .bools
    case .int: kind = .integers
    case .string: kind = .texts
    case .date: kind = .dates
    case .float, .double, .data, .decimal, .uuid, .objectID, .any, .link, nil: return nil
    }
  }

  /// One more than the largest number.
  var count: Int {
    switch kind {
    case .bools, .integers: integers.count + 1
    case .texts, .dates: values.count + 1
    }
  }

  mutating func number(
    _ column: ColumnValues, _ rows: BlockMask, into numbers: UnsafeMutablePointer<Int>
  ) {
    switch column {
    case .integers(let found, let nulls):
      let integers = integers
      found.withUnsafeBufferPointer { found in
        for bit in BlockBits(rows & ~nulls) { numbers[bit] = integers.number(of: found[bit]) + 1 }
      }
      Self.clear(rows & nulls, numbers)
    case .strings(let found, let nulls):
      Self.number(found, rows & ~nulls, into: numbers, &texts, &values) { .string($0) }
      Self.clear(rows & nulls, numbers)
    case .dates(let found, let nulls):
      Self.number(found, rows & ~nulls, into: numbers, &dates, &values) { .date($0) }
      Self.clear(rows & nulls, numbers)
    case .doubles, .data: Self.clear(rows, numbers)
    }
  }

  private static func number<Key: Hashable>(
    _ found: [Key], _ rows: BlockMask, into numbers: UnsafeMutablePointer<Int>,
    _ known: inout [Key: Int], _ values: inout [Value], _ value: (Key) -> Value
  ) {
    for bit in BlockBits(rows) {
      let key = found[bit]
      if let number = known[key] {
        numbers[bit] = number
      } else {
        values.append(value(key))
        known[key] = values.count
        numbers[bit] = values.count
      }
    }
  }

  private static func clear(_ rows: BlockMask, _ numbers: UnsafeMutablePointer<Int>) {
    for bit in BlockBits(rows) { numbers[bit] = 0 }
  }

  func value(_ number: Int) -> Value {
    if number == 0 { return .null }
    return switch kind {
    case .bools: .bool(integers[number - 1] != 0)
    case .integers: .int(integers[number - 1])
    case .texts, .dates: values[number - 1]
    }
  }
}
