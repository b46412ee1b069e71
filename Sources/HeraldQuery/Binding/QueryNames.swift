public import HeraldModel

/// Resolves the names in a query that the schema does not define.
public protocol QueryNames {
  /// Returns the value of `$name`; nil if there is no such variable.
  func variable(_ name: String) -> QueryOperand?

  /// The names of all variables, for suggestions.
  var variableNames: [String] { get }

  /// Returns the object with a primary key, or with a number if its class has no key: `Dog#3`. nil if
  /// there is none.
  func object(_ className: String, key: Value) throws -> ObjectID?

  /// Returns the projection that `$name` applies to its object; nil, the default, if there is none.
  func projection(_ name: String) -> ProjectionDefinition?

  /// Returns the owner and the property of a collection of values or a map that `$name` holds, so that
  /// paths can continue from it. nil, the default, if it holds anything else.
  func collection(_ name: String) -> (owner: ObjectID, property: String)?

  /// Returns whether the object that `$name` holds was deleted; nil, the default, if it holds no object.
  func isInvalidated(_ name: String) -> Bool?

  /// Returns the value of what is not stored, such as `inTransaction`; nil, the default, if there is none.
  func value(of generated: GeneratedValue) -> Value?

  /// Called with a remark on what the query means; does nothing by default.
  func note(_ remark: String)

  /// Returns the value of a path or a subquery that starts at `$name`, if `$name` is read at another
  /// version than the query; else nil, the default.
  func value(of expression: ExpressionSyntax, from name: String) -> QueryOperand?
}

extension QueryNames {
  public func projection(_ name: String) -> ProjectionDefinition? { nil }
  public func collection(_ name: String) -> (owner: ObjectID, property: String)? { nil }
  public func isInvalidated(_ name: String) -> Bool? { nil }
  public func note(_ remark: String) {}
  public func value(of generated: GeneratedValue) -> Value? { nil }
  public func value(of expression: ExpressionSyntax, from name: String) -> QueryOperand? { nil }
}

/// The value of a variable or an expression in a query.
public enum QueryOperand: Sendable {
  case value(Value)
  case values([Value])
  case objects(classID: ClassID, [ObjectNumber])
}

/// No variables and no objects: for self-contained queries.
public struct NoNames: QueryNames {
  public init() {}
  public func variable(_ name: String) -> QueryOperand? { nil }
  public var variableNames: [String] { [] }
  public func object(_ className: String, key: Value) throws -> ObjectID? { nil }
}
