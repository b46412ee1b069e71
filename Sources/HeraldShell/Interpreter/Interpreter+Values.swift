import Herald

extension Interpreter {
  /// What a property is given.
  func content(_ expression: Expression, _ context: Context) throws -> PropertyContent {
    if case .literal(let value) = expression.kind { return .value(value) }
    switch try resolve(expression, context) {
    case .value(let value): return .value(value)
    case .values(let values): return .list(values)
    case .object(let object): return .value(.link(object.id))
    case .newObject(let object): return .value(try added(object, expression, context))
    case .list(let list): return .list(list.values)
    case .results(let results): return .list(try results.objects.map { .link($0.id) })
    }
  }

  func contents(_ record: Record, _ context: Context) throws -> [NamedContent] {
    var contents: [NamedContent] = []
    contents.reserveCapacity(record.entries.count)
    for entry in record.entries {
      if contents.contains(where: { $0.name == entry.name.text }) {
        throw ShellError(
          .duplicateEntry(entry.name.text), context.source, entry.name.span)
      }
      contents.append((entry.name.text, try content(entry.value, context)))
    }
    return contents
  }

  /// A single value; an object is a link to it.
  func value(_ expression: Expression, _ context: Context) throws -> Value {
    if case .literal(let value) = expression.kind { return value }
    let resolved = try resolve(expression, context)
    switch resolved {
    case .value(let value): return value
    case .object(let object): return .link(object.id)
    case .newObject(let object): return try added(object, expression, context)
    case .values, .list, .results:
      throw ShellError(
        .expected("a single value", found: resolved.kind), context.source, expression.span)
    }
  }

  private func added(
    _ object: NewObject, _ expression: Expression, _ context: Context
  ) throws -> Value {
    if let added = object.added { return .link(added.id) }
    let name = context.source.text(expression.span)
    throw ShellError(.library(.objectNotAdded(name)), context.source, expression.span)
  }

  /// What `let` keeps: an object or a way to a collection, not one session's view of it.
  func variable(_ expression: Expression, _ context: Context) throws -> Variable {
    let resolved = try resolve(expression, context)
    switch resolved {
    case .value(let value): return .value(value)
    case .values(let values): return .values(values)
    case .object(let object): return .object(object.id)
    case .newObject(let object): return .newObject(object)
    case .list(let list):
      return .collection(
        Recipe(
          origin: .list(owner: list.owner.id, property: list.property.name), tail: nil,
          source: context.source, span: expression.span, scope: scope(context)))
    case .results:
      switch expression.kind {
      case .query(let query): return .collection(try recipe(query, context))
      case .place(let place):
        if case .variable(let name) = place.base, place.steps.isEmpty,
          let variable = context.locals[name.text] ?? variables[name.text]
        {
          return variable
        }
        if case .query(let query) = place.base {
          return .collection(try recipe(query, context))
        }
      case .literal, .list, .record, .computed: break
      }
      throw ShellError(
        .expected("a value", found: resolved.kind), context.source, expression.span)
    }
  }

  func recipe(_ query: Query, _ context: Context) throws -> Recipe {
    let origin: Recipe.Origin
    switch query.origin {
    case .className(let name): origin = .className(name)
    case .place(let place):
      let expression = Expression(kind: .place(place), span: place.span)
      guard case .collection(let inner) = try variable(expression, context) else {
        throw ShellError(
          .notACollection(context.source.text(place.span), found: "a value"), context.source,
          place.span)
      }
      if query.tail == nil { return inner }
      origin = .recipe(inner)
    }
    return Recipe(
      origin: origin, tail: query.tail, source: context.source, span: query.span,
      scope: scope(context))
  }

  /// `Dog#3`, `Dog#"a"`: as it is typed.
  func name(of label: ObjectLabel) -> String { LiteralText.text(label) }
}
