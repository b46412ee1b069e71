package import HeraldModel

extension BoundQuery {
  /// A bound query, and the projection of its objects, if it names one.
  package typealias Projected = (query: BoundQuery, projection: ProjectionDefinition?)

  /// The largest number of definitions that are made of one another.
  private static let definitionLimit = 50

  /// Binds a defined query. Errors: those of its text; their spans are those of the definition's text, so the
  /// message names the definition. With `resolved`, the names are all that it is bound for.
  package static func bind(
    _ definition: QueryDefinition, schema: Schema, names: any QueryNames,
    reader: (any ObjectReader)? = nil, resolved: ResolvedNames? = nil
  ) throws(QueryError) -> Projected {
    try bind(
      definition, schema: schema, names: names, reader: reader,
      notes: resolved.map(BindingNotes.init(resolved:)))
  }

  /// Binds a defined query that is part of another one, if there are `notes`.
  static func bind(
    _ definition: QueryDefinition, schema: Schema, names: any QueryNames,
    reader: (any ObjectReader)?, depth: Int = 0, notes: BindingNotes?
  ) throws(QueryError) -> Projected {
    let whole = SourceSpan(start: 0, end: 0)
    do throws(QueryError) {
      guard depth < definitionLimit else {
        throw QueryError(.tooDeep(limit: definitionLimit), whole)
      }
      let base = try origin(
        definition, schema: schema, names: names, reader: reader, depth: depth, notes: notes)
      let (tail, _) = try QueryParser.parseTail(Array(definition.clauses.utf8), from: 0)
      let query = try bind(
        tail, root: base.query.classID, schema: schema, names: names, reader: reader,
        projection: base.projection, notes: notes)
      return (base.query.followed(by: query), base.projection)
    } catch {
      throw QueryError(message: "query '\(definition.name)': \(error.message)", span: whole)
    }
  }

  private static func origin(
    _ definition: QueryDefinition, schema: Schema, names: any QueryNames,
    reader: (any ObjectReader)?, depth: Int, notes: BindingNotes?
  ) throws(QueryError) -> Projected {
    let name = definition.origin
    if schema.classSchema(named: name) == nil, let other = schema.query(named: name) {
      // The names in its own text are not those of this one.
      return try bind(
        other, schema: schema, names: names, reader: reader, depth: depth + 1,
        notes: notes?.ofDefinition)
    }
    let binder = Binder(root: nil, schema: schema, names: names, reader: reader)
    let (found, projection) = try binder.queried(name, SourceSpan(start: 0, end: 0))
    return (BoundQuery(classID: found.id), projection)
  }
}

extension QueryDefinition {
  /// Returns the default columns; none if it has none.
  package func columnSyntax() throws(QueryError) -> [ColumnSyntax] {
    if columns.isEmpty { return [] }
    let bytes = Array(columns.utf8)
    var parser = ExpressionParser(
      statement: bytes, from: 0, to: bytes.count, depth: 0, notes: nil)
    let span = SourceSpan(start: 0, end: 0)
    return try parser.columns(of: .className(Name(text: origin, span: span)))
  }
}
