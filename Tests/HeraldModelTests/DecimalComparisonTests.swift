import TestSupport
import Testing

@testable import HeraldModel

/// Ascending; each group holds texts of one value.
private let ascending: [[String]] = [
  ["NaN", "-nan"], ["-Infinity"], ["-9.999999999999999999999999999999999E+6144"],
  ["-1E+6111", "-1.0E+6111"], ["-10", "-10.0", "-1E+1"], ["-1.1"], ["-1", "-1.000"],
  ["-1E-6176"], ["0", "-0", "0.00", "0E+6111", "-0E-6176"], ["1E-6176"], ["0.1", "0.10", "1E-1"],
  ["0.9999999999999999999999999999999999"],
  ["1", "1.0", "1.00", "1.000000000000000000000000000000000"],
  ["1.000000000000000000000000000000001"], ["9"], ["10", "1E+1", "10.00"], ["11"],
  ["1E+33", "1000000000000000000000000000000000"], ["1000000000000000000000000000000001"],
  ["1E+6111", "1.00E+6111"], ["9.999999999999999999999999999999999E+6144"], ["Infinity", "inf"],
]

/// The sign is the order of the decimal against the double.
private let ordersAgainstDoubles: [(String, Double, Int)] = [
  ("0.1", 0.1, 0), ("0.09999999999999999999", 0.1, -1),
  ("0.1000000000000000055511151231257827", 0.1, 1), ("0.3", 0.1 + 0.2, -1),
  ("0.30000000000000004", 0.1 + 0.2, 0), ("0.3", 0.3, 0), ("0.5", 0.5, 0),
  ("0.50", 0.5, 0), ("-0.1", -0.1, 0), ("0", -0.0, 0), ("-0", 0, 0), ("1E-400", 0, 1),
  ("-1E-400", 0, -1), ("0", .leastNonzeroMagnitude, -1), ("4E-324", .leastNonzeroMagnitude, -1),
  ("5E-324", .leastNonzeroMagnitude, 0), ("6E-324", .leastNonzeroMagnitude, 1),
  ("1E+400", .infinity, -1), ("1E+400", .greatestFiniteMagnitude, 1),
  ("-1E+400", -.infinity, 1), ("1E+22", 1e22, 0), ("1E+23", 1e23, 0),
  ("9.999999999999999161139200E+22", 1e23, -1),
  ("9007199254740993", 9_007_199_254_740_992, 1), ("9007199254740992", 9_007_199_254_740_992, 0),
  ("Infinity", .infinity, 0), ("-Infinity", .infinity, -1), ("NaN", .nan, 0),
  ("NaN", -.infinity, -1), ("-Infinity", .nan, 1),
]

@Suite struct DecimalComparisonTests {
  @Test func `numbers sort by value and equal ones hash alike`() throws {
    for (rank, group) in ascending.enumerated() {
      for (otherRank, otherGroup) in ascending.enumerated() {
        for text in group {
          for otherText in otherGroup {
            let a = try #require(Decimal128(text))
            let b = try #require(Decimal128(otherText))
            let place = Comment(rawValue: "\(text), \(otherText)")
            #expect(a.compare(b).signum() == (rank - otherRank).signum(), place)
            #expect((a == b) == (rank == otherRank), place)
            #expect((a < b) == (rank < otherRank), place)
            #expect((a.hashValue == b.hashValue) == (rank == otherRank), place)
            #expect((a.reduced.bits == b.reduced.bits) == (rank == otherRank), place)
          }
        }
      }
    }
  }

  @Test(arguments: seeds(8))
  func `the order is that of lists of digits`(seed: UInt64) throws {
    var maker = DecimalMaker(seed: seed)
    for round in 0..<200 {
      let left = maker.number()
      let right = maker.number(near: left)
      let place = Comment(rawValue: "seed \(seed), round \(round): \(left), \(right)")
      let (a, b) = (try #require(Decimal128(left)), try #require(Decimal128(right)))
      let order = DecimalTwin.order(DecimalTwin(a.description), DecimalTwin(b.description))
      try #require(a.compare(b).signum() == order, place)
      try #require(b.compare(a).signum() == -order, place)
      try #require((a == b) == (order == 0), place)
      try #require(a.reduced.compare(a) == 0 && a.reduced.violations == [], place)
      try #require((a.reduced.bits == b.reduced.bits) == (order == 0), place)
    }
  }

  @Test func `ints are compared by value`() {
    #expect(Decimal128("3.00")?.compare(to: 3) == 0)
    #expect(Decimal128(Int.max).compare(to: Int.max) == 0)
    #expect(Decimal128("9223372036854775807.1").map { $0.compare(to: Int.max) > 0 } == true)
    #expect(Decimal128("-9223372036854775808.1").map { $0.compare(to: Int.min) < 0 } == true)
    #expect(Decimal128.nan.compare(to: Int.min) < 0)
  }

  @Test(arguments: ordersAgainstDoubles)
  func `doubles compare by their fewest digits`(text: String, double: Double, order: Int) throws {
    let value = try #require(Decimal128(text))
    #expect(value.compare(to: double).signum() == order)
    if !double.isNaN && !value.isNaN {
      #expect((-value).compare(to: -double).signum() == -order)
    }
  }

  @Test(arguments: seeds(4))
  func `a double equals the decimal of its fewest digits, not its neighbours`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<30 {
      let double = anyDouble(&random)
      let place = Comment(rawValue: "seed \(seed): \(double)")
      let exact = LongDecimal(exactly: double)
      let twin = DecimalTwin.finite(exact)
      let nearest = try #require(Decimal128(twin.text), place)
      let last = try #require(Decimal128("1E\(max(-6176, exact.lead - 34))"), place)
      let shortest = Decimal128(double)
      let shortestTwin = DecimalTwin(shortest.description)
      for value in [shortest, shortest + last, shortest - last, nearest] {
        let order = DecimalTwin.order(DecimalTwin(value.description), shortestTwin)
        try #require(value.compare(to: double).signum() == order, place)
      }
      let isExact = DecimalTwin.order(DecimalTwin(twin.text), twin) == 0
      try #require(Decimal128(exactly: double) == (isExact ? nearest : nil), place)
    }
  }
}
