import Herald

extension Interpreter {
  /// Writes objects to a file that `import` reads, or to the output.
  func export(
    _ query: QuerySyntax, _ columns: [ColumnSyntax], to path: Name, as format: ExportFormat?,
    _ context: Context
  ) throws {
    guard let format = format ?? ExportFormat(path: path.text) else {
      throw ShellError(.unknownFormat(path.text), context.source, path.span)
    }
    let columns = columns.isEmpty ? try defaultColumns(of: query, context) : columns
    let rows: RowExport
    let what: String
    if columns.isEmpty {
      rows = try self.rows(objects(query, context), of: query.origin, format, context)
      what = "object"
    } else {
      rows = RowExport(try self.rows(query, columns, context), format)
      what = "row"
    }
    if path.text == "-" { return try emit(rows, context) }
    try writeFile(path, context) { file in
      if let line = rows.opening { try file.write(line + "\n") }
      for row in 0..<rows.count {
        try checkInterruption(context, query.span)
        try file.write(try rows.line(row) + "\n")
      }
      if let line = rows.closing { try file.write(line + "\n") }
    }
    confirm { "exported \(rows.count) \(what)\(rows.count == 1 ? "" : "s")" }
  }

  /// Shows objects as rows that `import` reads; returns false if the expression is something else.
  func showRows(
    _ expression: ExpressionSyntax, _ format: ExportFormat, _ context: Context
  ) throws -> Bool {
    let objects: [DynamicObject]
    switch try resolve(expression, context) {
    case .results(let results): objects = try results.objects
    case .object(let object): objects = [object]
    case .collection(let collection) where collection.property.type.linkedClass != nil:
      guard !collection.isMap else { return false }
      objects = try asking(context) { names in
        try collection.store.results(of: collection, nil, names: names).objects
      }
    case .collection, .value, .values, .elements, .newObject, .projection: return false
    }
    var origin: QuerySyntax.Origin?
    if case .query(let query) = expression.kind { origin = query.origin }
    try emit(self.rows(objects, of: origin, format, context), context)
    return true
  }

  private func rows(
    _ objects: [DynamicObject], of origin: QuerySyntax.Origin?, _ format: ExportFormat,
    _ context: Context
  ) throws -> RowExport {
    let store = try objects.first?.store ?? store(context)
    let classSchema = try classSchema(of: origin, objects, context)
    let text = ExportText(
      store: store, numbered: try linked(objects, of: classSchema, context))
    return RowExport(
      format: format, header: classSchema.map { text.header(of: $0) }, count: objects.count
    ) { row in
      format == .csv ? try text.row(objects[row]) : try text.object(objects[row])
    }
  }

  /// The class of the exported objects, known even if there are none.
  private func classSchema(
    of origin: QuerySyntax.Origin?, _ objects: [DynamicObject], _ context: Context
  ) throws -> ClassSchema? {
    if let first = objects.first { return try first.classSchema }
    guard case .className(let name)? = origin else { return nil }
    return try store(context).schema.classSchema(named: name.text)
  }

  /// The objects without a primary key that others link to, which are exported with their numbers.
  private func linked(
    _ objects: [DynamicObject], of classSchema: ClassSchema?, _ context: Context
  ) throws -> Set<ObjectID> {
    guard let store = objects.first?.store, let classSchema, classSchema.primaryKey == nil,
      !classSchema.isEmbedded
    else { return [] }
    let (tail, _) = try QueryParser.parseTail(Array("where @links.@count > 0".utf8), from: 0)
    let names = Names(self, scope(context), context.session, store, context.source)
    let linked = try store.results(classSchema.name, tail, names: names).objects.map(\.id)
    return Set(objects.map(\.id)).intersection(linked)
  }
}
