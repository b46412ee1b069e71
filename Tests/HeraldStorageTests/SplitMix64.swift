/// A small generator whose whole run is told by one seed.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &self) < part }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// An integer of a random width, its bounds among them.
  mutating func integer() -> Int {
    let bound = [0, Int(Int8.max), Int(Int16.max), Int(Int32.max), Int.max].randomElement(
      using: &self)!
    switch below(4) {
    case 0: return bound
    case 1: return -bound - (bound == 0 ? 0 : 1)
    default: return Int.random(in: -bound...bound, using: &self)
    }
  }

  mutating func bytes() -> [UInt8] {
    let count = chance(0.02) ? 900 + below(3000) : below(40)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
