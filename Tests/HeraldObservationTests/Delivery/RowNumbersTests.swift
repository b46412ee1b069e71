import HeraldModel
import TestSupport
import Testing

@testable import HeraldObservation

@Suite struct RowNumbersTests {
  @Test func `it contains what was inserted, wherever it is`() {
    var random = SplitMix64(seed: 7)
    let inserted = Set(
      (0..<500).map { _ in
        Int.random(
          in: [-50...50, 0...1_000, 60_000...70_000, 9_000_000...9_000_100]
            .randomElement(using: &random) ?? 0...0, using: &random)
      })
    let numbers = RowNumbers(inserted)
    for number in inserted.flatMap({ [$0 - 1, $0, $0 + 1, $0 + 65_536] }) {
      #expect(numbers.contains(number) == inserted.contains(number), "\(number)")
    }
  }
}
