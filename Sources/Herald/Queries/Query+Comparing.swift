import HeraldModel
import HeraldQuery

/// A type whose values queries can order: numbers, strings, dates, and values of any type.
public protocol QueryComparable: PersistableElement {}

extension Int: QueryComparable {}
extension Int8: QueryComparable {}
extension Int16: QueryComparable {}
extension Int32: QueryComparable {}
extension Int64: QueryComparable {}
extension Float: QueryComparable {}
extension Double: QueryComparable {}
extension Decimal128: QueryComparable {}
extension String: QueryComparable {}
extension AnyValue: QueryComparable {}
extension Optional: QueryComparable where Wrapped: QueryComparable {}

extension Query where T: Storable {
  /// Whether the value is equal; nil is equal to nil only.
  public static func == (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.equal, value)
  }

  /// Whether the value differs.
  public static func != (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.notEqual, value)
  }

  /// Whether the value is one of some.
  public func `in`(_ values: some Sequence<T>) -> Query<Bool> {
    isOne(of: values.map { literal($0) })
  }
}

extension Query where T: Storable, T.PersistedType: QueryComparable {
  /// Whether the value is less. Nil is neither less nor greater.
  public static func < (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.less, value)
  }

  /// Whether the value is less or equal.
  public static func <= (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.lessOrEqual, value)
  }

  /// Whether the value is greater.
  public static func > (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.greater, value)
  }

  /// Whether the value is greater or equal.
  public static func >= (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.greaterOrEqual, value)
  }
}

/// An optional value in a query.
///
/// Comparisons with a value that is not optional are operators of their own, so that the compiler names that type
/// where the value has another one.
public protocol QueryableOptional {
  associatedtype Wrapped: PersistableElement
}

extension Optional: QueryableOptional where Wrapped: PersistableElement {}

// Where a value is misspelt, as in `$0.mood == .hapy`, the compiler names it if one operator is better than each other one:
// those beside that of two equal types are disfavored, and are of types that it knows.
extension Query {
  /// Whether the value is equal.
  @_disfavoredOverload
  public static func == <Wrapped: PersistableElement>(
    query: Query<Wrapped?>, value: Wrapped
  ) -> Query<Bool> where T == Wrapped? { query.compared(.equal, value) }

  /// Whether the value differs, or is nil.
  @_disfavoredOverload
  public static func != <Wrapped: PersistableElement>(
    query: Query<Wrapped?>, value: Wrapped
  ) -> Query<Bool> where T == Wrapped? { query.compared(.notEqual, value) }
}

extension Query where T: QueryableOptional, T.Wrapped.PersistedType: QueryComparable {
  /// Whether the value is less. Nil is neither less nor greater.
  public static func < (query: Query<T>, value: T.Wrapped) -> Query<Bool> {
    query.compared(.less, value)
  }

  /// Whether the value is less or equal.
  public static func <= (query: Query<T>, value: T.Wrapped) -> Query<Bool> {
    query.compared(.lessOrEqual, value)
  }

  /// Whether the value is greater.
  public static func > (query: Query<T>, value: T.Wrapped) -> Query<Bool> {
    query.compared(.greater, value)
  }

  /// Whether the value is greater or equal.
  public static func >= (query: Query<T>, value: T.Wrapped) -> Query<Bool> {
    query.compared(.greaterOrEqual, value)
  }
}

extension Query where T: Storable & Comparable {
  /// Whether the value is in a range.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    between(range.lowerBound, range.upperBound)
  }

  /// Whether the value is in a range without its upper bound.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    within(from: range.lowerBound, below: range.upperBound)
  }

  /// Whether the value is in a range.
  public func `in`(_ range: ClosedRange<T>) -> Query<Bool> { contains(range) }

  /// Whether the value is in a range without its upper bound.
  public func `in`(_ range: Range<T>) -> Query<Bool> { contains(range) }

  /// Whether the value is between two others, or equal to one of them.
  public func between(_ lower: T, _ upper: T) -> Query<Bool> { within(lower, upper) }
}

