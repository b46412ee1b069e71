import HeraldModel
import HeraldQuery
import Testing

@Suite struct SortOrderTests {
  private static func date(_ seconds: Int) -> Value {
    .date(Timestamp(seconds: seconds, nanoseconds: 500_000_000))
  }

  static let fractions: [([Value], [Value], [Value], Double?)] = [
    ([.int(0)], [.int(1)], [.int(4)], 0.25), ([.int(0)], [.int(0)], [.int(4)], 0),
    ([.int(0)], [.int(4)], [.int(4)], 1), ([.int(8)], [.int(6)], [.int(4)], 0.5),
    ([.int(-4)], [.double(-1)], [.float(0)], 0.75),
    ([date(10)], [date(12)], [date(20)], 0.2),
    ([.int(.min)], [.int(0)], [.int(.max)], 0.5),
    ([.double(-1e308)], [.double(0)], [.double(1e308)], 0),
    ([.int(3), .int(0)], [.int(3), .int(1)], [.int(3), .int(2)], 0.5),
    ([.int(3), .int(0)], [.int(3), .int(9)], [.int(4), .int(2)], 0),
    ([.int(3)], [.int(3)], [.int(3)], nil), ([], [], [], nil),
    ([.null], [.int(3)], [.int(4)], nil), ([.int(1)], [.null], [.int(3)], nil),
    ([.double(.nan)], [.int(3)], [.int(4)], nil), ([.int(1)], [.int(3)], [.double(.infinity)], 0),
    ([.double(-.infinity)], [.int(3)], [.int(4)], nil),
    ([.string("a")], [.string("b")], [.string("c")], nil),
    ([.int(1)], [.int(2)], [.string("c")], nil),
  ]

  @Test(arguments: fractions)
  func `guesses a position between two rows`(
    low: [Value], value: [Value], high: [Value], fraction: Double?
  ) {
    let path = PropertyPath(
      root: ClassID(1), steps: [PropertyPath.Step(ClassID(1), .property(PropertyID(1)))])
    let order = SortOrder(keys: low.map { _ in SortOrder.Key(path: path, isAscending: true) })
    #expect(order.fraction(of: value, from: low, to: high) == fraction)
  }
}
