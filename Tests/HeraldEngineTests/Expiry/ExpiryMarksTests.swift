import HeraldModel
import TestSupport
import Testing

@testable import HeraldEngine

@Suite struct ExpiryMarksTests {
  /// Marks of random commits, beside the time at which each object was added.
  @Test(arguments: seeds(50)) func `no object expires early, or much later`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let age = [1_000, 60_000, 64_000, 604_800_000][random.below(4)]
    var marks = ExpiryMarks()
    var times: [Int] = []
    var expired = 0
    var time = random.below(1_000_000)
    for _ in 0..<2_000 {
      time += random.below(random.chance(2) ? 2 * age : max(2, age / 200))
      times += [Int](repeating: time, count: random.below(3))
      marks.note(next: times.count + 1, at: time, age: age)
      if let end = marks.takeExpired(at: time, age: age) {
        #expect(end - 1 > expired)
        expired = end - 1
      }
      #expect(times[..<expired].last.map { $0 <= time - age } ?? true)
      let next = expired < times.count ? times[expired] : time
      #expect(next > time - age - age / 64, "seed \(seed)")
      #expect(marks.marks.count <= 67)
      if random.chance(5) { marks = try ExpiryMarks(encoded: marks.encoded) }
      #expect(marks.nextExpiry(age: age).map { $0 > time } ?? (expired == times.count))
    }
  }

  @Test func `a clock that is set back keeps objects longer`() {
    var marks = ExpiryMarks()
    marks.note(next: 2, at: 10_000, age: 1_000)
    marks.note(next: 3, at: 5_000, age: 1_000)
    #expect(marks.takeExpired(at: 6_500, age: 1_000) == nil)
    #expect(marks.takeExpired(at: 11_000, age: 1_000) == 3)
  }

  @Test(arguments: [
    ("1h", ObjectRetention(seconds: 3_600)), ("100000", ObjectRetention(count: 100_000)),
    ("1h, 100", ObjectRetention(seconds: 3_600, count: 100)),
    ("100, 2w", ObjectRetention(seconds: 1_209_600, count: 100)), ("", nil), ("0", nil),
    ("1h, 2h", nil), ("1, 2", nil), ("1MB", nil), ("all", nil), ("1, 1h, 2", nil), ("1,", nil),
  ])
  func `what is kept, as a text`(_ text: String, _ retention: ObjectRetention?) {
    #expect(ObjectRetention(text) == retention)
    if let retention { #expect(ObjectRetention(retention.description) == retention) }
  }

  @Test func `a schema with a class that keeps some objects is stored and read`() throws {
    var schemas: [Schema] = []
    for retention in [nil, ObjectRetention(count: 3), ObjectRetention(seconds: 60, count: 9)] {
      let property = PropertySchema(id: PropertyID(1), name: "n", type: PropertyType(.int))
      let schema = Schema(classes: [
        ClassSchema(id: ClassID(1), name: "A", properties: [property], retention: retention)
      ])
      let encoded = schema.encoded()
      #expect(encoded[0] == (retention == nil ? 2 : 3))
      let read = try Schema(encoded: encoded)
      #expect(read.classSchema(named: "A") == schema.classSchema(named: "A"))
      schemas.append(read)
    }
    #expect(schemas[0].classes != schemas[1].classes)
  }
}
