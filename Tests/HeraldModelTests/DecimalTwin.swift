import HeraldModel

/// Decimals as a school child does them: lists of digits, one position at a time. It reads and
/// writes texts only, so that it shares nothing with the type under test.
enum DecimalTwin: Equatable {
  case nan
  case infinite(isNegative: Bool)
  case finite(LongDecimal)

  init(_ text: String) {
    switch text {
    case "NaN": self = .nan
    case "Infinity": self = .infinite(isNegative: false)
    case "-Infinity": self = .infinite(isNegative: true)
    default: self = .finite(LongDecimal(text))
    }
  }

  /// The text of the number rounded to the format.
  var text: String {
    switch self {
    case .nan: "NaN"
    case .infinite(let isNegative): isNegative ? "-Infinity" : "Infinity"
    case .finite(let number): number.rounded
    }
  }

  private var isNegative: Bool {
    switch self {
    case .nan: false
    case .infinite(let isNegative): isNegative
    case .finite(let number): number.isNegative
    }
  }

  private var isZero: Bool {
    if case .finite(let number) = self { number.isZero } else { false }
  }

  private var isInfinite: Bool { if case .infinite = self { true } else { false } }

  static prefix func - (value: DecimalTwin) -> DecimalTwin {
    switch value {
    case .nan: return .nan
    case .infinite(let isNegative): return .infinite(isNegative: !isNegative)
    case .finite(var number):
      number.isNegative.toggle()
      return .finite(number)
    }
  }

  static func + (a: DecimalTwin, b: DecimalTwin) -> DecimalTwin {
    if a == .nan || b == .nan { return .nan }
    if case .finite(let a) = a, case .finite(let b) = b { return .finite(a + b) }
    if a.isInfinite, b.isInfinite { return a == b ? a : .nan }
    return a.isInfinite ? a : b
  }

  static func * (a: DecimalTwin, b: DecimalTwin) -> DecimalTwin {
    if a == .nan || b == .nan { return .nan }
    if case .finite(let a) = a, case .finite(let b) = b { return .finite(a * b) }
    return a.isZero || b.isZero ? .nan : .infinite(isNegative: a.isNegative != b.isNegative)
  }

  static func / (a: DecimalTwin, b: DecimalTwin) -> DecimalTwin {
    if a == .nan || b == .nan || a.isInfinite && b.isInfinite || a.isZero && b.isZero {
      return .nan
    }
    let isNegative = a.isNegative != b.isNegative
    if a.isInfinite || b.isZero { return .infinite(isNegative: isNegative) }
    guard case .finite(let a) = a, case .finite(let b) = b else {
      return .finite(LongDecimal(isNegative: isNegative, digits: [], exponent: -6176))
    }
    return .finite(a / b)
  }

  /// The order by value, NaN first: -1, 0 or 1.
  static func order(_ a: DecimalTwin, _ b: DecimalTwin) -> Int {
    if a == .nan || b == .nan { return a == b ? 0 : a == .nan ? -1 : 1 }
    if a.isInfinite || b.isInfinite {
      let (left, right) = (a.side, b.side)
      return left < right ? -1 : left > right ? 1 : 0
    }
    guard case .finite(let difference) = a + -b else { return 0 }
    return difference.isZero ? 0 : difference.isNegative ? -1 : 1
  }

  private var side: Int { isInfinite ? isNegative ? -1 : 1 : 0 }
}
