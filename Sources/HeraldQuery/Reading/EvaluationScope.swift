import HeraldModel

/// The scope in which a condition is evaluated: its object, and in a SUBQUERY the objects of the
/// enclosing conditions, the outermost first.
struct EvaluationScope {
  let reader: any ObjectReader
  let root: ObjectID
  var outer: [ObjectID] = []

  /// Returns the scope of a nested condition on another object.
  func entering(_ object: ObjectID) -> EvaluationScope {
    EvaluationScope(reader: reader, root: object, outer: outer + [root])
  }

  /// Returns the scope of the same depth for another object.
  func at(_ object: ObjectID) -> EvaluationScope {
    EvaluationScope(reader: reader, root: object, outer: outer)
  }
}
