package import HeraldModel

extension BoundGrouping {
  /// Binds a grouping of objects of a class, or of a projection in its names. `query` has the members. Errors: a path
  /// through a collection, an aggregate of what has no such, an unknown name in `sort`.
  package static func bind(
    _ syntax: GroupSyntax, of query: BoundQuery, schema: Schema, names: any QueryNames,
    reader: (any ObjectReader)? = nil, projection: ProjectionDefinition? = nil
  ) throws(QueryError) -> BoundGrouping {
    let binder = Binder(
      root: query.classID, schema: schema, names: names, reader: reader, projection: projection)
    var keys: [Key] = []
    for path in syntax.paths {
      let bound = try binder.measuredPath(path.path, QueryFault.collectionInGroup)
      keys.append(Key(path: bound.path, measure: bound.measure, element: bound.element))
    }
    var aggregates: [Aggregate] = []
    for aggregate in syntax.aggregates { aggregates.append(try binder.aggregate(aggregate)) }
    let sort = try binder.sort(syntax)
    let stages = syntax.stages.filter { $0.clause != .sort }
    let window = try BoundQuery.bind(
      stages.isEmpty ? nil : QueryTail(predicate: nil, stages: stages, span: syntax.span),
      root: query.classID, schema: schema, names: names, reader: reader, projection: projection)
    return BoundGrouping(
      query: query, names: syntax.names.map(\.text), keys: keys, aggregates: aggregates,
      sort: sort, window: window)
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
      return BoundGrouping.Aggregate(
        operation: .count, path: nil, measure: nil, element: .int)
    }
    guard syntax.operation != .count else {
      throw QueryError(.countOfPath(path.description), path.span)
    }
    let (bound, measure, element) = try measuredPath(path, QueryFault.collectionInGroup)
    guard let element, syntax.operation.function.accepts(element) else {
      throw QueryError(
        .aggregateNeeds(
          syntax.operation.word, syntax.operation.function.needs, operand: path.description,
          type: element.map { schema.name(of: $0) } ?? "nil"), path.span)
    }
    return BoundGrouping.Aggregate(
      operation: syntax.operation, path: bound, measure: measure, element: element)
  }

  /// The order of the groups. Errors: also `sort` after another stage, and `distinct`.
  fileprivate func sort(_ syntax: GroupSyntax) throws(QueryError) -> [BoundGrouping.SortKey] {
    var sort: [BoundGrouping.SortKey] = []
    let names = syntax.names.map(\.text)
    for (index, stage) in syntax.stages.enumerated() {
      guard stage.clause.isOfGroups else {
        throw QueryError(.groupStage(stage.clause.rawValue), stage.span)
      }
      guard case .keys(let keys) = stage.content else { continue }
      guard index == 0 else { throw QueryError(.groupStage("sort"), stage.span) }
      for key in keys {
        guard let column = names.firstIndex(of: key.path.description) else {
          throw QueryError(
            .unknownColumn(
              key.path.description, nearest: nearestName(to: key.path.description, in: names)),
            key.path.span)
        }
        sort.append(BoundGrouping.SortKey(column: column, isAscending: key.isAscending))
      }
    }
    return sort
  }
}
