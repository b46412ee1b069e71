public import Foundation
public import Herald

/// A type of the results of aggregates: numbers and dates, those of Foundation too, values of any type, and all these as
/// optionals.
public protocol AggregateType: HasPersistedType where PersistedType: AggregateType {
  /// Makes the result of a store's; nil for one out of the range of the type, and for one of another kind.
  static func _aggregate(_ value: Value) -> Self?
}

// Only one of these two constrains its persisted type to be one of its own: the compiler refuses code that asks for both
// protocols if both do.

/// A type whose values have a smallest and a largest one.
public protocol MinMaxType: AggregateType {}

/// A type whose values have a sum and an average.
public protocol AddableType: AggregateType where PersistedType: AddableType {}

/// A type whose values have an order.
public protocol SortableType {}

extension AggregateType where Self: PersistableMeasure {
  public static func _aggregate(_ value: Value) -> Self? { value.aggregate() }
}

extension Int: MinMaxType, AddableType, SortableType {}
extension Int8: MinMaxType, AddableType, SortableType {}
extension Int16: MinMaxType, AddableType, SortableType {}
extension Int32: MinMaxType, AddableType, SortableType {}
extension Int64: MinMaxType, AddableType, SortableType {}
extension Float: MinMaxType, AddableType, SortableType {}
extension Double: MinMaxType, AddableType, SortableType {}
extension Decimal128: MinMaxType, AddableType, SortableType {}
extension Date: MinMaxType, SortableType {}
extension String: SortableType {}
extension Data: SortableType {}

extension AnyValue: MinMaxType, AddableType, SortableType {
  public static func _aggregate(_ value: Value) -> AnyValue? {
    switch value {
    case .int(let number): .int(number)
    case .float(let number): .float(number)
    case .double(let number): .double(number)
    case .decimal(let number): .decimal128(number)
    case .date(let time): .date(Date(time))
    case .null, .bool, .string, .data, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  /// Whether the value is a number.
  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    case .none, .bool, .string, .data, .date, .objectId, .uuid, .object, .list, .dictionary: false
    }
  }
}

extension Optional: AggregateType where Wrapped: AggregateType {
  public static func _aggregate(_ value: Value) -> Self? {
    Wrapped._aggregate(value).map { .some($0) }
  }
}

extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}

extension NSNumber: MinMaxType, AddableType {
  public typealias PersistedType = NSNumber
  public static func _restored(_ value: NSNumber) -> Self? { value as? Self }

  public static func _aggregate(_ value: Value) -> Self? {
    if case .int(let number) = value { return NSNumber(value: number) as? Self }
    if case .float(let number) = value { return NSNumber(value: number) as? Self }
    return (value.aggregate() as Double?).flatMap { NSNumber(value: $0) as? Self }
  }
}

extension NSDate: MinMaxType {
  public typealias PersistedType = NSDate
  public static func _restored(_ value: NSDate) -> Self? { value as? Self }

  public static func _aggregate(_ value: Value) -> Self? {
    (value.aggregate() as Date?).flatMap {
      NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) as? Self
    }
  }
}

extension HasPersistedType where PersistedType: AggregateType {
  /// The aggregate of a store as one of the program's values.
  static func ofAggregate(_ value: Value) -> Self? {
    PersistedType._aggregate(value).flatMap { _restored($0) }
  }
}
