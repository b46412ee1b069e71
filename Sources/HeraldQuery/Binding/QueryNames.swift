public import HeraldModel

/// What names in a question stand for, outside of the schema.
public protocol QueryNames {
  /// What `$name` stands for; nil where there is no such variable.
  func variable(_ name: String) -> QueryOperand?

  /// Every variable, for suggestions.
  var variableNames: [String] { get }

  /// The object with a primary key, or with a number where its class has no key: `Dog#3`. nil
  /// where there is none.
  func object(_ className: String, key: Value) throws -> ObjectID?

  /// The projection through which `$name` shows its object; nil where it shows none, as by default.
  func projection(_ name: String) -> ProjectionDefinition?

  /// The collection that `$name` stands for where it is one of values or a map, by the object that has
  /// it: paths go on from there. nil, as by default, where it stands for another thing.
  func collection(_ name: String) -> (owner: ObjectID, property: String)?

  /// What a path or a subquery that starts from `$name` comes to, where that is read from another
  /// version than the question is asked of; nil, as by default, where it is not.
  func value(of expression: ExpressionSyntax, from name: String) -> QueryOperand?
}

extension QueryNames {
  public func projection(_ name: String) -> ProjectionDefinition? { nil }
  public func collection(_ name: String) -> (owner: ObjectID, property: String)? { nil }
  public func value(of expression: ExpressionSyntax, from name: String) -> QueryOperand? { nil }
}

/// Values that stand in a question: what a variable holds, and what an expression evaluates to.
public enum QueryOperand: Sendable {
  case value(Value)
  case values([Value])
  case objects(classID: ClassID, [ObjectNumber])
}

/// No variables and no objects: for questions that stand on their own.
public struct NoNames: QueryNames {
  public init() {}
  public func variable(_ name: String) -> QueryOperand? { nil }
  public var variableNames: [String] { [] }
  public func object(_ className: String, key: Value) throws -> ObjectID? { nil }
}
