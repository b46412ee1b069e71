import HeraldEngine
package import HeraldModel
package import HeraldQuery

/// Expressions over the objects of a class or over the elements of a collection of values, the columns of a table.
package struct DynamicColumns {
  /// The session that the columns belong to.
  package let store: DynamicStore
  let columns: BoundColumns
  /// The query whose elements are the rows; nil if the rows are objects.
  let elements: ElementQuery?

  /// Whether each column holds numbers, one in each row.
  package var areNumbers: [Bool] { columns.areNumbers }

  /// Returns the values of one object, in the order of the columns; those of several at the end of a path are a
  /// list. Errors: `QueryError` for an overflow or an int divided by zero; `interrupted`, `closed`, `damaged`.
  package func values(of object: ObjectHandle) throws -> [Value] {
    try store.run { try columns.values(of: object.id.number, $0) }
  }

  /// Returns the values of one element, of columns that `DynamicElements` has made; none of other columns. Errors: as
  /// those of an object.
  package func values(ofElement element: Value) throws -> [Value] {
    guard let elements else { return [] }
    return try store.run { try elements.values(columns, of: element, $0) }
  }
}

extension DynamicColumns {
  /// Returns which of some rows of values clauses in the names of the columns pass on, in order. Errors: `QueryError`.
  package func rows(
    of values: [[Value]], _ clauses: [QueryTail], columnNames: [String], names: any QueryNames
  ) throws -> [Int] {
    let named = zip(columnNames, columns.contents).map { name, content in
      (name: name, element: content.isCollection ? nil : content.element)
    }
    return try store.run { reader in
      try ColumnQuery.bind(
        clauses, to: named, schema: store.schema, names: names, reader: reader
      ).rows(of: values, reader)
    }
  }

  /// Returns the columns with what they read now besides their rows; nil where that is what it was. Errors: `QueryError`.
  package func followed() throws -> DynamicColumns? {
    let found = try store.run { reader in
      try columns.boundAgain(elements.map { $0.reader(of: ElementValues(), reader) } ?? reader)
    }
    return found.map { DynamicColumns(store: store, columns: $0, elements: elements) }
  }
}

extension DynamicStore {
  /// Binds expressions over the rows of results, in the names of a projection, that of the results if none is given.
  /// Variables are read now. Errors: `QueryError`.
  package func columns(
    _ columns: [ColumnSyntax], of results: DynamicResults,
    through projection: ProjectionDefinition? = nil, names: any QueryNames
  ) throws -> DynamicColumns {
    DynamicColumns(
      store: self,
      columns: try BoundColumns.bind(
        columns, root: results.classID, schema: schema, names: names, reader: session.reader,
        projection: projection ?? results.projection), elements: nil)
  }
}
