import HeraldModel
import TestSupport
import Testing

@testable import HeraldQuery
@testable import TestModel

struct KeyBoundsTests {
  /// Dogs with every kind of number, nil among them.
  private static func store() -> KennelStore {
    let kennel = KennelStore()
    let doubles: [Double] = [
      -.infinity, -2.5, -1, -.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude, 1, 1.5, 2,
      .infinity, .nan,
    ]
    for (index, double) in doubles.enumerated() {
      _ = kennel.store.add(
        "Dog",
        [
          "age": [.int(index - 4)], "height": [.double(double)], "weight": [.float(Float(double))],
          "isGood": [.bool(index % 2 == 0)],
        ])
    }
    return kennel
  }

  private static let bounds = ["-2.5", "-1", "0", "-0.0", "1", "1.5", "2", "3"]

  @Test(arguments: seeds(200))
  func `a conjunction of comparisons of numbers is as its intervals`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let parts = (0..<1 + random.below(3)).map { _ in
      let name = ["age", "height", "weight"][random.below(3)]
      let relation = ["<", "<=", ">", ">=", "=="][random.below(5)]
      let bound = name == "age" ? "\(random.below(9) - 4)" : Self.bounds[random.below(8)]
      return "\(name) \(relation) \(bound)"
    }
    let text = parts.joined(separator: " AND ")
    let kennel = Self.store()
    let query = try kennel.query("where " + text)
    let bounds = try #require(query.predicate.keyBounds, "\(text)")
    for number in try kennel.rows("where TRUEPREDICATE") {
      let isWithin = bounds.allSatisfy { bounds in
        let value = kennel.store.value(bounds.property, of: ObjectID(query.classID, number))
        return value.key(among: bounds.kind).map { bounds.lower <= $0 && $0 <= bounds.upper }
          ?? false
      }
      let matches = query.predicate.matches(number, kennel.store)
      #expect(isWithin == matches, "seed \(seed): \(text) of Dog#\(number)")
    }
  }

  @Test(arguments: [
    "age > 1 OR age < 0", "NOT age == 1", "age != 1", "age == nil", "name == 'Max'",
    "age IN {1, 2}", "owner.age > 3", "age > height", "FALSEPREDICATE",
    "age > 1 AND ANY scores == 1",
  ])
  func `other conditions have no intervals`(text: String) throws {
    #expect(try KennelStore().query("where " + text).predicate.keyBounds == nil)
  }

  @Test(arguments: [
    "age > 1 AND weight < 3", "age > 1 AND age < 5", "NONE toys.price > 3 AND name == 'Max'",
    "NOT (age > 1 OR name LIKE 'M*')", "SUBQUERY(toys, $t, $t.price > 1).@count > 0",
  ])
  func `a compacted query is explained in the same words`(text: String) throws {
    let query = try KennelStore().query("where " + text)
    #expect(query.compacted.predicate.condition.text == query.predicate.condition.text)
    #expect(query.compacted.compacted.predicate.condition.text == query.predicate.condition.text)
  }
}
