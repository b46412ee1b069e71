import HeraldModel

/// What an aggregate keeps of one group.
protocol AggregateTotal: Sendable {
  /// Of no values.
  init()
  /// Adds a value, or removes one that was added if the sign is -1. Returns whether it counts.
  mutating func change(_ value: Value, by sign: Int) -> Bool
  /// Adds values that come after those so far.
  mutating func add(_ other: Self)
}

/// The totals of groups, by number.
struct GroupTotals<Total: AggregateTotal>: Sendable {
  var totals: [Total] = []
  /// How many members do not count.
  var missing: [Int] = []
}

/// An accumulator with a total for each group. A class that is not generic conforms to it, for only then what follows is
/// compiled for its total.
protocol Accumulators: Accumulator {
  associatedtype Total: AggregateTotal
  var groups: GroupTotals<Total> { get set }
  /// The aggregate of a total with so many values that count.
  func value(_ total: Total, _ count: Int) -> Value
}

extension Accumulators {
  func reserve(_ count: Int) {
    let lacking = count - groups.totals.count
    if lacking <= 0 { return }
    groups.totals += repeatElement(Total(), count: lacking)
    groups.missing += repeatElement(0, count: lacking)
  }

  func add(_ value: Value, to group: Int) {
    if !groups.totals[group].change(value, by: 1) { groups.missing[group] += 1 }
  }

  func remove(_ value: Value, from group: Int) {
    if !groups.totals[group].change(value, by: -1) { groups.missing[group] -= 1 }
  }

  // What is not of numbers is given its values one by one.
  func add(_ block: StoredBlock, _ rows: BlockMask, _ room: BlockRoom) {
    preconditionFailure("an accumulator that takes no blocks")
  }

  func add(_ block: StoredBlock, _ rows: BlockMask, to group: Int, _ room: BlockRoom) {
    preconditionFailure("an accumulator that takes no blocks")
  }

  func add(_ other: any Accumulator, _ numbers: [(there: Int, here: Int)]) {
    guard let other = other as? Self else { preconditionFailure("another aggregate") }
    for (there, here) in numbers {
      groups.totals[here].add(other.groups.totals[there])
      groups.missing[here] += other.groups.missing[there]
    }
  }

  func clear(_ group: Int) {
    groups.totals[group] = Total()
    groups.missing[group] = 0
  }

  func value(of group: Int, members: Int) -> Value {
    value(groups.totals[group], members - groups.missing[group])
  }

  var bytesOfGroup: Int { MemoryLayout<Total>.stride + MemoryLayout<Int>.stride }
}

// MARK: Columns of numbers

/// A number as columns have it in memory.
protocol ColumnNumber: Comparable, Sendable {
  /// Nil for a value that is no such number.
  init?(_ value: Value)
  /// The numbers of a block; undefined where nil.
  static func numbers(of block: StoredBlock, _ room: BlockRoom) -> UnsafePointer<Self>
  /// The rows that are NaN, of some rows that are not nil.
  static func nans(_ numbers: UnsafePointer<Self>, _ rows: BlockMask) -> BlockMask
}

extension Int: ColumnNumber {
  init?(_ value: Value) {
    guard case .int(let integer) = value else { return nil }
    self = integer
  }

  static func numbers(of block: StoredBlock, _ room: BlockRoom) -> UnsafePointer<Int> {
    block.copyIntegers(into: room.integers)
    return UnsafePointer(room.integers)
  }

  static func nans(_ numbers: UnsafePointer<Int>, _ rows: BlockMask) -> BlockMask { .zero }
}

extension Double: ColumnNumber {
  init?(_ value: Value) {
    guard let number = value.asDouble else { return nil }
    self = number
  }

  static func numbers(of block: StoredBlock, _ room: BlockRoom) -> UnsafePointer<Double> {
    block.copyDoubles(into: room.doubles)
    return UnsafePointer(room.doubles)
  }

  static func nans(_ numbers: UnsafePointer<Double>, _ rows: BlockMask) -> BlockMask {
    var hasNaN = SIMD8<Int64>.zero
    for row in stride(from: 0, to: blockSize, by: 8) {
      let eight = UnsafeRawPointer(numbers + row).loadUnaligned(as: SIMD8<Double>.self)
      hasNaN.replace(with: -1, where: eight .!= eight)
    }
    var nans = BlockMask.zero
    if hasNaN == .zero { return nans }
    for row in BlockBits(rows) where numbers[row].isNaN { nans.insert(row) }
    return nans
  }
}

/// A total that takes whole blocks of numbers.
protocol NumberTotal: AggregateTotal {
  associatedtype Number: ColumnNumber
  static var countsNaN: Bool { get }
  /// Adds a number that counts.
  mutating func add(_ number: Number)
  /// Adds some rows of a block, all of which are not nil; returns how many count.
  mutating func add(_ block: StoredBlock, _ rows: BlockMask, _ room: BlockRoom) -> Int
}

extension NumberTotal {
  static func counted(_ numbers: UnsafePointer<Number>, _ rows: BlockMask) -> BlockMask {
    countsNaN ? rows : rows & ~Number.nans(numbers, rows)
  }

  mutating func add(_ block: StoredBlock, _ rows: BlockMask, _ room: BlockRoom) -> Int {
    let numbers = Number.numbers(of: block, room)
    let counted = Self.counted(numbers, rows)
    counted.forEachBit { add(numbers[$0]) }
    return counted.bitCount
  }
}

/// An accumulator of columns of numbers.
protocol NumberAccumulators: Accumulators where Total: NumberTotal {}

extension NumberAccumulators {
  func add(_ block: StoredBlock, _ rows: BlockMask, _ room: BlockRoom) {
    let numbers = Total.Number.numbers(of: block, room)
    let counted = Total.counted(numbers, rows & ~block.nulls)
    for row in BlockBits(rows & ~counted) { groups.missing[Int(room.groups[row])] += 1 }
    let groupOfRow = room.groups
    groups.totals.withUnsafeMutableBufferPointer { totals in
      guard let totals = totals.baseAddress else { return }
      counted.forEachBit { totals[Int(groupOfRow[$0])].add(numbers[$0]) }
    }
  }

  func add(_ block: StoredBlock, _ rows: BlockMask, to group: Int, _ room: BlockRoom) {
    let count = groups.totals[group].add(block, rows & ~block.nulls, room)
    groups.missing[group] += rows.bitCount - count
  }
}
