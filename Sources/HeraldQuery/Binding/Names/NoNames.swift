public import HeraldModel

/// No variables and no objects: for self-contained queries.
public struct NoNames: QueryNames {
  /// No variables.
  public init() {}
  /// Nothing: there are no variables.
  public func variable(_ name: String) -> QueryOperand? { nil }
  /// None.
  public var variableNames: [String] { [] }
  /// Nothing: objects cannot be named by their keys.
  public func object(_ className: String, key: Value) throws -> ObjectID? { nil }
}
