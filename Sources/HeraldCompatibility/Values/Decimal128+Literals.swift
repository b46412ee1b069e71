public import Foundation
public import Herald

extension Decimal128: ExpressibleByStringLiteral {
  /// The number of a text; other text stops the program.
  public init(stringLiteral value: String) {
    self.init(text: value)
  }
}

extension Decimal128 {
  /// The digits.
  public var stringValue: String { description }
  /// The number of double precision that is nearest.
  public var doubleValue: Double { Double(self) }
  /// Whether the number has a sign, as negative zero has.
  public var isSignMinus: Bool { isNegative }
  /// Whether another value is an equal decimal number.
  public func isEqual(_ other: Any?) -> Bool { other as? Decimal128 == self }
}

extension Decimal128 {
  /// Zero.
  public init() { self.init(0) }

  /// The number of a number object.
  public init(number: NSNumber) { self = Self(text: number.stringValue) }

  /// The number of a number, of a text or of another decimal number, and none for `NSNull`; what is none stops the program.
  public init(value: Any) {
    switch value {
    case let number as Decimal128: self = number
    case let number as Int: self.init(number)
    case let number as Double: self.init(number)
    case let number as Float: self.init(number)
    case let number as NSNumber: self.init(number: number)
    case let text as String: self = Self(text: text)
    case is NSNull: self = Self(text: "nan")
    case _: fatalError("'\(value)' is no decimal number")
    }
  }

  private init(text: String) {
    guard let number = Decimal128(text) else { fatalError("'\(text)' is no decimal number") }
    self = number
  }

  /// How far another number is from this one.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }
  /// The sum of this number and another one.
  public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }

  /// The smallest number.
  public static var min: Decimal128 { minimumDecimalNumber }

  /// The largest number.
  public static var max: Decimal128 { maximumDecimalNumber }

  /// The smallest number.
  public static var minimumDecimalNumber: Decimal128 {
    Self(text: "-9.999999999999999999999999999999999E6144")
  }

  /// The largest number.
  public static var maximumDecimalNumber: Decimal128 {
    Self(text: "9.999999999999999999999999999999999E6144")
  }
}

extension Decimal128: SignedNumeric {
  /// Changes the sign.
  public mutating func negate() { self = -self }

  /// The whole number; nil for one of more than 34 digits.
  public init?(exactly source: some BinaryInteger) {
    let limit: UInt128 = 10_000_000_000_000_000_000_000_000_000_000_000
    guard let magnitude = UInt128(exactly: source.magnitude), magnitude < limit else { return nil }
    self.init(text: "\(source)")
  }
}
