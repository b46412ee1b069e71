import TestSupport

extension SplitMix64 {
  /// True in that part of all cases.
  mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &self) < part }

  /// An integer of a random width, its bounds among them.
  mutating func integer() -> Int {
    let bound = pick([0, Int(Int8.max), Int(Int16.max), Int(Int32.max), Int.max])
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
