import HeraldModel
import HeraldQuery

extension Query {
  /// Compares the value with another one of the object.
  func compared<Other>(
    _ relation: Relation, _ other: Query<Other>, _ options: StringOptions
  ) -> Query<Bool> {
    let areWithMarks = !options.contains(.diacriticInsensitive)
    if areWithMarks { return compared(relation, with: other, options) }
    return withoutMarks.compared(
      relation, with: other.withoutMarks, options.subtracting(.diacriticInsensitive))
  }

  fileprivate func compared<Other>(
    _ relation: Relation, with other: Query<Other>, _ options: StringOptions = []
  ) -> Query<Bool> {
    guard
      case .predicate(let predicate, _) = compared(relation, other.expression, options).node
    else {
      return Query<Bool>(.path([], collection: nil), context)
    }
    return Query<Bool>(
      .predicate(predicate, collection: collection.merged(other.collection)), context)
  }
}

extension Query where T: Storable {
  /// Whether both values are equal; nil is equal to nil only.
  @_disfavoredOverload
  public static func == (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compared(.equal, with: right)
  }

  /// Whether the values differ.
  @_disfavoredOverload
  public static func != (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compared(.notEqual, with: right)
  }
}

extension Query where T: Storable, T.PersistedType: QueryComparable {
  /// Whether the value is less than another of the object. Nil is neither less nor greater.
  public static func < (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compared(.less, with: right)
  }

  /// Whether the value is less than or equal to another of the object.
  public static func <= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compared(.lessOrEqual, with: right)
  }

  /// Whether the value is greater than another of the object.
  public static func > (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compared(.greater, with: right)
  }

  /// Whether the value is greater than or equal to another of the object.
  public static func >= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compared(.greaterOrEqual, with: right)
  }
}

// A property that is optional beside one that is not.
extension Query {
  /// Whether both values are equal; nil is equal to nil only.
  @_disfavoredOverload
  public static func == <Wrapped: PersistableElement>(
    left: Query<Wrapped?>, right: Query<Wrapped>
  ) -> Query<Bool> where T == Wrapped? { left.compared(.equal, with: right) }

  /// Whether the values differ.
  @_disfavoredOverload
  public static func != <Wrapped: PersistableElement>(
    left: Query<Wrapped?>, right: Query<Wrapped>
  ) -> Query<Bool> where T == Wrapped? { left.compared(.notEqual, with: right) }

  /// Whether both values are equal; nil is equal to nil only.
  @_disfavoredOverload
  public static func == <Wrapped: PersistableElement>(
    left: Query<Wrapped>, right: Query<Wrapped?>
  ) -> Query<Bool> where T == Wrapped? { left.compared(.equal, with: right) }

  /// Whether the values differ.
  @_disfavoredOverload
  public static func != <Wrapped: PersistableElement>(
    left: Query<Wrapped>, right: Query<Wrapped?>
  ) -> Query<Bool> where T == Wrapped? { left.compared(.notEqual, with: right) }
}

extension Query where T: QueryableOptional, T.Wrapped.PersistedType: QueryComparable {
  /// Whether the value is less than another of the object. Nil is neither less nor greater.
  public static func < (left: Query<T>, right: Query<T.Wrapped>) -> Query<Bool> {
    left.compared(.less, with: right)
  }

  /// Whether the value is less than or equal to another of the object.
  public static func <= (left: Query<T>, right: Query<T.Wrapped>) -> Query<Bool> {
    left.compared(.lessOrEqual, with: right)
  }

  /// Whether the value is greater than another of the object.
  public static func > (left: Query<T>, right: Query<T.Wrapped>) -> Query<Bool> {
    left.compared(.greater, with: right)
  }

  /// Whether the value is greater than or equal to another of the object.
  public static func >= (left: Query<T>, right: Query<T.Wrapped>) -> Query<Bool> {
    left.compared(.greaterOrEqual, with: right)
  }

  /// Whether the value is less than another of the object. Nil is neither less nor greater.
  public static func < (left: Query<T.Wrapped>, right: Query<T>) -> Query<Bool> {
    left.compared(.less, with: right)
  }

  /// Whether the value is less than or equal to another of the object.
  public static func <= (left: Query<T.Wrapped>, right: Query<T>) -> Query<Bool> {
    left.compared(.lessOrEqual, with: right)
  }

  /// Whether the value is greater than another of the object.
  public static func > (left: Query<T.Wrapped>, right: Query<T>) -> Query<Bool> {
    left.compared(.greater, with: right)
  }

  /// Whether the value is greater than or equal to another of the object.
  public static func >= (left: Query<T.Wrapped>, right: Query<T>) -> Query<Bool> {
    left.compared(.greaterOrEqual, with: right)
  }
}
