import HeraldModel

/// The names of a query that is bound again: all mean what they meant, but an object's key, which may be that of
/// another object by now.
struct KnownNames: QueryNames {
  let answers: NamedAnswers
  let schema: Schema
  let reader: any ObjectReader
  /// Whether an object that has been deleted is not replaced by another one with its key.
  var keepsObjects = false

  func variable(_ name: String) -> QueryOperand? { answers.variables[name] }

  var variableNames: [String] { [] }

  /// The object with the key; one that has been deleted as long as there is no other.
  func object(_ className: String, key: Value) throws -> ObjectID? {
    let known = answers.objects[NamedAnswers.Key(className: className, key: key)]
    if let known, keepsObjects { return known }
    guard let classSchema = schema.classSchema(named: className) else { return known }
    let keyed = KeyedObject(
      classID: classSchema.id, className: className, property: classSchema.primaryKey,
      key: .constant(key))
    return keyed.object(key, reader) ?? known
  }

  func propertyName(_ name: String, of className: String) -> String? {
    answers.properties[[className, name]]
  }

  func projection(_ name: String) -> ProjectionDefinition? { answers.projections[name] }

  func collection(_ name: String) -> (owner: ObjectID, property: String)? {
    answers.collections[name]
  }

  func rows(_ name: String) -> VariableRows? {
    answers.rows[name]?.atPresent(reader)
  }

  func value(of generated: GeneratedValue) -> Value? { answers.generated[generated] }

  func value(of expression: ExpressionSyntax, at version: PastVersion) -> QueryOperand? {
    answers.atVersions["\(expression) at \(version.syntax)"]
  }
}
