import Herald

extension Interpreter {
  /// Writes objects to a file that `import` reads.
  func export(_ query: Query, to path: Name, _ context: Context) throws {
    guard let format = ExportFormat(path: path.text) else {
      throw ShellError(.unknownFormat(path.text), context.source, path.span)
    }
    let store = try store(context)
    let objects = try objects(query, context)
    let text = ExportText(store: store)
    try writeFile(path, context) { file in
      switch format {
      case .array: try file.write(objects.isEmpty ? "[" : "[\n")
      case .lines: break
      case .csv: try file.write(try header(query, objects, text, context))
      }
      for (number, object) in objects.enumerated() {
        try checkInterruption(context, query.span)
        switch format {
        case .array:
          try file.write("  \(try text.object(object))\(number < objects.count - 1 ? "," : "")\n")
        case .lines: try file.write(try text.object(object) + "\n")
        case .csv:
          let fields = try text.properties(of: object.classSchema)
            .map { try text.field($0, object) }
          try file.write(fields.joined(separator: ",") + "\n")
        }
      }
      if format == .array { try file.write("]\n") }
    }
    confirm { "exported \(objects.count) object\(objects.count == 1 ? "" : "s")" }
  }

  /// The names of the columns, also where there are no rows.
  private func header(
    _ query: Query, _ objects: [Object], _ text: ExportText, _ context: Context
  ) throws -> String {
    let classSchema: ClassSchema?
    if let first = objects.first {
      classSchema = try first.classSchema
    } else if case .className(let name) = query.origin {
      classSchema = try store(context).schema.classSchema(named: name.text)
    } else {
      classSchema = nil
    }
    guard let classSchema else { return "" }
    let names = text.properties(of: classSchema).map(\.name.csvField)
    return names.joined(separator: ",") + "\n"
  }
}
