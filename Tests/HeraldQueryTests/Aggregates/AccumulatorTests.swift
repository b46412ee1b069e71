import HeraldModel
import TestSupport
import Testing

@testable import HeraldQuery

/// Each aggregate beside one that sorts or adds up all values again: of values that come and go, of blocks, and of parts
/// that are added up.
struct AccumulatorTests {
  private static let elements: [ElementType] = [
    .int, .double, .float, .decimal, .date, .any,
  ]

  /// A value of a type, one of few, so that some are equal.
  private static func value(_ element: ElementType, _ random: inout SplitMix64) -> Value {
    if random.chance(15) { return .null }
    let number = random.below(9) - 4
    switch element {
    case .int: return .int(number)
    case .double: return .double(random.chance(5) ? .nan : Double(number) / 10)
    case .float: return .float(random.chance(5) ? .nan : Float(number) / 4)
    case .decimal: return .decimal(random.chance(5) ? .nan : Decimal128(number))
    case .date: return .date(Timestamp(seconds: number))
    default:
      if random.chance(20) { return .string("\(number)") }
      return random.chance(50) ? .int(number) : .double(0.5)
    }
  }

  /// What an aggregate of values is, by its definition.
  private static func expected(
    _ operation: CollectionOperation, _ values: [Value], of element: ElementType
  ) -> Value {
    let numbers = values.filter { $0.number != nil }
    switch operation {
    case .count: return .int(values.count)
    case .min, .max:
      let known = values.filter { !$0.isNull && $0.number?.isNaN != true }
      let sorted = known.sorted { Value.order($0, $1) < 0 }
      return (operation == .min ? sorted.first : sorted.last) ?? .null
    case .sum, .average:
      if operation == .average, numbers.isEmpty { return .null }
      switch element {
      case .int:
        var sum = 0
        for case .int(let number) in values { sum += number }
        return operation == .sum ? .int(sum) : .double(Double(sum) / Double(numbers.count))
      case .decimal, .any:
        let sum = numbers.map(\.shortestDecimal).reduce(Decimal128.zero) { $0 + $1 }
        return .decimal(operation == .sum ? sum : sum / Decimal128(numbers.count))
      default:
        // Tenths and quarters: exact in twentieths.
        let all = numbers.compactMap { $0.number?.asDouble }
        if all.contains(where: \.isNaN) { return .double(.nan) }
        var sum = ExactDoubleSum()
        for number in all { sum.change(number, by: 1) }
        return .double(operation == .sum ? sum.value : sum.divided(by: all.count))
      }
    case .median: return quantile(numbers, 0.5, of: element)
    case .percentile(let fraction): return quantile(numbers, fraction, of: element)
    case .deviation:
      let all = numbers.compactMap { $0.number?.asDouble }
      if all.count < 2 { return .null }
      if all.contains(where: \.isNaN) { return .double(.nan) }
      let mean = all.reduce(0, +) / Double(all.count)
      let squares = all.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
      return .double((squares / Double(all.count - 1)).squareRoot())
    case .distinct:
      return .int(Set(values.filter { !$0.isNull }.map(\.groupKey)).count)
    }
  }

  private static func quantile(
    _ numbers: [Value], _ fraction: Double, of element: ElementType
  ) -> Value {
    let sorted = numbers.filter { $0.number?.isNaN != true }.sorted { Value.order($0, $1) < 0 }
    if sorted.isEmpty { return .null }
    let position = fraction * Double(sorted.count - 1)
    let (lower, upper) = (Int(position), min(Int(position) + 1, sorted.count - 1))
    let part = position - Double(lower)
    if element == .decimal || element == .any {
      let (first, last) = (sorted[lower].shortestDecimal, sorted[upper].shortestDecimal)
      let place = Decimal128(fraction) * Decimal128(sorted.count - 1) - Decimal128(lower)
      return .decimal(first + (last - first) * place)
    }
    let (first, last) = (sorted[lower].number!.asDouble, sorted[upper].number!.asDouble)
    return .double(first + (last - first) * part)
  }

  /// Equal but for rounding, where the definition rounds on its way.
  private static func same(
    _ one: Value, _ other: Value, _ operation: CollectionOperation
  ) -> Bool {
    switch operation {
    case .deviation, .median, .percentile:
      guard let left = one.number?.asDouble, let right = other.number?.asDouble else {
        return one == other
      }
      return left.isNaN ? right.isNaN : abs(left - right) <= 1e-12 * max(1, abs(right))
    default: return same(one, other)
    }
  }

  private static func accepted(
    _ body: (CollectionOperation, ElementType) throws -> Void
  ) rethrows {
    for element in elements {
      for operation in CollectionOperation.all + [.percentile(0), .percentile(0.9), .percentile(1)]
      where operation.function.accepts(element) {
        try body(operation, element)
      }
    }
  }

