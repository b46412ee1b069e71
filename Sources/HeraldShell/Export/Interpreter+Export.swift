import Herald

extension Interpreter {
  /// Writes objects to a file that `import` reads.
  func export(
    _ query: QuerySyntax, _ columns: [ColumnSyntax], to path: Name, _ context: Context
  ) throws {
    guard let format = ExportFormat(path: path.text) else {
      throw ShellError(.unknownFormat(path.text), context.source, path.span)
    }
    let columns = columns.isEmpty ? try defaultColumns(of: query, context) : columns
    if !columns.isEmpty {
      return try export(self.rows(query, columns, context), format, to: path, context)
    }
    let store = try store(context)
    let objects = try objects(query, context)
    let classSchema = try classSchema(of: query, objects, context)
    let text = ExportText(
      store: store, numbered: try linked(objects, of: classSchema, context))
    try writeFile(path, context) { file in
      switch format {
      case .array: try file.write(objects.isEmpty ? "[" : "[\n")
      case .lines: break
      case .csv: if let classSchema { try file.write(text.header(of: classSchema) + "\n") }
      }
      for (number, object) in objects.enumerated() {
        try checkInterruption(context, query.span)
        switch format {
        case .array:
          try file.write("  \(try text.object(object))\(number < objects.count - 1 ? "," : "")\n")
        case .lines: try file.write(try text.object(object) + "\n")
        case .csv: try file.write(try text.row(object) + "\n")
        }
      }
      if format == .array { try file.write("]\n") }
    }
    confirm { "exported \(objects.count) object\(objects.count == 1 ? "" : "s")" }
  }

  /// Writes the columns of rows.
  private func export(
    _ rows: ColumnRows, _ format: ExportFormat, to path: Name, _ context: Context
  ) throws {
    let text = ExportText(store: rows.columns.store)
    let count = rows.objects.count
    try writeFile(path, context) { file in
      switch format {
      case .array: try file.write(count == 0 ? "[" : "[\n")
      case .lines: break
      case .csv:
        try file.write(rows.names.map(\.csvField).joined(separator: ",") + "\n")
      }
      for row in 0..<count {
        try checkInterruption(context, path.span)
        let values = try rows.values(row)
        switch format {
        case .array:
          let object = try text.object(rows.names, values)
          try file.write("  \(object)\(row < count - 1 ? "," : "")\n")
        case .lines: try file.write(try text.object(rows.names, values) + "\n")
        case .csv:
          try file.write(try values.map(text.field).joined(separator: ",") + "\n")
        }
      }
      if format == .array { try file.write("]\n") }
    }
    confirm { "exported \(count) row\(count == 1 ? "" : "s")" }
  }

  /// The class of the exported objects, known even if there are none.
  private func classSchema(
    of query: QuerySyntax, _ objects: [DynamicObject], _ context: Context
  ) throws -> ClassSchema? {
    if let first = objects.first { return try first.classSchema }
    guard case .className(let name) = query.origin else { return nil }
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
