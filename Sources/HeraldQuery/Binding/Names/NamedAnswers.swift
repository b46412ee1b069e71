import HeraldModel

/// What names meant when a query was bound, so that they mean the same when it is bound again.
struct NamedAnswers: Sendable {
  struct Key: Hashable {
    var className: String
    var key: Value
  }

  /// Whole operands that begin with a variable, by their text: what they read of the store keeps its value, too.
  var operands: [String: BoundOperand] = [:]
  var variables: [String: QueryOperand] = [:]
  var collections: [String: (owner: ObjectID, property: String)] = [:]
  var rows: [String: VariableRows] = [:]
  /// The names in the store of properties, by class and the names that the query has.
  var properties: [[String]: String] = [:]
  var projections: [String: ProjectionDefinition] = [:]
  var generated: [GeneratedValue: Value] = [:]
  /// Operands at other versions, by their text.
  var atVersions: [String: QueryOperand] = [:]
  /// The objects named by their keys.
  var objects: [Key: ObjectID] = [:]
}
