import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldObservation
@testable import TestModel

/// Sorted rows beside an array that is sorted anew: by a value of any type behind a link, then by one
/// of their own. Many rows and few values, so that the first row of a block leaves, comes back with
/// other values and is one again.
struct SortedRowsTests {
  private static let dog = ClassID(1)
  private static let mate = PropertyID(1)
  private static let age = PropertyID(2)
  private static let schema = Schema(classes: [
    ClassSchema(
      id: dog, name: "Dog",
      properties: [
        PropertySchema(id: mate, name: "mate", type: PropertyType(.link(dog), isOptional: true)),
        PropertySchema(id: age, name: "age", type: PropertyType(.any)),
      ])
  ])
  private static let count = 2500

  private func path(_ properties: PropertyID...) -> PropertyPath {
    PropertyPath(
      root: Self.dog,
      steps: properties.map { PropertyPath.Step(Self.dog, .property($0)) })
  }

  private func order(isAscending: Bool) -> RowOrder {
    RowOrder(
      sort: SortOrder(keys: [
        SortOrder.Key(path: path(Self.mate, Self.age), isAscending: isAscending),
        SortOrder.Key(path: path(Self.age), isAscending: !isAscending),
      ]), collection: nil)
  }

  @Test(arguments: seeds(8))
  func `sorted rows are an array that is sorted again`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let reader = ModelReader(RecordedState(schema: Self.schema))
    // Numbers only, dates only or everything: where a position can be guessed, and where it cannot.
    let kinds = [1, 1, 2, 9][Int(seed % 4)]
    for number in 1...Self.count { scatter(number, in: reader, kinds, &random) }
    let order = order(isAscending: seed % 2 == 0)
    var members = Set((1...Self.count).filter { _ in random.oneIn(2) })
    var expected = sorted(members, order, reader)
    let rows = SortedRows(RowOrder.SortedNumbers(numbers: expected), by: order, reader)
    for round in 0..<24 {
      let changed = chosen(from: expected, &random)
      let added = (1...Self.count).filter { !members.contains($0) }
        .shuffled(using: &random).prefix(random.oneIn(10) ? 800 : 20)
      for number in changed { rows.remove(number) }
      // Nobody's mate, so that no other row's values change with these.
      for number in changed { scatter(number, in: reader, kinds, &random) }
      if random.oneIn(2) { members.subtract(changed.prefix(changed.count / 2)) }
      members.formUnion(added)
      rows.insert(contentsOf: changed.filter(members.contains) + added, reader)

      expected = sorted(members, order, reader)
      #expect(rows.count == expected.count, "seed \(seed), round \(round)")
      for (position, number) in expected.enumerated() {
        guard rows.number(at: position) == number, rows.position(of: number) == position else {
          Issue.record("row \(position) is not number \(number): seed \(seed), round \(round)")
          return
        }
      }
      if round % 6 == 0 { #expect(rows.violations(reader) == [], "seed \(seed), round \(round)") }
    }
  }

  /// Some rows: neighbours, those at regular distances, where blocks begin, or any.
  private func chosen(
    from rows: [ObjectNumber], _ random: inout SplitMix64
  ) -> [ObjectNumber] {
    let count = 1 + random.below(random.oneIn(8) ? 700 : 30)
    switch random.below(3) {
    case 0: return Array(rows.dropFirst(random.below(max(1, rows.count))).prefix(count))
    case 1: return stride(from: 0, to: rows.count, by: 192).map { rows[$0] }
    default: return Array(rows.shuffled(using: &random).prefix(count))
    }
  }

  /// Gives an object another mate, one of those that are no rows and stay as they are, and an age.
  private func scatter(
    _ number: Int, in reader: ModelReader, _ kinds: Int, _ random: inout SplitMix64
  ) {
    let mate = Self.count + 1 + random.below(60)
    let mateID = ObjectID(Self.dog, mate)
    if reader.state[mateID] == nil {
      reader.state[mateID] = RecordedObject(values: [Self.age: value(kinds, &random)])
    }
    var dog = RecordedObject(values: [Self.age: value(kinds, &random)])
    dog.values[Self.mate] = random.oneIn(20) ? .null : .link(mateID)
    reader.state[ObjectID(Self.dog, number)] = dog
  }

  private func value(_ kinds: Int, _ random: inout SplitMix64) -> Value {
    switch random.below(kinds) {
    case 0: .int(random.below(random.oneIn(4) ? .max : 40))
    case 1:
      .date(Timestamp(seconds: random.below(40), nanoseconds: Int32(random.below(1_000_000_000))))
    case 2: .double([.nan, .infinity, -.infinity, 0, 1e308, -1e308, 7.5][random.below(7)])
    case 3: .string("\(random.below(40))")
    case 4: .string(String(repeating: "a", count: 80) + "\(random.below(40))")
    case 5: .null
    case 6: .bool(random.oneIn(2))
    case 7: .list([.int(random.below(4))])
    default: .data([UInt8(random.below(256))])
    }
  }

  private func sorted(
    _ members: Set<ObjectNumber>, _ order: RowOrder, _ reader: ModelReader
  ) -> [ObjectNumber] {
    members.map { ($0, order.values(of: $0, reader)) }.sorted { a, b in
      let difference = order.sort.compare(a.1, b.1)
      return difference == 0 ? a.0 < b.0 : difference < 0
    }.map(\.0)
  }
}
