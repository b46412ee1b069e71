import Herald

extension Interpreter {
  func declare(_ syntax: ProjectionSyntax, _ context: Context) throws {
    let definition = ProjectionDefinition(
      name: syntax.name.text, className: syntax.className.text,
      fields: syntax.fields.map { (name: $0.name.text, path: $0.path.text) })
    try store(context).declare(definition)
    confirm { "projection \(syntax.name.text)" }
  }

  /// `Card of $max`.
  func projection(_ name: Name, _ query: Query, _ context: Context) throws -> Projection {
    let resolved = try resolve(query, context)
    let object: Object
    switch resolved {
    case .object(let resolved): object = resolved
    case .projection(let other): object = other.object
    case .newObject:
      throw ShellError(
        .library(.objectNotAdded(context.source.text(query.span))), context.source, query.span)
    case .value, .values, .collection, .results:
      let what = context.source.text(query.span)
      throw ShellError(.notAnObject(what, found: resolved.kind), context.source, query.span)
    }
    do {
      return try store(context).projection(name.text, of: object)
    } catch {
      throw placed(error, context.source, name.span)
    }
  }
}
