import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// Rows sorted by values that have ranks, beside an array that is sorted anew: of each type, with nil, with few
/// different values and many, ascending and descending, by one key and by two.
struct RankedRowsTests {
  private static let dog = ClassID(1)
  private static let key = PropertyID(1)
  private static let second = PropertyID(2)
  private static let elements: [ElementType] = [.int, .double, .string, .date, .bool]
  private static let count = 3000

  /// Where new values lie.
  private enum Region: CaseIterable { case anywhere, few, rising, falling, dense, extreme }

  private struct Shape {
    let element: ElementType
    let order: RowOrder
    let reader: ModelReader
    var region = Region.anywhere
    var next = 0

    init(_ seed: UInt64) {
      element = RankedRowsTests.elements[Int(seed % 5)]
      let schema = Schema(classes: [
        ClassSchema(
          id: dog, name: "Dog",
          properties: [
            PropertySchema(id: key, name: "key", type: PropertyType(element, isOptional: true)),
            PropertySchema(id: second, name: "second", type: PropertyType(.int)),
          ])
      ])
      reader = ModelReader(RecordedState(schema: schema))
      let properties = seed / 5 % 2 == 0 ? [key] : [key, second]
      let keys = properties.map { property in
        SortOrder.Key(
          path: PropertyPath(root: dog, steps: [PropertyPath.Step(dog, .property(property))]),
          isAscending: seed / 10 % 2 == 0)
      }
      order = RowOrder(sort: SortOrder(keys: keys), collection: nil)
    }

    mutating func scatter(_ number: ObjectNumber, _ random: inout SplitMix64) {
      let values = [
        RankedRowsTests.key: random.oneIn(30) ? .null : value(&random),
        RankedRowsTests.second: .int(random.below(3)),
      ]
      reader.state[ObjectID(dog, number)] = RecordedObject(values: values)
    }

    private mutating func value(_ random: inout SplitMix64) -> Value {
      next += 1
      let number =
        switch region {
        case .anywhere: random.below(1_000_000_000) - 500_000_000
        case .few: random.below(5)
        case .rising: 600_000_000 + next
        case .falling: -600_000_000 - next
        case .dense: 1_000 + random.below(200)
        case .extreme: [Int.min, .max, 0, -1][random.below(4)]
        }
      switch element {
      case .int: return .int(number)
      case .double:
        if region == .extreme {
          return .double([.nan, .infinity, -.infinity, 0, -0.0][random.below(5)])
        }
        return .double(Double(number) / 8)
      case .string:
        let beginning = ["", "a common beginning ", "b\(number % 7) "][random.below(3)]
        return .string("\(beginning)\(number)")
      case .date:
        let nanoseconds = Int32(random.below(2) * random.below(1_000_000_000))
        return .date(Timestamp(seconds: number / 16, nanoseconds: nanoseconds))
      default: return .bool(number % 2 == 0)
      }
    }
  }

  @Test(arguments: seeds(20))
  func `rows sorted by ranks are an array that is sorted again`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var shape = Shape(seed)
    for number in 1...Self.count { shape.scatter(number, &random) }
    var members = MemberSet()
    for number in 1...Self.count where random.oneIn(2) { members.insert(number) }
    var rows = shape.order.sorted(members, shape.reader)
    #expect(rows.ranks?.count == members.count, "seed \(seed)")
    #expect(rows.numbers == sorted(Set(rows.numbers), shape), "seed \(seed)")
    // Without ranks, marks are made while it is searched.
    if random.oneIn(3) { rows.ranks = nil }
    let view = SortedRows(rows, by: shape.order, shape.reader)
    var present = Set(rows.numbers)
    for round in 0..<8 {
      shape.region = Region.allCases.randomElement(using: &random) ?? .anywhere
      let change = random.below(4)
      let touched = Array(1...Self.count).shuffled(using: &random).prefix(change == 3 ? 1200 : 300)
      for number in touched {
        let wasPresent = present.remove(number) != nil
        let position = view.position(of: number)
        #expect(view.remove(number) == position && (position != nil) == wasPresent)
        shape.scatter(number, &random)
        // Mostly removed, mostly inserted, or moved.
        let isInserted = [random.oneIn(8), !random.oneIn(8), wasPresent, wasPresent][change]
        guard isInserted, change != 3 else { continue }
        present.insert(number)
        #expect(view.insert(number, shape.reader) == view.position(of: number))
      }
      if change == 3 {
        present.formUnion(touched)
        view.insert(contentsOf: Array(touched), shape.reader)
      }
      let expected = sorted(present, shape)
      guard (0..<view.count).map(view.number(at:)) == expected else {
        Issue.record("the rows are out of order: seed \(seed), round \(round), \(shape.region)")
        return
      }
      let violations = view.violations(shape.reader)
      #expect(violations == [], "seed \(seed), round \(round), \(shape.region)")
      if !violations.isEmpty { return }
    }
  }

  private func sorted(_ members: Set<ObjectNumber>, _ shape: Shape) -> [ObjectNumber] {
    members.map { ($0, shape.order.values(of: $0, shape.reader)) }.sorted { a, b in
      let difference = shape.order.sort.compare(a.1, b.1)
      return difference == 0 ? a.0 < b.0 : difference < 0
    }.map(\.0)
  }
}
