import Herald

extension Interpreter {
  func emit(_ line: OutputLine) {
    switch mode {
    case .text: TextRenderer.write(line, &output)
    case .json: JSONRenderer.write(line, &output)
    }
  }

  /// What was changed, said only at the prompt.
  func confirm(_ text: () -> String) {
    if options.isInteractive && mode == .text { emit(.confirmation(text())) }
  }

  func print(_ expressions: [Expression], _ context: Context) throws {
    emit(.values(try expressions.map { try output($0, context) }))
  }

  func show(_ expression: Expression, _ context: Context) throws {
    switch try output(expression, context) {
    case .list(let rows): emit(.table(rows))
    case let value: emit(.table([value]))
    }
  }

  func count(_ expression: Expression, _ context: Context) throws {
    let resolved = try resolve(expression, context)
    switch resolved {
    case .results(let results): emit(.count(try results.count))
    case .list(let list): emit(.count(list.count))
    case .values(let values): emit(.count(values.count))
    case .value, .object, .newObject:
      let what = context.source.text(expression.span)
      throw ShellError(
        .notACollection(what, found: resolved.kind), context.source, expression.span)
    }
  }

  private func output(_ expression: Expression, _ context: Context) throws -> OutputValue {
    let session = context.session
    switch try resolve(expression, context) {
    case .value(let value): return output(value, session)
    case .values(let values): return .list(values.map { output($0, session) })
    case .object(let object): return try output(object, session)
    case .newObject(let object): return try output(object, session)
    case .list(let list): return .list(try rows(list, session))
    case .results(let results):
      return .list(try results.objects.map { try output($0, session) })
    }
  }

  /// The elements of a list: whole objects where they are links.
  private func rows(_ list: List, _ session: Session) throws -> [OutputValue] {
    try list.values.map { value in
      guard case .link(let id) = value, let object = session.store?.object(id) else {
        return output(value, session)
      }
      return try output(object, session)
    }
  }

  /// A value with the name of the object that it links to.
  func output(_ value: Value, _ session: Session) -> OutputValue {
    guard case .link(let id) = value else { return .plain(value) }
    return session.store.map { .link($0.label(of: id)) } ?? .plain(.null)
  }

  private func output(_ object: Object, _ session: Session) throws -> OutputValue {
    let fields = try object.classSchema.properties.map { property in
      let value: OutputValue =
        switch property.type.shape {
        case .single: output(try object.value(property.name), session)
        case .list: .list(try object.list(property.name).values.map { output($0, session) })
        }
      return OutputValue.Field(name: property.name, value: value)
    }
    return .object(object.label, fields)
  }

  private func output(_ object: NewObject, _ session: Session) throws -> OutputValue {
    let schema = try store(of: session).schema.classSchema(named: object.className)
    let fields = try (schema?.properties ?? []).map { property in
      let value: OutputValue =
        switch try object.content(property.name) {
        case .value(let value): output(value, session)
        case .list(let values): .list(values.map { output($0, session) })
        }
      return OutputValue.Field(name: property.name, value: value)
    }
    return .object(ObjectLabel(className: object.className, key: .null), fields)
  }
}

// MARK: Lists of what there is

extension Interpreter {
  func showSchema(_ name: Name?, _ context: Context) throws {
    let schema = try store(context).schema
    var classes = schema.classes.filter(\.isDeclared)
    if let name {
      classes = classes.filter { $0.name == name.text }
      if classes.isEmpty {
        let nearest = nearestName(to: name.text, in: schema.classes.map(\.name))
        throw ShellError(
          .library(.unknownClass(name.text, nearest: nearest)), context.source, name.span)
      }
    }
    emit(.schema(classes.map { definition(of: $0, schema) }))
  }

  private func definition(of classSchema: ClassSchema, _ schema: Schema) -> ClassDefinition {
    ClassDefinition(
      name: classSchema.name,
      properties: classSchema.properties.map { property in
        let element: ClassDefinition.Property.Element =
          switch property.type.element {
          case .bool: .bool
          case .int: .int
          case .float: .float
          case .double: .double
          case .string: .string
          case .data: .data
          case .date: .date
          case .link(let target): .link(schema.classSchema(target)?.name ?? "")
          }
        return ClassDefinition.Property(
          name: property.name, element: element, shape: property.type.shape,
          isOptional: property.type.isOptional, isPrimaryKey: property.isPrimaryKey,
          isIndexed: property.isIndexed, defaultValue: property.defaultValue.map { .value($0) })
      })
  }

  func listTokens() {
    emit(
      .tokens(
        tokens.live.map {
          OutputLine.TokenDescription(
            name: $0.name, session: $0.session.name, subject: $0.subject)
        }))
  }

  func listSessions(_ context: Context) throws {
    _ = try store(of: main)
    emit(
      .sessions(
        sessions.compactMap { session in
          guard let store = session.store else { return nil }
          return OutputLine.SessionDescription(
            name: session.name, version: store.version, isCurrent: session === current,
            autorefreshes: store.autorefresh, isInWrite: store.isInWrite)
        }))
  }
}
