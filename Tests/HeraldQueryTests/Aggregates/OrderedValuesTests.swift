import HeraldModel
import TestSupport
import Testing

@testable import HeraldQuery

/// The values of a group's smallest and largest, beside a sorted array.
@Suite struct OrderedValuesTests {
  @Test(arguments: (0..<20).map { firstSeed + $0 })
  func `the first and the last are those of a sorted array`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var values = OrderedValues()
    var model: [Value] = []
    let different = [3, 300, 3_000, 100_000].randomElement(using: &random) ?? 3
    for step in 0..<4_000 {
      // More values come than go for some time, so that parts are split, then the reverse, so that they vanish.
      if random.chance(step < 2_000 ? 80 : 15) {
        let number = random.below(different)
        let value: Value = random.chance(50) ? .int(number) : .double(Double(number) / 2)
        values.add(value)
        model.insert(value, at: index(of: value, in: model))
      } else if random.chance(10) {
        values.remove(.string("never added"))
      } else if !model.isEmpty {
        values.remove(model.remove(at: random.below(model.count)))
      }
      #expect(isEqual(values.first, model.first) && isEqual(values.last, model.last))
      #expect(values.count == model.count)
      if !model.isEmpty {
        let position = random.below(model.count)
        #expect(isEqual(values[position], model[position]), "seed \(seed), at \(position)")
      }
    }
    for value in model.shuffled(using: &random) { values.remove(value) }
    #expect(values.first == nil && values.last == nil, "seed \(seed)")
  }

  private func isEqual(_ a: Value?, _ b: Value?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return Value.order(a, b) == 0
  }

  private func index(of value: Value, in values: [Value]) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if Value.order(values[middle], value) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
