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
  private var integers: Int128 = 0
  private var doubles = 0.0
  private var decimals = Decimal128.zero
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
    switch kind {
    case .decimals: decimals += value.shortestDecimal
    case .integers: if case .integer(let integer) = number { integers += Int128(integer) }
    case .doubles: doubles += number.asDouble
    }
  }

  /// Adds the sum of some integers.
  mutating func add(_ part: (sum: Int128, count: Int)) {
    integers += part.sum
    count += part.count
  }

  /// Adds some of a block of integers.
  mutating func add(_ values: [Int], rows: BlockMask) {
    values.withUnsafeBufferPointer { values in
      for bit in BlockBits(rows) {
        if kind == .integers {
          integers += Int128(values[bit])
        } else {
          doubles += Double(values[bit])
        }
      }
    }
    count += rows.bitCount
  }

  /// Adds some of a block of doubles.
  mutating func add(_ values: [Double], rows: BlockMask) {
    values.withUnsafeBufferPointer { values in
      if rows == .everything {
        for value in values { doubles += value }
      } else {
        for bit in BlockBits(rows) { doubles += values[bit] }
      }
    }
    count += rows.bitCount
  }

  /// The sum; nil if it overflows an int.
  var sum: Value {
    switch kind {
    case .integers: Int(exactly: integers).map(Value.int) ?? .null
    case .doubles: .double(doubles)
    case .decimals: .decimal(decimals)
    }
  }

  var average: Value {
    if count == 0 { return .null }
    return switch kind {
    case .integers: .double(Double(integers) / Double(count))
    case .doubles: .double(doubles / Double(count))
    case .decimals: .decimal(decimals / Decimal128(count))
    }
  }
}
