import HeraldModel

extension CollectionOperation {
  /// The result over the values of a path, nil values left out, and NaN but from a sum of doubles:
  /// of none, the sum is 0 and everything else nil.
  func apply(to path: OperandPath, of element: ElementType, _ scope: Scope) -> Value {
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

/// A sum of numbers: an int where all may be ints, a decimal where any may be decimals.
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
  /// How often `integers` went round above the greatest int, less how often below the least: the sum
  /// fits where it came back, in whatever order it was added.
  private var turns = 0
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
    if overflow { turns += value < 0 ? -1 : 1 }
  }

  /// Adds a block of whole numbers, `nulls` left out.
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

  /// Adds a block of doubles, `nulls` left out.
  mutating func add(_ values: [Double], nulls: BlockMask) {
    guard nulls.isEmpty else {
      for bit in BlockBits(~nulls) { add(.double(values[bit])) }
      return
    }
    for value in values { doubles += value }
    count += values.count
  }

  /// nil where it is beyond what an int holds.
  var sum: Value {
    switch kind {
    case .integers: turns == 0 ? .int(integers) : .null
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
