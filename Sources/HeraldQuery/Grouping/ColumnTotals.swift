import HeraldModel

/// One aggregate of the groups that `ColumnGrouping` makes: of a column of numbers, or the number of members.
final class ColumnTotals {
  /// What is aggregated, and how.
  struct Definition: Sendable {
    enum Kind: Sendable { case members, integerSum, doubleSum, integerExtreme, doubleExtreme }

    let kind: Kind
    let operation: CollectionOperation
    let element: ElementType
    /// Nil for the number of members.
    let property: PropertyID?

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
  }

  let definition: Definition
  private var operation: CollectionOperation { definition.operation }
  // By group, those that the kind needs.
  private var integers: [Int] = []
  private var integerSums: [Int128] = []
  private var doubles: [Double] = []
  private var doubleSums = DoubleSums()
  /// How many members have no value, or NaN of which there is no smallest or largest one.
  private var missing: [Int] = []

  init(_ definition: Definition) { self.definition = definition }

  /// Makes room for so many groups.
  func reserve(_ count: Int) {
    let lacking = count - missing.count
    if lacking <= 0 { return }
    missing += repeatElement(0, count: lacking)
    switch definition.kind {
    case .members: break
    case .integerSum: integerSums += repeatElement(0, count: lacking)
    case .doubleSum: doubleSums.reserve(count)
    case .integerExtreme:
      integers += repeatElement(operation == .min ? .max : .min, count: lacking)
    case .doubleExtreme:
      doubles += repeatElement(operation == .min ? .infinity : -.infinity, count: lacking)
    }
  }

  /// Adds a block of the column, with the groups of its rows.
  func add(_ column: BlockColumn, _ rows: BlockMask, _ room: BlockRoom) {
    let groups = room.groups
    let nulls = rows & column.nulls
    let found = rows & ~nulls
    for bit in BlockBits(nulls) { missing[Int(groups[bit])] += 1 }
    switch definition.kind {
    case .members: break
    case .integerSum, .integerExtreme: column.copyIntegers(into: room.integers)
    case .doubleSum, .doubleExtreme: column.copyDoubles(into: room.doubles)
    }
    switch definition.kind {
    case .members: break
    case .integerSum:
      let values = room.integers
      integerSums.withUnsafeMutableBufferPointer { sums in
        guard let sums = sums.baseAddress else { return }
        found.forEachBit { sums[Int(groups[$0])] &+= Int128(values[$0]) }
      }
    case .integerExtreme:
      Self.add(room.integers, found, groups, to: &integers, isMin: operation == .min)
    case .doubleSum: doubleSums.add(room.doubles, found, groups)
    case .doubleExtreme:
      noteNaNs(room.doubles, found, groups)
      Self.add(room.doubles, found, groups, to: &doubles, isMin: operation == .min)
    }
  }

  private func noteNaNs(
    _ values: UnsafeMutablePointer<Double>, _ rows: BlockMask,
    _ groups: UnsafeMutablePointer<UInt32>
  ) {
    var hasNaN = SIMD8<Int64>.zero
    for row in stride(from: 0, to: blockSize, by: 8) {
      let eight = UnsafeRawPointer(values + row).loadUnaligned(as: SIMD8<Double>.self)
      hasNaN.replace(with: -1, where: eight .!= eight)
    }
    if hasNaN == .zero { return }
    for bit in BlockBits(rows) where values[bit].isNaN { missing[Int(groups[bit])] += 1 }
  }

  /// No comparison with NaN is true.
  @inline(__always)
  private static func add<Number: Comparable>(
    _ values: UnsafeMutablePointer<Number>, _ rows: BlockMask,
    _ groups: UnsafeMutablePointer<UInt32>, to extremes: inout [Number], isMin: Bool
  ) {
    extremes.withUnsafeMutableBufferPointer { extremes in
      guard let extremes = extremes.baseAddress else { return }
      if isMin {
        rows.forEachBit { row in
          let group = Int(groups[row])
          if values[row] < extremes[group] { extremes[group] = values[row] }
        }
      } else {
        rows.forEachBit { row in
          let group = Int(groups[row])
          if values[row] > extremes[group] { extremes[group] = values[row] }
        }
      }
    }
  }

  /// Adds what members that follow have been added to, by their groups there and here.
  func add(_ other: ColumnTotals, _ groups: [(there: Int, here: Int)]) {
    for (there, here) in groups { missing[here] += other.missing[there] }
    switch definition.kind {
    case .members: break
    case .integerSum:
      for (there, here) in groups { integerSums[here] += other.integerSums[there] }
    case .doubleSum: doubleSums.add(other.doubleSums, groups)
    case .integerExtreme:
      for (there, here) in groups {
        let value = other.integers[there]
        integers[here] = operation == .min ? min(integers[here], value) : max(integers[here], value)
      }
    case .doubleExtreme:
      // Of two that are equal, as both zeros are, the first stays.
      for (there, here) in groups {
        let value = other.doubles[there]
        if operation == .min ? value < doubles[here] : value > doubles[here] {
          doubles[here] = value
        }
      }
    }
  }

  func value(of group: Int, members: Int) -> Value {
    let count = members - missing[group]
    switch definition.kind {
    case .members: return .int(members)
    case .integerSum:
      let sum = integerSums[group]
      if operation == .sum { return Int(exactly: sum).map { .int($0) } ?? .null }
      return count == 0 ? .null : .double(Double(sum) / Double(count))
    case .doubleSum:
      if operation == .sum { return .double(doubleSums[group].value) }
      return count == 0 ? .null : .double(doubleSums[group].divided(by: count))
    case .integerExtreme: return count == 0 ? .null : .int(integers[group])
    case .doubleExtreme:
      if count == 0 { return .null }
      return definition.element == .float
        ? .float(Float(doubles[group])) : .double(doubles[group])
    }
  }
}
