import HeraldQuery

extension Query {
  fileprivate func combined(_ operation: Arithmetic, _ right: ExpressionSyntax) -> Query<T> {
    Self.combined(expression, operation, right, collection, context)
  }

  fileprivate func combined(_ operation: Arithmetic, _ right: Query<T>) -> Query<T> {
    Self.combined(
      expression, operation, right.expression, collection.merged(right.collection), context)
  }

  fileprivate static func combined(
    _ left: ExpressionSyntax, _ operation: Arithmetic, _ right: ExpressionSyntax,
    _ collection: QueryCollectionPath, _ context: QueryContext
  ) -> Query<T> {
    let term = ExpressionSyntax.Term(operation: operation, operand: right)
    return Query(
      .operand(ExpressionSyntax(.arithmetic(left, [term]), .none), collection: collection), context)
  }
}

// Nil with any number is nil. Integers are those of 64 bits, whatever the property's type.
extension Query where T: QueryableNumber {
  /// The sum of the value and a number.
  public static func + (query: Query<T>, number: T.Number) -> Query<T> {
    query.combined(.plus, query.literal(number))
  }

  /// The sum of a number and the value.
  public static func + (number: T.Number, query: Query<T>) -> Query<T> {
    combined(query.literal(number), .plus, query.expression, query.collection, query.context)
  }

  /// The sum of two values of the object.
  public static func + (left: Query<T>, right: Query<T>) -> Query<T> {
    left.combined(.plus, right)
  }

  /// The value without a number.
  public static func - (query: Query<T>, number: T.Number) -> Query<T> {
    query.combined(.minus, query.literal(number))
  }

  /// A number without the value.
  public static func - (number: T.Number, query: Query<T>) -> Query<T> {
    combined(query.literal(number), .minus, query.expression, query.collection, query.context)
  }

  /// The difference of two values of the object.
  public static func - (left: Query<T>, right: Query<T>) -> Query<T> {
    left.combined(.minus, right)
  }

  /// The value times a number.
  public static func * (query: Query<T>, number: T.Number) -> Query<T> {
    query.combined(.times, query.literal(number))
  }

  /// A number times the value.
  public static func * (number: T.Number, query: Query<T>) -> Query<T> {
    combined(query.literal(number), .times, query.expression, query.collection, query.context)
  }

  /// The product of two values of the object.
  public static func * (left: Query<T>, right: Query<T>) -> Query<T> {
    left.combined(.times, right)
  }

  /// The value divided by a number, as in the query language.
  public static func / (query: Query<T>, number: T.Number) -> Query<T> {
    query.combined(.divided, query.literal(number))
  }

  /// The quotient of two values of the object.
  public static func / (left: Query<T>, right: Query<T>) -> Query<T> {
    left.combined(.divided, right)
  }
}

extension Query where T: QueryableNumber, T.Number: FixedWidthInteger {
  /// What remains of the value divided by a number.
  public static func % (query: Query<T>, number: T.Number) -> Query<T> {
    query.combined(.remainder, query.literal(number))
  }
}
