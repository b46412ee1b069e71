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

  /// Returns the name in the store of a property that has another one in the program; nil, the default, if there is none.
  func propertyName(_ name: String, of className: String) -> String?

  /// Returns the projection through which `$name` sees its object or its rows; nil, the default, if there is none.
  func projection(_ name: String) -> ProjectionDefinition?

  /// Returns the owner and the property of a collection of values or a map that `$name` holds, so that
  /// paths can continue from it. nil, the default, if it holds anything else.
  func collection(_ name: String) -> (owner: ObjectID, property: String)?

  /// Returns the query of the rows that `$name` holds, so that they are followed where its value is observed. nil, the
  /// default, if it holds anything else.
  func rows(_ name: String) -> VariableRows?

  /// Returns the number of rows that `$name` holds, without reading them; nil, the default, if it holds no query.
  func rowCount(of name: String) -> Int?

  /// Returns the object in a row that `$name` holds, without reading the others; nil, the default, if there is none or it
  /// holds no query.
  func row(_ index: Int, of name: String) -> ObjectID?

  /// Returns whether the object that `$name` holds was deleted; nil, the default, if it holds no object.
  func isInvalidated(_ name: String) -> Bool?

  /// Returns the value of what is not stored, such as `inTransaction`; nil, the default, if there is none.
  func value(of generated: GeneratedValue) -> Value?

  /// Called with a remark on what the query means; does nothing by default.
  func note(_ remark: String)

  /// Returns the value of a path or a subquery that starts at `$name`, if `$name` is read at another
  /// version than the query; else nil, the default.
  func value(of expression: ExpressionSyntax, from name: String) -> QueryOperand?

  /// Returns the value of an expression at another version; nil, the default, if there are no others.
  func value(of expression: ExpressionSyntax, at version: PastVersion) -> QueryOperand?
}

/// The version of a query in an operand, as the command language has it.
public struct PastVersion: Sendable {
  package let syntax: VersionSyntax
}

extension QueryNames {
  /// Returns the name in the store of a property; by default there are no others.
  public func propertyName(_ name: String, of className: String) -> String? { nil }
  /// Returns the projection of a name; by default there is none.
  public func projection(_ name: String) -> ProjectionDefinition? { nil }
  /// Returns the collection of a variable; by default there is none.
  public func collection(_ name: String) -> (owner: ObjectID, property: String)? { nil }
  /// Returns the query of the rows of a variable; by default there is none.
  public func rows(_ name: String) -> VariableRows? { nil }
  /// Returns the number of rows of a variable; by default they must be read.
  public func rowCount(of name: String) -> Int? { nil }
  /// Returns a row of a variable; by default all must be read.
  public func row(_ index: Int, of name: String) -> ObjectID? { nil }
  /// Returns whether the object of a variable was deleted; by default there is none.
  public func isInvalidated(_ name: String) -> Bool? { nil }
  /// Receives a remark about the query; by default it is dropped.
  public func note(_ remark: String) {}
  /// Returns a value that is generated; by default there is none.
  public func value(of generated: GeneratedValue) -> Value? { nil }
  /// Returns the value of an expression that is read at another version; by default there is none.
  public func value(of expression: ExpressionSyntax, from name: String) -> QueryOperand? { nil }
  /// Returns the value of an expression at an earlier version; by default there is none.
  public func value(of expression: ExpressionSyntax, at version: PastVersion) -> QueryOperand? {
    nil
  }
}

/// The value of a variable or an expression in a query.
public enum QueryOperand: Sendable {
  /// One value.
  case value(Value)
  /// Several values, of which one must match.
  case values([Value])
  /// Objects of a class.
  case objects(classID: ClassID, [ObjectNumber])
}
