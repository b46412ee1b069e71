import HeraldModel
import HeraldObservation
import TestSupport
import Testing

struct PropertyValuesTests {
  @Test(arguments: seeds(20))
  func `values are kept by property, in the order of the properties`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var values = PropertyValues()
    var expected: [PropertyID: Value] = [:]
    for step in 0..<60 {
      let property = PropertyID(UInt32(random.below(12)))
      let value: Value? = random.chance(30) ? nil : .int(step)
      values[property] = value
      expected[property] = value
      #expect(values.count == expected.count && values.isEmpty == expected.isEmpty)
      #expect(values.entries.map(\.property) == expected.keys.sorted(), "HERALD_SEED=\(seed)")
      for number in 0..<13 {
        let property = PropertyID(UInt32(number))
        #expect(values[property] == expected[property], "HERALD_SEED=\(seed)")
      }
    }
  }

  @Test func `values are equal in whichever order they were set`() {
    let values: PropertyValues = [PropertyID(3): .int(1), PropertyID(1): .string("a")]
    #expect(values == [PropertyID(1): .string("a"), PropertyID(3): .int(1)])
    #expect(values != [PropertyID(1): .string("b"), PropertyID(3): .int(1)])
  }
}
