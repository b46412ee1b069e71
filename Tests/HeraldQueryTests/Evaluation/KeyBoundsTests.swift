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
          "isGood": [.bool(index % 2 == 0)], "name": [.string(names[index % names.count])],
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

  @Test(arguments: seeds(200))
  func `a query of a shape is the same query with the same text`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let kennel = Self.store()
    let form = Self.forms[random.below(Self.forms.count)]
    var shapes = QueryShapes()
    var shaped = 0
    for _ in 0..<8 {
      let query = try kennel.query("where " + Self.filled(form, &random))
      let compacted = shapes.compacted(query)
      if compacted.predicate.shape != nil { shaped += 1 }
      let (predicate, other) = (query.predicate, compacted.predicate)
      let text = predicate.condition.text
      #expect(other.condition.text == text, "seed \(seed)")
      #expect(compacted.compacted.predicate.condition.text == text, "seed \(seed)")
      #expect(other.span == predicate.span, "seed \(seed): \(text)")
      #expect(other.dependencies == predicate.dependencies, "seed \(seed): \(text)")
      #expect(compacted.rows(kennel.store) == query.rows(kennel.store), "seed \(seed): \(text)")
      let (bounds, expected) = (other.keyBounds ?? [], predicate.keyBounds ?? [])
      #expect(
        bounds.map(\.lower) == expected.map(\.lower)
          && bounds.map(\.upper) == expected.map(\.upper), "seed \(seed): \(text)")
      guard let shape = other.shape, let keys = shape.bounds(of: compacted) else { continue }
      let parts = shape.fixedParts + [shape.varyingPart(lower: keys.lower, upper: keys.upper)]
      let matching = try kennel.rows("where TRUEPREDICATE").filter { number in
        parts.allSatisfy { $0.holds(of: ObjectID(compacted.classID, number), kennel.store) }
      }
      #expect(matching.count == query.rows(kennel.store).count, "seed \(seed): \(text)")
      if !form.contains("name") {
        #expect(
          Set(parts.compactMap(\.bounds)) == Set(expected.map(\.numbers)), "seed \(seed): \(text)")
      }
    }
    // All but a negative zero, and what is the first of its kind.
    #expect(shaped > 0, "seed \(seed): \(form)")
  }

  private static let forms = [
    "age == ?", "age BETWEEN {?, ?}", "age >= ? AND age < ?", "height > ? AND height <= ?",
    "age >= 1 AND height > ?", "weight < ?", "? <= height", "isGood == true AND height == ?",
    "name == ¿", "age == 4 AND name == ¿", "¿ == name AND isGood == true",
  ]

  private static let names = ["Rex", "", "Äñ", "a \"b\"", "fifteen bytes..", "sixteen bytes..."]

  /// The form with numbers in the places of its question marks.
  private static func filled(_ form: String, _ random: inout SplitMix64) -> String {
    let numbers =
      form.contains("height") || form.contains("weight") ? bounds : ["-3", "0", "4", "17"]
    return form.map { character in
      switch character {
      case "?": numbers[random.below(numbers.count)]
      case "¿": Value.string(names[random.below(names.count)]).literalText
      case _: String(character)
      }
    }.joined()
  }

  @Test func `queries that differ in one bound have one shape`() throws {
    let kennel = KennelStore()
    var shapes = QueryShapes()
    func shape(_ text: String) throws -> QueryShape? {
      let query = shapes.compacted(try kennel.query("where " + text))
      #expect(query.predicate.condition.text == text)
      return query.predicate.shape
    }
    // Which comparison varies is known from the second one on.
    #expect(try shape("age >= 10 AND height > 5.25") == nil)
    let first = try #require(try shape("age >= 10 AND height > 7.5"))
    for text in ["age >= 10 AND height > 5.25", "age >= 10 AND height > 1e-07"] {
      #expect(try shape(text) === first, "\(text)")
    }
    for text in [
      "age >= 10 AND height >= 7.5", "age >= 10 AND height > 7", "age >= 10 AND height > -0.0",
      "age >= 10 AND weight > 7.5", "height > 7.5", "age == 10", "age >= 10 AND height > -2.5",
    ] {
      #expect(try shape(text) !== first, "\(text)")
    }
    let single = try #require(try shape("age BETWEEN {1, 3}"))
    #expect(try shape("age BETWEEN {2, 9}") === single)
  }
}

extension KeyBounds {
  fileprivate var numbers: [Int] { [Int(property.rawValue), lower, upper] }
}

extension QueryShape.Part {
  fileprivate var bounds: [Int]? {
    if case .within(let bounds) = self { bounds.numbers } else { nil }
  }

  fileprivate func holds(of object: ObjectID, _ reader: any ObjectReader) -> Bool {
    switch self {
    case .within(let bounds):
      reader.value(bounds.property, of: object).key(among: bounds.kind).map {
        bounds.lower <= $0 && $0 <= bounds.upper
      } ?? false
    case .equal(let property, let text): text.isEqual(to: reader.value(property, of: object))
    }
  }
}
