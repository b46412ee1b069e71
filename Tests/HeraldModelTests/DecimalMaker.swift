import TestSupport

/// Makes texts of decimals in which the rare things are frequent: ends of the range, runs of nines
/// and zeros, halves, all signs, numbers near each other.
struct DecimalMaker {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let special = [
    "NaN", "Infinity", "-Infinity", "0", "-0", "0E-6176", "0E+6111", "-0E+30", "1E-6176",
    "9.999999999999999999999999999999999E+6144", "-9.999999999999999999999999999999999E+6144",
    "1E-6143", "1E+6111", "5E-6176", "9999999999999999999999999999999999",
  ]

  mutating func number() -> String {
    if random.chance(4) { return random.pick(Self.special) }
    return (random.chance(50) ? "-" : "") + digits() + "E\(exponent())"
  }

  /// A second operand: any number, or one that all but equals `number` or cancels it.
  mutating func number(near number: String) -> String {
    guard random.chance(20), number.last?.isNumber == true else { return self.number() }
    let parts = number.split(separator: "E")
    guard random.chance(50), let last = parts[0].last, last != "0" else { return number }
    return ([parts[0].dropLast() + "0"] + parts.dropFirst()).joined(separator: "E")
  }

  private mutating func digits() -> String {
    let count = random.pick([1, 2, 3, 10, 17, 33, 34, 34, 1 + random.below(34)])
    switch random.below(5) {
    case 0: return random.pick(["1", "5", "9"]) + run(of: random.pick(["0", "9"]), count - 1)
    case 1:
      let zeros = random.below(count)
      return anyDigits(count - zeros) + run(of: random.pick(["0", "5", "9"]), zeros)
    default: return anyDigits(count)
    }
  }

  private func run(of digit: String, _ count: Int) -> String {
    String(repeating: digit, count: count)
  }

  mutating func anyDigits(_ count: Int) -> String {
    (0..<count).map { _ in String(random.below(10)) }.joined()
  }

  private mutating func exponent() -> Int {
    switch random.below(9) {
    case 0...2: random.below(8) - 4
    case 3, 4: random.below(91) - 45
    case 5, 6: random.below(181) - 90
    case 7: random.pick([-6176, -6175, -6150, 6111, 6100, -3088, 3060])
    default: random.below(12_288) - 6176
    }
  }
}
