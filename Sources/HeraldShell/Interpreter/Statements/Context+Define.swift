import Herald

extension Context {
  /// The default columns of a query, if its class is a defined query that has some.
  func defaultColumns(of query: QuerySyntax) throws -> [ColumnSyntax] {
    guard case .className(let name) = query.origin else { return [] }
    // The definition is that of the version that is read.
    let schema = try (query.version.map { try store(at: $0) } ?? store).schema
    var definition =
      schema.classSchema(named: name.text) == nil ? schema.query(named: name.text) : nil
    for _ in schema.definitions {
      guard let found = definition else { return [] }
      if !found.columns.isEmpty { return try found.columnSyntax() }
      definition = schema.query(named: found.origin)
    }
    return []
  }
}
