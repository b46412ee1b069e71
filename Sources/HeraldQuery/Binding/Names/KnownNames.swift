import HeraldModel

/// The names of a query that is bound again: all mean what they meant, but an object's key, which may be that of
/// another object by now.
struct KnownNames: QueryNames {
  let answers: NamedAnswers
  let schema: Schema
  let reader: any ObjectReader

  func variable(_ name: String) -> QueryOperand? { answers.variables[name] }

  var variableNames: [String] { [] }

  /// The object with the key; one that has been deleted as long as there is no other.
  func object(_ className: String, key: Value) throws -> ObjectID? {
    let known = answers.objects[NamedAnswers.Key(className: className, key: key)]
    guard let known, !reader.exists(known) else { return known }
    return known.successor(key, schema, reader) ?? known
  }

  func projection(_ name: String) -> ProjectionDefinition? { answers.projections[name] }

  func collection(_ name: String) -> (owner: ObjectID, property: String)? {
    answers.collections[name]
  }

  func value(of generated: GeneratedValue) -> Value? { answers.generated[generated] }

  func value(of expression: ExpressionSyntax, at version: PastVersion) -> QueryOperand? {
    answers.atVersions["\(expression) at \(version.syntax)"]
  }
}

extension ObjectID {
  /// Returns the object that has the key of this one, which was deleted; nil if there is none.
  fileprivate func successor(
    _ key: Value, _ schema: Schema, _ reader: any ObjectReader
  ) -> ObjectID? {
    guard let property = schema.classSchema(classID)?.primaryKey else { return nil }
    let span = SourceSpan(start: 0, end: 0)
    let path = PathSyntax(
      start: .root, startSpan: span,
      steps: [PathSyntax.Step(kind: .name(property.name), span: span)], span: span)
    let comparison = PredicateSyntax.Comparison(
      left: ExpressionSyntax(.path(path), span), relation: .equal, foldsCase: false,
      isMembership: false, right: ExpressionSyntax(.literal(key), span), operatorSpan: span)
    let tail = QueryTail(
      predicate: PredicateSyntax(.comparison(comparison), span), stages: [], span: span)
    let query = try? BoundQuery.bind(tail, root: classID, schema: schema, names: NoNames())
    return query?.rows(reader).first.map { ObjectID(classID, $0) }
  }
}