  /// Equal, and of NaN any.
  private static func same(_ one: Value, _ other: Value) -> Bool {
    if one.number?.isNaN == true { return other.number?.isNaN == true }
    return one == other || one.groupKey == other.groupKey
  }

  @Test(arguments: seeds(40)) func `values come and go`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    Self.accepted { operation, element in
      let total = operation.function.accumulator(of: element, isFollowed: true)
      var groups: [[Value]] = [[], [], []]
      total.reserve(groups.count)
      for _ in 0..<60 {
        let group = random.below(groups.count)
        switch random.below(10) {
        case 0:
          groups[group] = []
          total.clear(group)
        case 1...3 where !groups[group].isEmpty:
          let index = random.below(groups[group].count)
          total.remove(groups[group].remove(at: index), from: group)
        default:
          let value = Self.value(element, &random)
          groups[group].append(value)
          total.add(value, to: group)
        }
        for (group, values) in groups.enumerated() {
          let found = total.value(of: group, members: values.count)
          let wanted = Self.expected(operation, values, of: element)
          #expect(Self.same(found, wanted, operation), "\(operation) of \(element): \(values)")
        }
      }
    }
  }

  @Test(arguments: seeds(40)) func `values that stay are added one by one or as parts`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    Self.accepted { operation, element in
      let values = (0..<random.below(50)).map { _ in Self.value(element, &random) }
      let wanted = Self.expected(operation, values, of: element)
      #expect(Self.same(operation.apply(to: values, of: element), wanted, operation), "\(values)")
      let isFollowed = random.chance(50)
      let parts = (0..<3).map { _ in
        operation.function.accumulator(of: element, isFollowed: isFollowed)
      }
      let cut = random.below(values.count + 1)
      for part in parts { part.reserve(2) }
      for value in values.prefix(cut) { parts[0].add(value, to: 0) }
      for value in values.dropFirst(cut) { parts[1].add(value, to: 1) }
      parts[2].add(parts[0], [(there: 0, here: 1)])
      parts[2].add(parts[1], [(there: 1, here: 1)])
      let found = parts[2].value(of: 1, members: values.count)
      #expect(
        Self.same(found, wanted, operation), "\(operation) of \(element): \(values) at \(cut)")
      let none = Self.expected(operation, [], of: element)
      let nothing = parts[2].value(of: 0, members: 0)
      #expect(Self.same(nothing, none, operation), "\(operation) of no \(element)")
    }
  }

  @Test(arguments: seeds(40)) func `blocks of numbers are added by row, in place or copied`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let room = BlockRoom()
    Self.accepted { operation, element in
      guard element.isColumnOfNumbers else { return }
      let values = (0..<256).map { _ in Self.value(element, &random) }
      var rows = BlockMask.zero
      // Of few rows the ends are others than those of the block.
      let share = [1, 5, 50, 100].randomElement(using: &random) ?? 50
      for row in 0..<256 where random.chance(share) { rows.insert(row) }
      withBlock(values, of: element, isStored: random.chance(50)) { block in
        let total = operation.function.accumulator(of: element, isFollowed: false)
        total.reserve(4)
        for row in 0..<256 { room.groups[row] = UInt32(random.below(3)) }
        let groups = (0..<256).map { Int(room.groups[$0]) }
        total.add(block, rows, room)
        total.add(block, rows, to: 3, room)
        let members = values.enumerated().filter { rows.contains($0.offset) }
        for group in 0..<4 {
          let own = members.filter { group == 3 || groups[$0.offset] == group }.map(\.element)
          let found = total.value(of: group, members: own.count)
          let wanted = Self.expected(operation, own, of: element)
          #expect(Self.same(found, wanted, operation), "\(operation) of \(element), group \(group)")
        }
      }
    }
  }

  /// Calls `body` with a block of values: copied, or in the form in which storage has it.
  private func withBlock(
    _ values: [Value], of element: ElementType, isStored: Bool, _ body: (StoredBlock) -> Void
  ) {
    var nulls = BlockMask.zero
    for (row, value) in values.enumerated() where value.isNull { nulls.insert(row) }
    let doubles = values.map { $0.number?.asDouble ?? 0 }
    let integers = values.map { value in if case .int(let number) = value { number } else { 0 } }
    guard isStored else {
      let content: ColumnValues =
        element == .int ? .integers(integers, nulls: nulls) : .doubles(doubles, nulls: nulls)
      return content.withNumbers(body)
    }
    let known = doubles.indices.filter { !nulls.contains($0) }.map { doubles[$0] }
    let isUnknown = known.contains(where: \.isNaN)
    let zone = (isUnknown ? .nan : known.min() ?? 1, isUnknown ? .nan : known.max() ?? 0)
    func block(_ form: StoredBlock.Form, _ bytes: UnsafeRawBufferPointer) {
      withUnsafeBytes(of: nulls) { nilBits in
        let isInt = element == .int
        body(
          StoredBlock(
            form, values: bytes.baseAddress!, nilBits: nilBits.baseAddress,
            smallest: isInt ? Int(zone.0) : Int(bitPattern: UInt(zone.0.bitPattern)),
            largest: isInt ? Int(zone.1) : Int(bitPattern: UInt(zone.1.bitPattern))))
      }
    }
    switch element {
    case .int: integers.map { Int16($0) }.withUnsafeBytes { block(.int16, $0) }
    case .float: doubles.map { Float($0) }.withUnsafeBytes { block(.floats, $0) }
    default: doubles.withUnsafeBytes { block(.doubles, $0) }
    }
  }

  @Test func `a sum of decimals with NaN is NaN until that is removed`() {
    for operation in [CollectionOperation.sum, .average] {
      let total = operation.function.accumulator(of: .decimal, isFollowed: true)
      total.reserve(1)
      total.add(.decimal(Decimal128(7)), to: 0)
      total.add(.decimal(.nan), to: 0)
      #expect(total.value(of: 0, members: 2) == .decimal(.nan))
      total.remove(.decimal(.nan), from: 0)
      #expect(total.value(of: 0, members: 1) == .decimal(Decimal128(7)))
    }
  }

  @Test func `a percentile of decimals is exact`() {
    let values = [4, 5, 7].map { Value.decimal(Decimal128($0)) }
    #expect(
      CollectionOperation.percentile(0.8).apply(to: values, of: .decimal)
        == .decimal(Decimal128("6.2")!))
    #expect(CollectionOperation.median.apply(to: [.int(1), .int(2)], of: .int) == .double(1.5))
    let large = [Value.double(1e308), .double(1.5e308)]
    #expect(CollectionOperation.median.apply(to: large, of: .double) == .double(1.25e308))
  }

  @Test func `a sum of integers that overflows is nil, its average is not`() {
    #expect(CollectionOperation.sum.apply(to: [.int(.max), .int(1)], of: .int) == .null)
    #expect(
      CollectionOperation.average.apply(to: [.int(.max), .int(.max)], of: .int)
        == .double(Double(Int.max)))
    #expect(
      CollectionOperation.sum.apply(to: [.int(.max), .int(1), .int(-1)], of: .int) == .int(.max))
  }

  // MARK: Deviations

  private static func deviation(_ values: [Value], of element: ElementType) -> Value {
    CollectionOperation.deviation.apply(to: values, of: element)
  }

  @Test(arguments: seeds(40))
  func `the deviation of numbers of any size is that of smaller ones`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let small = (0..<2 + random.below(20)).map { _ in random.below(2_000) - 1_000 }
    let expected = Self.deviation(small.map { .int($0) }, of: .int)
    // A common part changes nothing, where not all of these integers are doubles.
    let base =
      [1 << 61, 1 << 62, Int.max - 2_000, Int.min + 2_000].randomElement(using: &random) ?? 0
    #expect(
      Self.deviation(small.map { .int(base + $0) }, of: .int) == expected, "seed \(seed), \(base)")
    // Nor does a power of two, which is no rounding.
    guard case .double(let deviation) = expected else { return }
    let exponent = random.below(1_800) - 950
    let factor = Double(sign: .plus, exponent: exponent, significand: 1)
    let scaled = small.map { Value.double(Double($0) * factor) }
    #expect(
      Self.deviation(scaled, of: .double) == .double(deviation * factor),
      "seed \(seed), \(exponent)")
    // What has come and gone leaves nothing behind.
    let large: [Value] = [.double(1e200), .double(-3e-200), .double(5e300)]
    let accumulator = CollectionOperation.deviation.function
      .accumulator(of: .double, isFollowed: true)
    accumulator.reserve(1)
    for value in large + scaled { accumulator.add(value, to: 0) }
    for value in large { accumulator.remove(value, from: 0) }
    #expect(
      accumulator.value(of: 0, members: scaled.count) == .double(deviation * factor),
      "seed \(seed), \(exponent)")
  }

  @Test func `the deviation of numbers of very different sizes`() {
    func of(_ numbers: Double...) -> Value {
      Self.deviation(numbers.map { .double($0) }, of: .double)
    }
    #expect(of(1e200, 3e200) == .double(Double(2).squareRoot() * 1e200))
    #expect(of(1e-200, 3e-200) == .double(Double(2).squareRoot() * 1e-200))
    #expect(of(1e200, 1e200, 1e200) == .double(0))
    #expect(of(0, 0) == .double(0))
    #expect(of(1e300, 1, 1e-300) == of(1e300, 0, 0))
    #expect(of(1, 1e-300, 1) == of(1, 0, 1))
    if case .double(let value) = of(.infinity, 1) { #expect(value.isNaN) }
  }
}
