/// A decimal of any length: digits from the first to the last, and the power of ten of the last.
struct LongDecimal: Equatable {
  var isNegative: Bool
  var digits: [Int]
  var exponent: Int
  /// Whether the exact number continues below the last digit.
  var hasMore = false

  init(isNegative: Bool, digits: [Int], exponent: Int, hasMore: Bool = false) {
    self.isNegative = isNegative
    self.digits = Array(digits.drop { $0 == 0 })
    self.exponent = exponent
    self.hasMore = hasMore
  }

  /// Reads digits with a sign, a point and an exponent.
  init(_ text: String) {
    let parts = text.lowercased().split(separator: "e")
    let number = parts[0]
    let places = number.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = places.count > 1 ? places[1].count : 0
    self.init(
      isNegative: number.hasPrefix("-"), digits: number.compactMap(\.wholeNumberValue),
      exponent: (parts.count > 1 ? Int(parts[1])! : 0) - fraction)
  }

  var isZero: Bool { digits.isEmpty && !hasMore }

  /// The same number with its last digit at the position `exponent`, below its own.
  private func extended(to exponent: Int) -> [Int] {
    digits + Array(repeating: 0, count: self.exponent - exponent)
  }

  static func + (a: LongDecimal, b: LongDecimal) -> LongDecimal {
    let exponent = min(a.exponent, b.exponent)
    var (left, right) = (a.extended(to: exponent), b.extended(to: exponent))
    let width = max(left.count, right.count) + 1
    left = Array(repeating: 0, count: width - left.count) + left
    right = Array(repeating: 0, count: width - right.count) + right
    if a.isNegative == b.isNegative {
      return LongDecimal(
        isNegative: a.isNegative, digits: Self.carried(zip(left, right).map { $0 + $1 }),
        exponent: exponent)
    }
    let isSwapped = left.lexicographicallyPrecedes(right)
    if isSwapped { swap(&left, &right) }
    var result = LongDecimal(
      isNegative: isSwapped ? b.isNegative : a.isNegative,
      digits: Self.carried(zip(left, right).map { $0 - $1 }), exponent: exponent)
    if result.isZero { result.isNegative = false }
    return result
  }

  static func * (a: LongDecimal, b: LongDecimal) -> LongDecimal {
    var sums = Array(repeating: 0, count: a.digits.count + b.digits.count + 1)
    for (i, left) in a.digits.enumerated() {
      for (j, right) in b.digits.enumerated() { sums[i + j + 2] += left * right }
    }
    return LongDecimal(
      isNegative: a.isNegative != b.isNegative, digits: carried(sums),
      exponent: a.exponent + b.exponent)
  }

  /// Long division until nothing is left or 80 digits are there; an exact result gets the exponent
  /// nearest to the difference of the exponents.
  static func / (a: LongDecimal, b: LongDecimal) -> LongDecimal {
    let preferred = a.exponent - b.exponent
    var (quotient, rest): ([Int], [Int]) = ([], [])
    var place = 0
    while place < a.digits.count || !rest.isEmpty && quotient.drop(while: { $0 == 0 }).count < 80 {
      rest.append(place < a.digits.count ? a.digits[place] : 0)
      rest = Array(rest.drop { $0 == 0 })
      var times = 0
      while !isLess(rest, b.digits) {
        rest = difference(rest, b.digits)
        times += 1
      }
      quotient.append(times)
      place += 1
    }
    var exponent = preferred - (place - a.digits.count)
    while rest.isEmpty, exponent < preferred, quotient.last == 0 {
      quotient.removeLast()
      exponent += 1
    }
    return LongDecimal(
      isNegative: a.isNegative != b.isNegative, digits: quotient, exponent: exponent,
      hasMore: !rest.isEmpty)
  }

  private static func isLess(_ a: [Int], _ b: [Int]) -> Bool {
    a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
  }

  private static func difference(_ a: [Int], _ b: [Int]) -> [Int] {
    let padded = Array(repeating: 0, count: a.count - b.count) + b
    return Array(carried(zip(a, padded).map { $0 - $1 }).drop { $0 == 0 })
  }

  /// Brings every digit but the first between 0 and 9.
  private static func carried(_ sums: [Int]) -> [Int] {
    var digits = sums
    for index in digits.indices.reversed() where index > 0 {
      let carry = (digits[index] >= 0 ? digits[index] : digits[index] - 9) / 10
      digits[index] -= carry * 10
      digits[index - 1] += carry
    }
    return digits
  }
}

extension LongDecimal {
  /// The text of the number of decimal128 nearest to this one, half to even.
  var rounded: String {
    var number = self
    let excess = max(digits.count - 34, -6176 - exponent)
    if excess > 0 {
      number = droppingDigits(excess)
      if number.digits.count > 34 {
        number.digits.removeLast()
        number.exponent += 1
      }
    }
    if number.digits.isEmpty {
      number.exponent = min(number.exponent, 6111)
    }
    while number.exponent > 6111 {
      guard number.digits.count < 34 else { return isNegative ? "-Infinity" : "Infinity" }
      number.digits.append(0)
      number.exponent -= 1
    }
    return number.plainText
  }

  private func droppingDigits(_ count: Int) -> LongDecimal {
    let padded = Array(repeating: 0, count: max(0, count + 1 - digits.count)) + digits
    var kept = Array(padded.dropLast(count))
    let dropped = padded.suffix(count)
    let isAboveHalf = dropped.dropFirst().contains { $0 != 0 } || hasMore
    let first = dropped.first ?? 0
    if first > 5 || first == 5 && (isAboveHalf || kept[kept.count - 1] % 2 == 1) {
      kept[kept.count - 1] += 1
    }
    return LongDecimal(
      isNegative: isNegative, digits: Self.carried([0] + kept), exponent: exponent + count)
  }

  /// The number as decimal128 prints it.
  private var plainText: String {
    let text = digits.isEmpty ? "0" : digits.map(String.init).joined()
    let sign = isNegative ? "-" : ""
    let lead = text.count + exponent
    if exponent > 0 || lead < -5 {
      let mantissa = text.count == 1 ? text : "\(text.prefix(1)).\(text.dropFirst())"
      return "\(sign)\(mantissa)E\(lead > 0 ? "+" : "")\(lead - 1)"
    }
    if exponent == 0 { return sign + text }
    let padded = String(repeating: "0", count: max(0, 1 - lead)) + text
    return "\(sign)\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }
}
