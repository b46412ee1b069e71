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
}

extension QueryNames {
  public func projection(_ name: String) -> ProjectionDefinition? { nil }
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
