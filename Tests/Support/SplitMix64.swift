/// A small generator whose sequence follows from its seed, so that a failure can be repeated.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SplitMix64 {
  /// Returns a number from 0 up to, but not including, `limit`; 0 if the limit is 0.
  package mutating func below(_ limit: Int) -> Int {
    Int.random(in: 0..<max(1, limit), using: &self)
  }

  /// Returns true in `percent` of 100 cases.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Returns true once in so many times.
  package mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }

  /// Returns a random element of a collection, which must not be empty.
  package mutating func pick<Choices: RandomAccessCollection>(
    _ choices: Choices
  ) -> Choices.Element {
    choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
  }
}
