import HeraldModel
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// The number of an object is predicted from its key while keys lie on a line, and found in any case.
@Suite struct PredictedKeyTests {
  @Test func `two keys make a line, and a third right one is trusted`() {
    var line = KeyPrediction()
    #expect(line.predictedNumber(of: 10) == nil)
    line.learn(10, 1)
    line.learn(20, 2)
    // Not one of its predictions was right yet.
    #expect(line.predictedNumber(of: 30) == nil)
    line.learn(30, 3)
    #expect(line.predictedNumber(of: 70) == 7)
    #expect(line.predictedNumber(of: 20) == 2)
    // Between two keys of the line, and before its first number.
    #expect(line.predictedNumber(of: 75) == nil)
    #expect(line.predictedNumber(of: 0) == nil && line.predictedNumber(of: -10) == nil)
  }

  @Test func `keys may fall, or have gaps between the numbers`() {
    var line = KeyPrediction()
    for (key, number) in [(100, 1), (98, 3), (97, 4)] { line.learn(key, number) }
    #expect(line.predictedNumber(of: 90) == 11)
    #expect(line.predictedNumber(of: 101) == nil)
  }

  @Test func `wrong predictions use up the trust, and then begin another line`() {
    var line = KeyPrediction()
    for number in 1...4 { line.learn(number, number) }
    // Trusted twice: by 3 and 4.
    line.learn(5, 50)
    #expect(line.predictedNumber(of: 6) == 6)
    line.learn(6, nil)
    #expect(line.predictedNumber(of: 7) == nil)
    line.learn(100, 7)
    line.learn(200, 8)
    line.learn(300, 9)
    #expect(line.predictedNumber(of: 400) == 10)
  }

  @Test func `a long line survives some wrong keys`() {
    var line = KeyPrediction()
    for number in 1...100 { line.learn(number, number) }
    for _ in 1...7 { line.learn(1_000, 3) }
    #expect(line.predictedNumber(of: 101) == 101)
    line.learn(1_000, nil)
    #expect(line.predictedNumber(of: 101) == nil)
  }

  @Test func `keys at both ends of the integers overflow nothing`() {
    var line = KeyPrediction()
    for (key, number) in [
      (Int.max - 1, 1), (Int.max, 2), (Int.min, 3), (Int.min + 1, 4), (0, .max),
    ] {
      line.learn(key, number)
      for key in [Int.min, -1, 0, 1, Int.max] {
        #expect(line.predictedNumber(of: key).map { $0 > 0 } ?? true)
      }
    }
  }

  @Test(arguments: seeds(10))
  func `a search by key finds the object, in whatever order keys are looked up`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let session = try Session.made(
      ClassDefinition(
        name: "Dog", properties: [.init(name: "id", element: .int, isPrimaryKey: true)]))
    let dogClass = try session.declaredClass("Dog")
    var numbers: [Int: ObjectNumber] = [:]
    var next = 0
    for _ in 0..<6 {
      try session.write {
        for _ in 0..<30 {
          next += random.chance(90) ? 10 : random.below(40)
          if numbers[next] != nil { continue }
          numbers[next] = try session.add("Dog", ("id", .int(next))).number
        }
        for (key, number) in numbers where random.chance(5) {
          try session.delete(ObjectID(dogClass.id, number))
          numbers[key] = nil
        }
        // In the write, too.
        for key in stride(from: 0, through: next, by: 10) {
          #expect(
            try session.find(dogClass, key: .int(key))?.number == numbers[key], "seed \(seed)")
        }
      }
      for _ in 0..<20 {
        let key = random.chance(70) ? random.pick(numbers.keys.sorted()) : random.below(next)
        #expect(try session.find(dogClass, key: .int(key))?.number == numbers[key], "seed \(seed)")
      }
    }
  }
}
