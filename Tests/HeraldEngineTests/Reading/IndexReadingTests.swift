import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// What indexes return is what a look at every object gives.
@Suite struct IndexReadingTests {
  private static let box = ClassDefinition(
    name: "Box",
    properties: [
      .init(name: "int", element: .int, isOptional: true, isIndexed: true),
      .init(name: "double", element: .double, isOptional: true, isIndexed: true),
      .init(name: "text", element: .string, isOptional: true, isIndexed: true),
      .init(name: "decimal", element: .decimal, isOptional: true, isIndexed: true),
      .init(name: "any", element: .any, isIndexed: true),
      .init(name: "plain", element: .int, isOptional: true),
    ])

  private func randomValue(_ name: String, _ random: inout SplitMix64) -> Value {
    let number = random.below(9) - 4
    if random.chance(15) { return .null }
    switch name {
    case "int", "plain": return .int(random.chance(90) ? number : [.min, .max][random.below(2)])
    case "double":
      return .double(random.chance(20) ? (random.chance(50) ? 0 : -0.0) : Double(number) / 2)
    case "text":
      // Longer ones than an index key, which differ at their ends only.
      return .string(String(repeating: "x", count: random.chance(30) ? 310 : 2) + "\(number)")
    case "decimal":
      return .decimal(Decimal128(["7", "7.00", "-1.5", "1e30", "0", "-0"][random.below(6)])!)
    default: return randomValue(random.pick(["int", "double", "text", "decimal"]), &random)
    }
  }

  @Test(arguments: seeds(6))
  func `equal values, ranges and counts are those of every object`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(Self.box)
    let names = ["int", "double", "text", "decimal", "any"]
    for step in 0..<4 {
      try session.write {
        for _ in 0..<40 {
          try session.add(named: "Box", names.map { ($0, randomValue($0, &random)) })
        }
        for box in try session.objects("Box") where random.chance(20) {
          if random.chance(30) {
            try session.delete(box)
          } else {
            let name = random.pick(names)
            try session.set(box, (name, randomValue(name, &random)))
          }
        }
        if step == 2 { try check(session, names, seed, &random) }
      }
      try check(session, names, seed, &random)
    }
  }

  private func check(
    _ session: Session, _ names: [String], _ seed: UInt64, _ random: inout SplitMix64
  ) throws {
    let boxes = try session.objects("Box")
    let reader = session.isInWrite ? try session.open.reader : session.snapshot
    for name in names {
      let property = try session.property(name, of: boxes[0]).id
      let values = try boxes.map { try session.read(name, of: $0) }
      for _ in 0..<8 {
        let value = random.chance(70) ? random.pick(values) : randomValue(name, &random)
        let equal = zip(boxes, values).filter { $0.1 == value }.map(\.0.number)
        #expect(
          reader.indexed(property, of: boxes[0].classID, equals: value) == equal,
          "seed \(seed), \(name) \(value)")
        // A range may have more, never less, and each once.
        let range = IndexRange.equal(value)
        let inRange = try #require(reader.indexed(property, of: boxes[0].classID, in: range))
        #expect(Set(inRange).isSuperset(of: equal) && Set(inRange).count == inRange.count)
      }
      guard name == "int" || name == "double" else { continue }
      let bounds = [randomValue(name, &random), randomValue(name, &random)].filter { !$0.isNull }
        .sorted { Value.order($0, $1) < 0 }
      guard bounds.count == 2 else { continue }
      let range = IndexRange.between(bounds[0], random.chance(50) ? bounds[1] : nil)
      let expected = zip(boxes, values).filter { _, value in
        guard !value.isNull, Value.order(value, bounds[0]) >= 0 else { return false }
        if case .between(_, nil) = range { return true }
        return Value.order(value, bounds[1]) <= 0
      }.map(\.0.number)
      let found = try #require(reader.indexed(property, of: boxes[0].classID, in: range))
      #expect(found.sorted() == expected, "seed \(seed), \(name) \(bounds)")
      let count = reader.indexedCount(property, of: boxes[0].classID, in: range, limit: .max)
      #expect(count == expected.count, "seed \(seed), \(name)")
      let first = try #require(
        reader.firstIndexed(property, of: boxes[0].classID, in: range, limit: 5))
      #expect(first.count == min(5, expected.count), "seed \(seed), \(name)")
      // The first ones have the smallest values.
      func sorted(_ numbers: [ObjectNumber]) -> [Value] {
        numbers.map { reader.value(property, of: ObjectID(boxes[0].classID, $0)) }
          .sorted { Value.order($0, $1) < 0 }
      }
      #expect(sorted(first) == Array(sorted(expected).prefix(5)), "seed \(seed), \(name)")
    }
  }

  @Test func `a property without an index has none, and an object none of a dropped class`() throws
  {
    let session = try Session.made(Self.box)
    let box = try session.write { try session.add("Box", ("plain", .int(1))) }
    let property = try session.property("plain", of: box).id
    #expect(session.snapshot.indexed(property, of: box.classID, equals: .int(1)) == nil)
    #expect(session.snapshot.indexed(property, of: box.classID, in: .equal(.int(1))) == nil)
    #expect(
      session.snapshot.firstIndexed(property, of: box.classID, in: .equal(.int(1)), limit: 1) == nil
    )
    #expect(session.snapshot.find(property, of: ClassID(9), equals: .int(1)) == nil)
    #expect(try session.find(session.declaredClass("Box"), key: .int(box.number)) == box)
    #expect(try session.find(session.declaredClass("Box"), key: .int(7)) == nil)
    #expect(try session.find(session.declaredClass("Box"), key: .string("1")) == nil)
  }

  @Test func `long text keys that begin alike are distinct`() throws {
    let session = try Session.made(
      ClassDefinition(
        name: "Dog", properties: [.init(name: "id", element: .string, isPrimaryKey: true)]))
    let long = String(repeating: "k", count: 700)
    let dogClass = try session.declaredClass("Dog")
    let dogs = try session.write {
      try ["a", "b", ""].map { try session.add("Dog", ("id", .string(long + $0))) }
    }
    #expect(try session.find(dogClass, key: .string(long + "b")) == dogs[1])
    #expect(try session.find(dogClass, key: .string(long)) == dogs[2])
    #expect(try session.find(dogClass, key: .string(long + "c")) == nil)
    let text = errorText {
      try session.write { _ = try session.add("Dog", ("id", .string(long + "a"))) }
    }
    #expect(text.hasSuffix("a\" exists already"))
  }
}
