import HeraldModel

/// One aggregate of the groups that `ColumnGrouping` makes: of a column of numbers, or the number of members.
final class ColumnTotals {
  private enum Kind { case members, integerSum, doubleSum, integerExtreme, doubleExtreme }

  private let kind: Kind
  private let operation: CollectionOperation
  private let element: ElementType
  /// Nil for the number of members.
  let property: PropertyID?
  // By group, those that the kind needs.
  private var integers: [Int] = []
  private var integerSums: [Int128] = []
  private var doubles: [Double] = []
  private var doubleSums: [ExactDoubleSum] = []
  /// How many values there are, without nil and, of a smallest or largest one, NaN.
  private var counts: [Int] = []

  /// Returns nil for an aggregate of something else.
  init?(_ aggregate: BoundGrouping.Aggregate) {
    operation = aggregate.operation
    element = aggregate.element
    guard let path = aggregate.path else {
      (kind, property) = (.members, nil)
      return
    }
    guard aggregate.measure == nil, let property = path.propertyOfRoot else { return nil }
    self.property = property
    let isSum = operation == .sum || operation == .average
    switch element {
    case .int: kind = isSum ? .integerSum : .integerExtreme
    case .double, .float: kind = isSum ? .doubleSum : .doubleExtreme
    case .bool, .string, .data, .date, .decimal, .uuid, .objectID, .any, .link: return nil
    }
  }

  /// Makes room for so many groups.
  func reserve(_ count: Int) {
    let missing = count - counts.count
    if missing <= 0 { return }
    counts += repeatElement(0, count: missing)
    switch kind {
    case .members: break
    case .integerSum: integerSums += repeatElement(0, count: missing)
    case .doubleSum: doubleSums += repeatElement(ExactDoubleSum(), count: missing)
    case .integerExtreme:
      integers += repeatElement(operation == .min ? .max : .min, count: missing)
    case .doubleExtreme:
      doubles += repeatElement(operation == .min ? .infinity : -.infinity, count: missing)
    }
  }

  /// Adds a block of the column. `groups`: that of each row.
  func add(_ column: ColumnValues, _ rows: BlockMask, _ groups: UnsafeMutablePointer<Int>) {
    counts.withUnsafeMutableBufferPointer { counts in
      switch (column, kind) {
      case (.integers(let values, let nulls), .integerSum):
        for bit in BlockBits(rows & ~nulls) {
          integerSums[groups[bit]] += Int128(values[bit])
          counts[groups[bit]] += 1
        }
      case (.integers(let values, let nulls), .integerExtreme):
        Self.add(values, rows & ~nulls, groups, to: &integers, counts, isMin: operation == .min)
      case (.doubles(let values, let nulls), .doubleSum):
        for bit in BlockBits(rows & ~nulls) {
          doubleSums[groups[bit]].add(values[bit])
          counts[groups[bit]] += 1
        }
      case (.doubles(let values, let nulls), .doubleExtreme):
        var numbers = rows & ~nulls
        for bit in BlockBits(numbers) where values[bit].isNaN { numbers.remove(bit) }
        Self.add(values, numbers, groups, to: &doubles, counts, isMin: operation == .min)
      case (_, _): break
      }
    }
  }

  @inline(__always)
  private static func add<Number: Comparable>(
    _ values: [Number], _ rows: BlockMask, _ groups: UnsafeMutablePointer<Int>,
    to extremes: inout [Number], _ counts: UnsafeMutableBufferPointer<Int>, isMin: Bool
  ) {
    values.withUnsafeBufferPointer { values in
      extremes.withUnsafeMutableBufferPointer { extremes in
        for bit in BlockBits(rows) {
          let (group, value) = (groups[bit], values[bit])
          if isMin ? value < extremes[group] : value > extremes[group] { extremes[group] = value }
          counts[group] += 1
        }
      }
    }
  }

  func value(of group: Int, members: Int) -> Value {
    let count = counts[group]
    switch kind {
    case .members: return .int(members)
    case .integerSum:
      let sum = integerSums[group]
      if operation == .sum { return Int(exactly: sum).map { .int($0) } ?? .null }
      return count == 0 ? .null : .double(Double(sum) / Double(count))
    case .doubleSum:
      let sum = doubleSums[group].value
      if operation == .sum { return .double(sum) }
      return count == 0 ? .null : .double(sum / Double(count))
    case .integerExtreme: return count == 0 ? .null : .int(integers[group])
    case .doubleExtreme:
      if count == 0 { return .null }
      return element == .float ? .float(Float(doubles[group])) : .double(doubles[group])
    }
  }
}
