package import HeraldModel

extension BoundGrouping {
  /// Binds a grouping of objects of a class, or of a projection in its names. `query` has the members. Errors: a key that is
  /// a collection, an aggregate of what has no such, an unknown name after the braces.
  package static func bind(
    _ syntax: GroupSyntax, of query: BoundQuery, schema: Schema, names: any QueryNames,
    reader: any ObjectReader, projection: ProjectionDefinition? = nil
  ) throws(QueryError) -> BoundGrouping {
    let binder = Binder(
      root: query.classID, schema: schema, names: names, reader: reader, projection: projection)
    let keys = try BoundColumns.bind(
      syntax.keys, root: query.classID, schema: schema, names: names, reader: reader,
      projection: projection)
    for (key, content) in zip(syntax.keys, keys.contents) where content.isCollection {
      // Which of the names is the collection is known where a path must not have one.
      if case .path(let path) = key.expression.kind {
        _ = try binder.measuredPath(path, QueryFault.collectionInGroup)
      }
      throw QueryError(.collectionInGroup(key.expression.description), key.expression.span)
    }
    var aggregates: [Aggregate] = []
    for aggregate in syntax.aggregates { aggregates.append(try binder.aggregate(aggregate)) }
    let elements =
      keys.contents.map(\.element)
      + aggregates.map { $0.operation.function.type(of: $0.element) }
    let rows = try ColumnQuery.bind(
      syntax.clauses, to: zip(syntax.names, elements).map { ($0.text, $1) },
      orderedBy: keys.count, schema: schema, names: names, reader: reader)
    return BoundGrouping(query: query, keys: keys, aggregates: aggregates, rows: rows)
  }
}

extension Binder {
  fileprivate func aggregate(
    _ syntax: GroupSyntax.Aggregate
  ) throws(QueryError) -> BoundGrouping.Aggregate {
    guard let path = syntax.path else {
      guard syntax.operation == .count else {
        throw QueryError(.aggregateOfGroup(syntax.operation.word), syntax.span)
      }
      return BoundGrouping.Aggregate(operation: .count, value: nil, element: .int)
    }
    guard syntax.operation != .count else {
      throw QueryError(.countOfPath(path.description), path.span)
    }
    let (value, element) = try rowValue(path, QueryFault.collectionInGroup)
    guard let element, syntax.operation.function.accepts(element) else {
      throw QueryError(
        .aggregateNeeds(
          syntax.operation.word, syntax.operation.function.needs, operand: path.description,
          type: element.map { schema.name(of: $0) } ?? "nil"), path.span)
    }
    return BoundGrouping.Aggregate(
      operation: syntax.operation, value: value, element: element)
  }
}
