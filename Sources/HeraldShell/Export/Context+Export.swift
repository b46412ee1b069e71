import Herald

extension Context {
  /// Writes objects to a file that `import` reads, or to the output.
  func export(
    _ query: QuerySyntax, _ columns: [ColumnSyntax], to path: Name, as format: ExportFormat?
  ) throws {
    let format = try self.format(format, of: path)
    let columns = columns.isEmpty ? try defaultColumns(of: query) : columns
    let rows: RowExport
    let what: String
    if !columns.isEmpty {
      rows = RowExport(try self.rows(query, columns), format)
      what = "row"
    } else {
      let resolved = try resolve(query)
      if case .results(let results) = resolved,
        let projected = try self.rows(projectedBy: results, format)
      {
        rows = projected
        what = "row"
      } else if let values = try self.rows(ofValues: resolved, format) {
        rows = values
        what = "value"
      } else {
        rows = try self.rows(objects(query), of: query.origin, format)
        what = "object"
      }
    }
    try write(rows, what, query.span, to: path)
  }

  /// Writes the groups' rows.
  func export(_ syntax: GroupSyntax, to path: Name, as format: ExportFormat?) throws {
    let format = try self.format(format, of: path)
    let groups = try groups(syntax)
    let values = try groups.rows
    let rows = RowExport(
      groups.names, ExportText(store: groups.store), format, count: values.count
    ) { values[$0] }
    try write(rows, "group", syntax.query.span, to: path)
  }

  /// The format that a statement names, or that the name of its file means.
  private func format(_ format: ExportFormat?, of path: Name) throws -> ExportFormat {
    if let format = format ?? ExportFormat(path: path.text) { return format }
    throw ShellError(.unknownFormat(path.text), source, path.span)
  }

  private func write(_ rows: RowExport, _ what: String, _ span: SourceSpan, to path: Name) throws {
    if path.text == "-" { return try emit(rows) }
    try writeFile(path) { file in
      if let line = rows.opening { try file.write(line + "\n") }
      var line: [UInt8] = []
      for row in 0..<rows.count {
        try checkInterruption(span)
        if row % Self.releaseInterval == 0 { session.store?.releaseMemory() }
        line.removeAll(keepingCapacity: true)
        try rows.append(row, to: &line)
        line.append(Byte.newline)
        try file.write(line)
      }
      if let line = rows.closing { try file.write(line + "\n") }
    }
    confirm { "exported \(rows.count) \(what)\(rows.count == 1 ? "" : "s")" }
  }

  /// Shows objects as rows that `import` reads; returns false if the expression is something else.
  func showRows(_ expression: ExpressionSyntax, _ format: ExportFormat) throws -> Bool {
    let objects: [DynamicObject]
    let resolved = try resolve(expression)
    if let rows = try self.rows(ofValues: resolved, format) {
      try emit(rows)
      return true
    }
    switch resolved {
    case .results(let results):
      if let rows = try self.rows(projectedBy: results, format) {
        try emit(rows)
        return true
      }
      objects = try results.objects
    case .object(let object): objects = [object]
    case .collection(let collection) where collection.property.type.linkedClass != nil:
      guard !collection.isMap else { return false }
      objects = try asking { names in
        try collection.store.results(of: collection, nil, names: names).objects
      }
    case .collection, .value, .values, .elements, .newObject, .projection: return false
    }
    var origin: QuerySyntax.Origin?
    if case .query(let query) = expression.kind { origin = query.origin }
    try emit(self.rows(objects, of: origin, format))
    return true
  }

  /// The rows of results of a projection, with its fields; nil for others.
  private func rows(
    projectedBy results: DynamicResults, _ format: ExportFormat
  ) throws -> RowExport? {
    guard let projection = results.projection else { return nil }
    let objects = try results.objects
    return RowExport(
      projection.fields.map(\.name), ExportText(store: results.store), format,
      count: objects.count
    ) { row in
      guard let seen = try results.projected(objects[row]) else { return [] }
      return try seen.names.map { name in
        try seen.collection(name)?.value ?? seen.value(name)
      }
    }
  }

  /// The rows of a collection of values: a column `value`, and of a map `key` before it; nil for anything else.
  private func rows(ofValues resolved: Resolved, _ format: ExportFormat) throws -> RowExport? {
    var keys: [String]?
    let values: [Value]
    switch resolved {
    case .elements(let elements): values = try elements.values
    case .collection(let collection) where collection.property.type.linkedClass == nil:
      keys = collection.isMap ? collection.keys : nil
      values = collection.values
    case .value(.map(let entries)):
      keys = entries.inKeyOrder.map(\.key)
      values = entries.inKeyOrder.map(\.value)
    case .values, .value(.list):
      values = resolved.list ?? []
      if values.contains(where: \.leadsToObjects) { return nil }
    case .value, .object, .newObject, .collection, .results, .projection: return nil
    }
    let text = ExportText(store: try resolved.store ?? store)
    let names = (keys == nil ? [] : ["key"]) + ["value"]
    return RowExport(names, text, format, count: values.count) { row in
      (keys.map { [.string($0[row])] } ?? []) + [values[row]]
    }
  }

  private func rows(
    _ objects: [DynamicObject], of origin: QuerySyntax.Origin?, _ format: ExportFormat
  ) throws -> RowExport {
    let store = try objects.first?.store ?? self.store
    let classSchema = try classSchema(of: origin, objects)
    let text = ExportText(store: store, numbered: try linked(objects, of: classSchema))
    let columns = classSchema.map { ExportText.Columns($0) }
    return RowExport(
      format: format, header: classSchema.map { text.header(of: $0) }, count: objects.count
    ) { row, line in
      guard let columns else { return }
      if format == .csv {
        try text.append(objects[row], columns, to: &line)
      } else {
        try text.append(asJSON: objects[row], columns, to: &line)
      }
    }
  }

  /// The class of the exported objects, known even if there are none.
  private func classSchema(
    of origin: QuerySyntax.Origin?, _ objects: [DynamicObject]
  ) throws -> ClassSchema? {
    if let first = objects.first { return try first.classSchema }
    guard case .className(let name)? = origin else { return nil }
    return try store.schema.classSchema(named: name.text)
  }

  /// The objects without a primary key that others link to, which are exported with their numbers.
  private func linked(
    _ objects: [DynamicObject], of classSchema: ClassSchema?
  ) throws -> Set<ObjectID> {
    guard let store = objects.first?.store, let classSchema, classSchema.primaryKey == nil,
      !classSchema.isEmbedded
    else { return [] }
    let (tail, _) = try QueryParser.parseTail(Array("where @links.@count > 0".utf8), from: 0)
    let names = Names(shell, scope, session, store, source)
    let linked = try store.results(classSchema.name, tail, names: names).objects.map(\.id)
    if linked.isEmpty { return [] }
    return Set(linked).intersection(objects.map(\.id))
  }
}
