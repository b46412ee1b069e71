import Herald

/// The rows of a query with the columns that are shown of them.
struct ColumnRows {
  let names: [String]
  let objects: [DynamicObject]
  let columns: DynamicColumns

  /// The values of one row, in the order of the columns.
  func values(_ row: Int) throws -> [Value] { try columns.values(of: objects[row]) }
}

extension Interpreter {
  /// `show Dog { name, owner.name, age * 7 as dogYears }`
  func show(_ query: QuerySyntax, _ columns: [ColumnSyntax], _ context: Context) throws {
    let rows = try self.rows(query, columns, context)
    let limit = options.cutsTables && mode == .text ? options.window?()?.tableRows : nil
    let count = min(rows.objects.count, limit ?? .max)
    let shown = try (0..<count).map { row in
      if interruption.isRequested { throw HeraldError.interrupted }
      return OutputValue.row(try fields(rows.names, rows.values(row), context.session))
    }
    try context.session.store?.checkIntact()
    emit(.table(shown, more: rows.objects.count - count))
  }

  /// The rows of a query or of a collection, or one object.
  func rows(
    _ query: QuerySyntax, _ columns: [ColumnSyntax], _ context: Context
  ) throws -> ColumnRows {
    let resolved = try resolve(query, context)
    return try asking(context, at: resolved.store) { names in
      let results: DynamicResults
      let objects: [DynamicObject]
      switch resolved {
      case .results(let found):
        results = found
        objects = try found.objects
      case .collection(let collection):
        results = try collection.store.results(of: collection, nil, names: names)
        objects = try results.objects
      case .object(let object):
        results = try object.store.objects(object.classSchema.name)
        objects = [object]
      case .value, .values, .newObject, .elements, .projection:
        throw ShellError(
          .notACollection(context.source.text(query.span), found: resolved.kind),
          context.source, query.span)
      }
      return ColumnRows(
        names: columns.map(\.name.text), objects: objects,
        columns: try results.store.columns(columns, of: results, names: names))
    }
  }

  func fields(
    _ names: [String], _ values: [Value], _ session: ShellSession
  ) throws -> [OutputValue.Field] {
    try zip(names, values).map { name, value in
      OutputValue.Field(name: name, value: try member(value, session))
    }
  }
}