extension Query where T: QueryableOptional, T.Wrapped: Comparable {
  /// Whether the value is in a range.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    within(range.lowerBound, range.upperBound)
  }

  /// Whether the value is in a range without its upper bound.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    within(from: range.lowerBound, below: range.upperBound)
  }

  /// Whether the value is in a range.
  public func `in`(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> { contains(range) }

  /// Whether the value is in a range without its upper bound.
  public func `in`(_ range: Range<T.Wrapped>) -> Query<Bool> { contains(range) }

  /// Whether the value is between two others, or equal to one of them.
  public func between(_ lower: T.Wrapped, _ upper: T.Wrapped) -> Query<Bool> {
    within(lower, upper)
  }
}

extension Query {
  private func within(
    _ lower: some Storable, _ upper: some Storable
  ) -> Query<Bool> {
    within(literal(lower), literal(upper))
  }

  /// Both bounds are compared with one element of a collection.
  private func within(_ lower: ExpressionSyntax, _ upper: ExpressionSyntax) -> Query<Bool> {
    condition(.between(expression, ExpressionSyntax(.list([lower, upper]), .none)))
  }

  private func within(
    from lower: some Storable, below upper: some Storable
  ) -> Query<Bool> {
    if case .one = collection, let last = context.encode(upper).predecessor {
      return within(literal(lower), ExpressionSyntax(.literal(last), .none))
    }
    return compared(.greaterOrEqual, lower) && compared(.less, upper)
  }
}

extension Value {
  /// The largest value that is less, of the same type; nil without one, and of types that have none.
  fileprivate var predecessor: Value? {
    switch self {
    case .int(let value): value > .min ? .int(value - 1) : nil
    case .float(let value): value > -.infinity ? .float(value.nextDown) : nil
    case .double(let value): value > -.infinity ? .double(value.nextDown) : nil
    case .date(let value) where value.nanoseconds > 0:
      .date(Timestamp(seconds: value.seconds, nanoseconds: value.nanoseconds - 1))
    case .date(let value):
      value.seconds > .min
        ? .date(Timestamp(seconds: value.seconds - 1, nanoseconds: 999_999_999)) : nil
    case _: nil
    }
  }
}

extension Query {
  /// Whether each property of an embedded object is equal to that of an unmanaged one.
  func hasContents(of object: EmbeddedObject) -> Query<Bool> {
    do {
      let conditions = try ObjectTable.of(type(of: object)).properties.map {
        try (following(.name($0.name)) as Query<AnyValue>).isValue(of: $0, object)
      }
      guard let first = conditions.first else { return condition(.constant(true)) }
      return conditions.dropFirst().reduce(first) { $0 && $1 }
    } catch {
      context.note(error)
      return condition(.constant(false))
    }
  }

  private func isValue(
    of property: ObjectTable.Property, _ object: EmbeddedObject
  ) throws -> Query<Bool> {
    let value = property.local.value(object)
    if let part = value as? EmbeddedObject ?? value.embeddedObject {
      return hasContents(of: part)
    }
    guard
      case .value(let value)? = try property.local.content(
        object, LinkEncoder(context.core, unmanaged: .isLinkedByNone))
    else {
      throw QueryArgumentError(
        "'\(property.label)' of '\(type(of: object))' is a collection, which conditions cannot compare"
      )
    }
    return compared(.equal, ExpressionSyntax(.literal(value), .none))
  }
}

extension Query where T: QueryableOptional, T.Wrapped: PersistableEnum {
  /// The raw value, which has more operators; nil for nil.
  public var rawValue: Query<T.Wrapped.RawValue?> {
    Query<T.Wrapped.RawValue?>(node, context)
  }
}

extension Query where T: PersistableEnum {
  /// The raw value, which has more operators.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node, context) }
}
