import HeraldModel

extension CollectionOperation {
  /// Returns the result over the values of a path. Ignores nil, and NaN except in sums of doubles. For
  /// no values, the sum is 0 and every other result nil.
  func apply(to path: OperandPath, of element: ElementType, _ scope: EvaluationScope) -> Value {
    if let value = applyToColumn(at: path, of: element, scope.reader) { return value }
    switch self {
    case .count: return .int(path.count(scope))
    case .min, .max:
      var best = Value.null
      let wanted = self == .min ? -1 : 1
      _ = path.forEachValue(scope) { value in
        guard !value.isNull, value.number?.isNaN != true else { return true }
        if best.isNull || Value.order(value, best).signum() == wanted { best = value }
        return !scope.reader.isInterrupted
      }
      return best
    case .sum, .average:
      var total = ExactSum(of: element)
      _ = path.forEachValue(scope) { value in
        total.add(value)
        return !scope.reader.isInterrupted
      }
      return self == .sum ? total.sum : total.average
    }
  }
}

/// A sum of numbers: an int for a type of ints, a decimal for a type that may hold decimals.
struct ExactSum {
  private enum Kind {
    case integers
    case doubles
    case decimals
  }

  private let kind: Kind
  private var integers = 0
  private var doubles = 0.0
  private var decimals = Decimal128.zero
  /// How often `integers` wrapped around upward, minus how often downward. If 0, the sum is exact,
  /// regardless of the order of the additions.
  private var wraps = 0
  private var count = 0

  init(of element: ElementType) {
    switch element {
    case .int: kind = .integers
    case .decimal, .any: kind = .decimals
    case .float, .double, .bool, .string, .data, .date, .uuid, .objectID, .link: kind = .doubles
    }
  }

  mutating func add(_ value: Value) {
    guard let number = value.number, kind != .decimals || !number.isNaN else { return }
    count += 1
    if kind == .decimals {
      decimals += value.shortestDecimal
      return
    }
    if case .integer(let integer) = number {
      addToIntegers(integer)
    }
    doubles += number.asDouble
  }

  @inline(__always) private mutating func addToIntegers(_ value: Int) {
    let (result, overflow) = integers.addingReportingOverflow(value)
    integers = result
    if overflow { wraps += value < 0 ? -1 : 1 }
  }

  /// Adds a block of integers, ignoring `nulls`.
  mutating func add(_ values: [Int], nulls: BlockMask) {
    guard nulls.isEmpty else {
      for bit in BlockBits(~nulls) { add(.int(values[bit])) }
      return
    }
    for value in values {
      addToIntegers(value)
    }
    for value in values { doubles += Double(value) }
    count += values.count
  }

  /// Adds a block of doubles, ignoring `nulls`.
  mutating func add(_ values: [Double], nulls: BlockMask) {
    guard nulls.isEmpty else {
      for bit in BlockBits(~nulls) { add(.double(values[bit])) }
      return
    }
    for value in values { doubles += value }
    count += values.count
  }

  /// Adds some of a block of integers.
  mutating func add(_ values: [Int], rows: BlockMask) {
    values.withUnsafeBufferPointer { values in
      for bit in BlockBits(rows) {
        addToIntegers(values[bit])
        doubles += Double(values[bit])
      }
    }
    count += rows.bitCount
  }

  /// Adds some of a block of doubles.
  mutating func add(_ values: [Double], rows: BlockMask) {
    values.withUnsafeBufferPointer { values in
      for bit in BlockBits(rows) { doubles += values[bit] }
    }
    count += rows.bitCount
  }

  /// The sum; nil if it overflows an int.
  var sum: Value {
    switch kind {
    case .integers: wraps == 0 ? .int(integers) : .null
    case .doubles: .double(doubles)
    case .decimals: .decimal(decimals)
    }
  }

  var average: Value {
    if count == 0 { return .null }
    return kind == .decimals
      ? .decimal(decimals / Decimal128(count)) : .double(doubles / Double(count))
  }
}
