public import HeraldModel

/// A type of numbers, which have a sum and an average.
public protocol PersistableNumber: PersistableMeasure, QueryComparable, QueryableNumber
where Number == Self {
  /// `Double`, and of decimal numbers `Decimal128`.
  associatedtype Average: PersistableNumber = Double
}

/// A type of numbers, or of numbers and nil.
public protocol QueryableNumber {
  associatedtype Number: PersistableNumber
}

extension Int: PersistableNumber { public typealias Number = Int }
extension Int8: PersistableNumber { public typealias Number = Int8 }
extension Int16: PersistableNumber { public typealias Number = Int16 }
extension Int32: PersistableNumber { public typealias Number = Int32 }
extension Int64: PersistableNumber { public typealias Number = Int64 }
extension Float: PersistableNumber { public typealias Number = Float }
extension Double: PersistableNumber { public typealias Number = Double }

extension Decimal128: PersistableNumber {
  public typealias Number = Decimal128
  public typealias Average = Decimal128
}

extension Optional: QueryableNumber where Wrapped: PersistableNumber {
  public typealias Number = Wrapped
}
