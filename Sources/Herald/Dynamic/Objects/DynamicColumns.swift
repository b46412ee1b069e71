import HeraldEngine
public import HeraldModel
public import HeraldQuery

/// Expressions over the objects of a class, the columns of a table.
public struct DynamicColumns {
  /// The session that the columns belong to.
  public let store: DynamicStore
  let columns: BoundColumns

  /// Whether each column holds numbers, one in each row.
  package var areNumbers: [Bool] { columns.areNumbers }

  /// Returns the values of one object, in the order of the columns; those of several at the end of a path are a
  /// list. Errors: `QueryError` for an overflow or an int divided by zero; `interrupted`, `closed`, `damaged`.
  public func values(of object: DynamicObject) throws -> [Value] {
    try store.run { try columns.values(of: object.id.number, $0) }
  }
}

extension DynamicStore {
  /// Binds expressions over the rows of results, in the names of their projection if they have one. Variables are
  /// read now. Errors: `QueryError`.
  public func columns(
    _ columns: [ColumnSyntax], of results: DynamicResults, names: any QueryNames
  ) throws -> DynamicColumns {
    DynamicColumns(
      store: self,
      columns: try BoundColumns.bind(
        columns, root: results.classID, schema: schema, names: names, reader: session.reader,
        projection: results.projection))
  }
}
