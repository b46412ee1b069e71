import HeraldModel

/// A sum of numbers, from which numbers that were added can be removed: an int for a type of ints, a decimal for a type
/// that may hold decimals, a double for others. Ints and doubles are added without rounding.
struct ExactSum: Sendable {
  private enum Total: Sendable {
    case integers(Int128)
    case doubles(ExactDoubleSum)
    case decimals(DecimalSum)
  }

  private var total: Total
  /// How many numbers there are.
  private var count = 0

  init(of element: ElementType) {
    switch element {
    case .int: total = .integers(0)
    case .decimal, .any: total = .decimals(DecimalSum())
    case .float, .double, .bool, .string, .data, .date, .uuid, .objectID, .link:
      total = .doubles(ExactDoubleSum())
    }
  }

  /// Adds a value; one that is not a number counts nothing.
  mutating func add(_ value: Value) { change(value, by: 1) }
  /// Removes a value that was added.
  mutating func remove(_ value: Value) { change(value, by: -1) }

  private mutating func change(_ value: Value, by sign: Int) {
    guard let number = value.number else { return }
    count += sign
    switch total {
    case .integers(let sum):
      guard case .integer(let integer) = number else { return }
      total = .integers(sum + Int128(sign) * Int128(integer))
    case .doubles(var sum):
      // Otherwise the digits would be copied.
      total = .integers(0)
      sum.change(number.asDouble, by: sign)
      total = .doubles(sum)
    case .decimals(var sum):
      sum.change(value.shortestDecimal, by: sign)
      total = .decimals(sum)
    }
  }

  /// Adds the sum of some integers.
  mutating func add(_ part: (sum: Int128, count: Int)) {
    guard case .integers(let sum) = total else { return }
    total = .integers(sum + part.sum)
    count += part.count
  }

  /// Adds some of a block of integers.
  mutating func add(_ values: [Int], rows: BlockMask) {
    guard case .integers(var sum) = total else { return }
    values.withUnsafeBufferPointer { values in
      for bit in BlockBits(rows) { sum += Int128(values[bit]) }
    }
    total = .integers(sum)
    count += rows.bitCount
  }

  /// Adds some of a block of doubles.
  mutating func add(_ values: [Double], rows: BlockMask) {
    guard case .doubles(var sum) = total else { return }
    total = .integers(0)
    sum.add(values, rows: rows)
    total = .doubles(sum)
    count += rows.bitCount
  }

  /// The sum; nil if it overflows an int.
  var sum: Value {
    switch total {
    case .integers(let sum): Int(exactly: sum).map(Value.int) ?? .null
    case .doubles(let sum): .double(sum.value)
    case .decimals(let sum): .decimal(sum.value)
    }
  }

  /// The average; nil without numbers.
  var average: Value {
    if count == 0 { return .null }
    return switch total {
    case .integers(let sum): .double(Double(sum) / Double(count))
    case .doubles(let sum): .double(sum.divided(by: count))
    case .decimals(let sum): .decimal(sum.value / Decimal128(count))
    }
  }
}

/// A sum of decimals, each addition to which may round.
private struct DecimalSum: Sendable {
  private var finite = Decimal128.zero
  private var unusual = UnusualNumbers()

  mutating func change(_ number: Decimal128, by sign: Int) {
    if number.isNaN || number.isInfinite {
      unusual.change(Double(number), by: sign)
    } else {
      finite = sign > 0 ? finite + number : finite - number
    }
  }

  var value: Decimal128 { unusual.sum.map { Decimal128($0) } ?? finite }
}
