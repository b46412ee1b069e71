import Herald
import TestSupport
import Testing

@testable import HeraldEngine

struct KeyPredictionTests {
  @Test func `keys in a row lead to their objects once two of them were found`() {
    var line = KeyPrediction()
    for (key, number) in [(30, 11), (90, 31)] {
      #expect(line.predictedNumber(of: key) == nil)
      line.learn(key, number)
    }
    #expect(line.predictedNumber(of: 60) == nil)
    line.learn(60, 21)
    #expect(line.predictedNumber(of: 63) == 22)
    #expect(line.predictedNumber(of: 64) == nil)
    #expect(line.predictedNumber(of: -3) == nil)
    line.learn(63, nil)
    #expect(line.predictedNumber(of: 60) == nil)
  }

  @Test func `the farthest keys are no error`() {
    var line = KeyPrediction()
    let keys: [Int] = [.min, .max, 0, 1, .min, -1, .max]
    for number in 1...50 {
      for key in keys {
        _ = line.predictedNumber(of: key)
        line.learn(key, key == 0 ? nil : number)
      }
    }
  }

  @Test(arguments: seeds(40))
  func `a key leads to the object that has it, and to no other`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Entry", properties: [.init(name: "id", element: .int, isPrimaryKey: true)]))
    let stride = [1, 1, 3, -2][random.below(4)]
    var objects: [Int: ObjectID] = [:]
    func check(_ key: Int) throws {
      #expect(try store.object("Entry", key: .int(key))?.id == objects[key], "seed \(seed)")
    }
    for _ in 0..<12 {
      let isInOrder = random.chance(70)
      try store.write {
        for place in 0..<random.below(40) {
          let key = isInOrder ? (objects.count + place) * stride : random.below(500)
          try check(key)
          if objects[key] == nil {
            objects[key] = try store.add("Entry", [("id", .value(.int(key)))]).id
          }
          if random.chance(20), let (old, object) = objects.randomElement(using: &random) {
            try store.delete(store.object(object).map { [$0] } ?? []) {}
            objects[old] = nil
            try check(old)
          }
        }
      }
      for _ in 0..<60 { try check(random.below(200) * (random.chance(80) ? stride : 1)) }
      for key in objects.keys.sorted() { try check(key) }
    }
  }
}
