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
    let window = try binder.window(syntax)
    return BoundGrouping(
      query: query, names: syntax.names.map(\.text), keys: keys, aggregates: aggregates,
      sort: window.sort, offset: window.rows.lowerBound,
      limit: window.rows.upperBound == .max ? .max : window.rows.count)
  }
}

extension Binder {
  fileprivate func aggregate(
    _ syntax: GroupSyntax.Aggregate
  ) throws(QueryError) -> BoundGrouping.Aggregate {
    guard let path = syntax.path else {
      guard syntax.operation == .count else {
        throw QueryError(.aggregateOfGroup(syntax.operation.rawValue), syntax.span)
      }
      return BoundGrouping.Aggregate(
        operation: .count, path: nil, measure: nil, element: .int)
    }
    guard syntax.operation != .count else {
      throw QueryError(.countOfPath(path.description), path.span)
    }
    let (bound, measure, element) = try measuredPath(path, QueryFault.collectionInGroup)
    guard let element, syntax.operation.accepts(element) else {
      throw QueryError(
        .aggregateNeedsNumbers(
          syntax.operation.rawValue, operand: path.description,
          type: element.map { schema.name(of: $0) } ?? "nil"), path.span)
    }
    return BoundGrouping.Aggregate(
      operation: syntax.operation, path: bound, measure: measure, element: element)
  }

  /// The order and the window of the stages.
  fileprivate func window(
    _ syntax: GroupSyntax
  ) throws(QueryError) -> (sort: [BoundGrouping.SortKey], rows: Range<Int>) {
    var sort: [BoundGrouping.SortKey] = []
    var rows = 0..<Int.max
    let names = syntax.names.map(\.text)
    for stage in syntax.stages {
      switch stage.kind {
      case .sort(let keys):
        guard sort.isEmpty, rows == 0..<Int.max else {
          throw QueryError(.groupStage("sort"), stage.span)
        }
        for key in keys {
          guard let column = names.firstIndex(of: key.path.description) else {
            throw QueryError(
              .unknownColumn(
                key.path.description, nearest: nearestName(to: key.path.description, in: names)),
              key.path.span)
          }
          sort.append(BoundGrouping.SortKey(column: column, isAscending: key.isAscending))
        }
      case .distinct: throw QueryError(.groupStage("distinct"), stage.span)
      case .limit(let count):
        let limit = try rowCount(count, .limitNeedsNumber)
        if limit < rows.count { rows = rows.lowerBound..<(rows.lowerBound + limit) }
      case .offset(let count):
        let offset = min(try rowCount(count, .offsetNeedsNumber), rows.count)
        rows = (rows.lowerBound + offset)..<rows.upperBound
      }
    }
    return (sort, rows)
  }
}
