/// A small generator with a seed, so that each run does the same work.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns `count` distinct numbers of a range.
  mutating func distinct(_ count: Int, in range: Range<Int>) -> [Int] {
    var seen: Set<Int> = []
    var numbers: [Int] = []
    while numbers.count < count {
      let number = Int.random(in: range, using: &self)
      if seen.insert(number).inserted { numbers.append(number) }
    }
    return numbers
  }
}
