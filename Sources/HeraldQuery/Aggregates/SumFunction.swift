import HeraldModel

/// `@sum` and `@avg` of numbers, without rounding on the way but of decimals. NaN makes them NaN.
struct SumFunction: AggregateFunction {
  let isAverage: Bool

  var word: String { isAverage ? "@avg" : "@sum" }

  func accepts(_ element: ElementType) -> Bool { element.isNumber || element == .any }

  func type(of element: ElementType) -> ElementType {
    switch element {
    case .int: isAverage ? .double : .int
    case .decimal, .any: .decimal
    case .float, .double, .bool, .string, .data, .date, .uuid, .objectID, .link: .double
    }
  }

  func isFollowedExactly(_ element: ElementType) -> Bool { type(of: element) != .decimal }

  func accumulator(of element: ElementType, isFollowed: Bool) -> any Accumulator {
    switch element {
    case .int: IntegerSums(isAverage)
    case .decimal, .any: DecimalSums(isAverage)
    case .float, .double, .bool, .string, .data, .date, .uuid, .objectID, .link:
      DoubleSums(isAverage)
    }
  }
}

// MARK: Integers

private final class IntegerSums: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<IntegerSum>()
  private let isAverage: Bool

  init(_ isAverage: Bool) { self.isAverage = isAverage }

  /// A sum that overflows an int is nil.
  func value(_ total: IntegerSum, _ count: Int) -> Value {
    guard isAverage else { return Int(exactly: total.sum).map { .int($0) } ?? .null }
    return count == 0 ? .null : .double(Double(total.sum) / Double(count))
  }
}

private struct IntegerSum: NumberTotal {
  private(set) var sum: Int128 = 0
  static var countsNaN: Bool { true }

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    guard let integer = Int(value) else { return false }
    sum += Int128(sign) * Int128(integer)
    return true
  }

  mutating func add(_ other: IntegerSum) { sum += other.sum }
  mutating func add(_ number: Int) { sum &+= Int128(number) }

  mutating func add(_ block: StoredBlock, _ rows: BlockMask, _ room: BlockRoom) -> Int {
    // The zeros of nil are added with the others, where that is all that is left out.
    sum += rows | block.nulls == .everything ? block.integerSum : block.integerSum(rows)
    return rows.bitCount
  }
}

// MARK: Doubles

private final class DoubleSums: NumberAccumulators {
  @exclusivity(unchecked) var groups = GroupTotals<ExactDoubleSum>()
  private let isAverage: Bool

  init(_ isAverage: Bool) { self.isAverage = isAverage }

  func value(_ total: ExactDoubleSum, _ count: Int) -> Value {
    guard isAverage else { return .double(total.value) }
    return count == 0 ? .null : .double(total.divided(by: count))
  }
}

extension ExactDoubleSum: NumberTotal {
  static var countsNaN: Bool { true }

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    guard let number = Double(value) else { return false }
    change(number, by: sign)
    return true
  }
}

// MARK: Decimals

private final class DecimalSums: Accumulators {
  @exclusivity(unchecked) var groups = GroupTotals<DecimalSum>()
  private let isAverage: Bool

  init(_ isAverage: Bool) { self.isAverage = isAverage }

  func value(_ total: DecimalSum, _ count: Int) -> Value {
    guard isAverage else { return .decimal(total.value) }
    return count == 0 ? .null : .decimal(total.value / Decimal128(count))
  }
}

/// A sum of decimals, each addition to which may round.
private struct DecimalSum: AggregateTotal {
  private var finite = Decimal128.zero
  private var unusual = UnusualNumbers()

  mutating func change(_ value: Value, by sign: Int) -> Bool {
    guard value.number != nil else { return false }
    let number = value.shortestDecimal
    if number.isNaN || number.isInfinite {
      unusual.change(Double(number), by: sign)
    } else {
      finite = sign > 0 ? finite + number : finite - number
    }
    return true
  }

  mutating func add(_ other: DecimalSum) {
    finite = finite + other.finite
    unusual.add(other.unusual)
  }

  var value: Decimal128 { unusual.sum.map { Decimal128($0) } ?? finite }
}
