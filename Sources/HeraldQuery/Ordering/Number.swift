import HeraldModel

/// A number of any type. Numbers compare by their exact value, except that a double is compared with a
/// decimal as the shortest decimal that is read back as it: 0.1 equals the decimal 0.1.
enum Number {
  case integer(Int)
  case floating(Double)
  case decimal(Decimal128)

  var isNaN: Bool {
    switch self {
    case .integer: false
    case .floating(let value): value.isNaN
    case .decimal(let value): value.isNaN
    }
  }

  var isFinite: Bool {
    switch self {
    case .integer: true
    case .floating(let value): value.isFinite
    case .decimal(let value): value.isFinite
    }
  }

  var isDecimal: Bool { if case .decimal = self { true } else { false } }

  /// The number with a double replaced by the int of the same value, if there is one. Without it the
  /// order would not be transitive: above 2^53 a double's shortest decimal may differ from its exact
  /// value, which is compared with ints.
  var whole: Number {
    if case .floating(let value) = self, let integer = Int(exactly: value) {
      return .integer(integer)
    }
    return self
  }

  var asDouble: Double {
    switch self {
    case .integer(let value): Double(value)
    case .floating(let value): value
    case .decimal(let value): Double(value)
    }
  }

  /// The number as a decimal: for a double, the shortest decimal that is read back as it.
  var asDecimal: Decimal128 {
    switch self {
    case .integer(let value): Decimal128(value)
    case .floating(let value): Decimal128(value)
    case .decimal(let value): value
    }
  }

  /// Compares two numbers; returns a negative number, 0 or a positive number, nil if either is NaN.
  static func order(_ a: Number, _ b: Number) -> Int? {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.floating(let a), .floating(let b)):
      return a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
    case (.integer(let a), .floating(let b)): return order(a, b)
    case (.floating(let a), .integer(let b)): return order(b, a).map { -$0 }
    case (.decimal(let a), _): return b.isNaN || a.isNaN ? nil : a.compare(to: b)
    case (_, .decimal(let b)): return b.isNaN || a.isNaN ? nil : -b.compare(to: a)
    }
  }

  /// Compares without rounding: above 2^53 a double cannot hold every integer.
  private static func order(_ a: Int, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    // Doubles of at least 2^63, or below -2^63, are outside the range of Int.
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = b.rounded(.down)
    let integer = Int(whole)
    if a != integer { return a < integer ? -1 : 1 }
    return whole < b ? -1 : 0
  }
}

extension Decimal128 {
  /// Compares by value; neither number may be NaN.
  fileprivate func compare(to other: Number) -> Int {
    switch other {
    case .integer(let value): compare(to: value)
    case .floating(let value): compare(to: value)
    case .decimal(let value): compare(value)
    }
  }
}
