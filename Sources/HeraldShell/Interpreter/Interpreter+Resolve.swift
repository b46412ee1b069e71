import Herald

extension Interpreter {
  /// What an expression leads to in the context's session.
  func resolve(_ expression: Expression, _ context: Context) throws -> Resolved {
    switch expression.kind {
    case .literal(let value): return .value(value)
    case .list(let elements):
      return .values(try elements.map { try value($0, as: .any, context) })
    case .record(let record): return .value(.map(try entries(record, as: .any, context)))
    case .generated(let generated): return .value(value(generated))
    case .projection(let name, let object):
      return .projection(try projection(name, object, context))
    case .place(let place): return try resolve(place, context)
    case .query(let query): return try resolve(query, context)
    case .test(let predicate): return .value(.bool(try test(predicate, context)))
    case .computed(let syntax):
      return try asking(context) { names in
        try resolved(names.store.evaluate(syntax, names: names), names.store)
      }
    }
  }

  private func resolved(_ operand: QueryOperand, _ store: Store) throws -> Resolved {
    switch operand {
    case .value(let value): return element(value, in: store)
    case .values(let values): return .values(values)
    case .objects(let classID, let numbers):
      return .values(numbers.map { .link(ObjectID(classID, $0)) })
    }
  }

  func resolve(_ query: Query, _ context: Context) throws -> Resolved {
    switch query.origin {
    case .className(let name):
      do {
        return try resolve(className: name, query.tail, scope(context), context.session)
      } catch {
        throw placed(error, context.source, name.span)
      }
    case .place(let place):
      let origin = try resolve(place, context)
      guard let tail = query.tail else { return origin }
      return try asking(context, at: origin.store) { names in
        try narrow(origin, tail, names, place, context)
      }
    }
  }

  private func narrow(
    _ origin: Resolved, _ tail: QueryTail, _ names: Names, _ place: Place, _ context: Context
  ) throws -> Resolved {
    switch origin {
    case .collection(let collection):
      return .results(try collection.store.results(of: collection, tail, names: names))
    case .results(let results):
      return .results(try results.store.results(of: results, tail, names: names))
    case .value, .values, .object, .newObject, .projection:
      let what = context.source.text(place.span)
      throw ShellError(.notACollection(what, found: origin.kind), context.source, place.span)
    }
  }

  func resolve(_ recipe: Recipe, _ session: Session) throws -> Resolved {
    let store = try store(of: session)
    let names = Names(self, recipe.scope, session, store)
    return try asking(names) {
      switch recipe.origin {
      case .className(let name):
        return try resolve(className: name, recipe.tail, recipe.scope, session)
      case .property(let owner, let property):
        guard let object = store.object(owner.id) else {
          throw HeraldError.objectDeleted(owner.name)
        }
        let collection = try object.collection(property)
        guard let tail = recipe.tail else { return .collection(collection) }
        return .results(try store.results(of: collection, tail, names: names))
      case .recipe(let inner):
        switch try resolve(inner, session) {
        case .results(let results):
          return .results(try store.results(of: results, recipe.tail, names: names))
        case .collection(let collection):
          return .results(try store.results(of: collection, recipe.tail, names: names))
        case .value, .values, .object, .newObject, .projection:
          throw Complaint.notACollection(recipe.source.text(recipe.span), found: "a value")
        }
      }
    }
  }

  private func resolve(
    className: Name, _ tail: QueryTail?, _ scope: Scope, _ session: Session
  ) throws -> Resolved {
    let store = try store(of: session)
    guard let tail else { return .results(try store.objects(className.text)) }
    let names = Names(self, scope, session, store)
    return try asking(names) {
      .results(try store.results(className.text, tail, names: names))
    }
  }

  func scope(_ context: Context) -> Scope { Scope(shared: variables, local: context.locals) }

  /// Does `body` with the context's names, for a question to `store` (nil: the session's, or that of
  /// the frozen variables that are named); a variable that could not be used is the failure.
  func asking<R>(
    _ context: Context, at store: Store? = nil, _ body: (Names) throws -> R
  ) throws -> R {
    let asked = try store ?? self.store(context)
    let names = Names(self, scope(context), context.session, asked)
    do {
      return try asking(names) { try body(names) }
    } catch {
      guard store == nil, let frozenStore = names.frozenStore else { throw error }
      return try asking(context, at: frozenStore, body)
    }
  }

  private func asking<R>(_ names: Names, _ body: () throws -> R) throws -> R {
    do {
      let answer = try body()
      if let failure = names.failure { throw failure }
      return answer
    } catch {
      throw names.failure ?? error
    }
  }

  func test(_ predicate: PredicateSyntax, _ context: Context) throws -> Bool {
    try asking(context) { names in try names.store.test(predicate, names: names) }
  }
}

// MARK: Places

extension Interpreter {
  func resolve(_ place: Place, _ context: Context) throws -> Resolved {
    var reached = try resolve(base: place.base, context)
    var end = place.steps.first.map { max(place.span.start, $0.span.start - 1) } ?? place.span.end
    // The class that the link leads to which is nil here: a path from there has its names all the same.
    var missing: ClassSchema?
    for step in place.steps {
      let before = SourceSpan(start: place.span.start, end: end)
      let next = try take(step, from: reached, before, context)
      if case .value(.null) = next {
        missing = try target(of: step, from: reached, missing, context)
      } else {
        missing = nil
      }
      reached = next
      end = step.span.end
    }
    return reached
  }

  /// The class that a property of links, or of one that is nil, leads to.
  ///
  /// Errors: a name that the class of a nil link has not.
  private func target(
    of step: Place.Step, from origin: Resolved, _ missing: ClassSchema?, _ context: Context
  ) throws -> ClassSchema? {
    guard case .property(let name) = step else { return nil }
    let owner: ClassSchema
    switch (origin, missing) {
    case (.object(let object), _): owner = try object.classSchema
    case (.value(.null), let missing?): owner = missing
    case (_, _): return nil
    }
    guard let property = owner.property(named: name.text) else {
      let nearest = nearestName(to: name.text, in: owner.properties.map(\.name))
      throw ShellError(
        .library(.unknownProperty(name.text, className: owner.name, nearest: nearest)),
        context.source, name.span)
    }
    guard property.type.shape == .single, let target = property.type.target else { return nil }
    return try store(context).schema.classSchema(target)
  }

  /// What the place is a part of: everything but its last step.
  func resolveOwner(of place: Place, _ context: Context) throws -> Resolved {
    var owner = place
    let last = owner.steps.removeLast()
    owner.span.end = max(place.span.start, last.span.start - 1)
    let resolved = try resolve(owner, context)
    if case .value(.null) = resolved {
      throw ShellError(.nilLink(context.source.text(owner.span)), context.source, owner.span)
    }
    return resolved
  }

  func resolve(base: Place.Base, _ context: Context) throws -> Resolved {
    switch base {
    case .variable(let name): return try resolve(variable: name, context)
    case .query(let query): return try resolve(query, context)
    case .object(let className, let key):
      let value = try value(key, context)
      let span = SourceSpan(start: className.span.start, end: key.span.end)
      do {
        if let object = try store(context).object(className.text, key: value) {
          return .object(object)
        }
      } catch {
        throw placed(error, context.source, span)
      }
      throw ShellError(
        .library(.noSuchObject(context.source.text(span))), context.source, span)
    }
  }

  private func resolve(variable name: Name, _ context: Context) throws -> Resolved {
    guard let variable = context.locals[name.text] ?? variables[name.text] else {
      let nearest = nearestName(to: name.text, in: scope(context).names)
      throw ShellError(.unknownVariable(name.text, nearest: nearest), context.source, name.span)
    }
    switch variable {
    case .value(let value): return .value(value)
    case .values(let values): return .values(values)
    case .object(let held): return .object(try object(held, of: name, context))
    case .newObject(let object):
      if let added = object.added, let here = try store(context).object(added.id) {
        return .object(here)
      }
      return .newObject(object)
    case .projection(let projection, let held):
      let object = try object(held, of: name, context)
      return .projection(try store(context).projection(projection, of: object))
    case .frozen(let resolved): return resolved
    case .collection(let recipe):
      do {
        return try resolve(recipe, context.session)
      } catch let complaint as Complaint {
        throw ShellError(complaint, context.source, name.span)
      } catch let error as HeraldError {
        throw ShellError(.library(error), context.source, name.span)
      }
    }
  }

  private func object(
    _ held: HeldObject, of name: Name, _ context: Context
  ) throws -> Object {
    if let object = try store(context).object(held.id) { return object }
    throw ShellError(
      .goneVariable(name.text, of: held.name, session: context.session.name), context.source,
      name.span)
  }

  func take(
    _ step: Place.Step, from origin: Resolved, _ span: SourceSpan, _ context: Context
  ) throws -> Resolved {
    switch step {
    case .property(let name): return try property(name, of: origin, span, context)
    case .index(let index):
      do {
        return try element(index, of: origin, span, context)
      } catch let error as HeraldError {
        throw ShellError(.library(error), context.source, index.span)
      }
    }
  }

  /// `[2]`, `["a"]`.
  private func element(
    _ index: Expression, of origin: Resolved, _ span: SourceSpan, _ context: Context
  ) throws -> Resolved {
    switch origin {
    case .collection(let collection) where collection.isMap:
      return element(
        try collection.value(forKey: key(index, context)) ?? .null, in: collection.store)
    case .collection(let collection):
      return element(try collection[row(index, context)], in: collection.store)
    case .results(let results): return .object(try results[row(index, context)])
    case .values(let values), .value(.list(let values)):
      let row = try row(index, context)
      guard values.indices.contains(row) else {
        throw HeraldError.rowOutOfRange(row, count: values.count)
      }
      return try element(values[row], context)
    case .value(.map(let entries)):
      return try element(entries[key(index, context)] ?? .null, context)
    case .value, .object, .newObject, .projection:
      throw ShellError(
        .notACollection(context.source.text(span), found: origin.kind), context.source, span)
    }
  }

  private func property(
    _ name: Name, of origin: Resolved, _ span: SourceSpan, _ context: Context
  ) throws -> Resolved {
    do {
      switch origin {
      case .object(let object):
        if try object.isCollection(name.text) {
          return .collection(try object.collection(name.text))
        }
        return element(try object.value(name.text), in: object.store)
      case .newObject(let object):
        switch try object.content(name.text) {
        case .value(.link(let link)):
          if let inner = object.linked(link) { return .newObject(inner) }
          return try element(.link(link), context)
        case .value(let value): return .value(value)
        case .list(let values): return .values(values)
        case .map(let entries): return .value(.map(entries))
        }
      case .projection(let projection):
        if let collection = try projection.collection(name.text) { return .collection(collection) }
        return element(try projection.value(name.text), in: projection.store)
      case .collection(let collection) where collection.isMap:
        return element(collection.value(forKey: name.text) ?? .null, in: collection.store)
      case .value(.map(let entries)): return try element(entries[name.text] ?? .null, context)
      case .value(.null): return .value(.null)
      case .value, .values, .collection, .results:
        let what = context.source.text(span)
        throw ShellError(.noPath(what, found: origin.kind), context.source, span)
      }
    } catch let error as HeraldError {
      throw ShellError(.library(error), context.source, name.span)
    }
  }

  /// A link is the object that it leads to.
  func element(_ value: Value, _ context: Context) throws -> Resolved {
    guard case .link = value else { return .value(value) }
    return element(value, in: try store(context))
  }

  private func element(_ value: Value, in store: Store) -> Resolved {
    guard case .link(let id) = value else { return .value(value) }
    if let new = store.newObject(id) { return .newObject(new) }
    return store.object(id).map { .object($0) } ?? .value(.null)
  }

  func row(_ expression: Expression, _ context: Context) throws -> Int {
    if case .value(.int(let row)) = try resolve(expression, context) { return row }
    let text = context.source.text(expression.span)
    throw ShellError(.notAnIndex(text), context.source, expression.span)
  }

  /// The key of a map's entry.
  func key(_ expression: Expression, _ context: Context) throws -> String {
    if case .value(.string(let key)) = try resolve(expression, context) { return key }
    let text = context.source.text(expression.span)
    throw ShellError(.notAKey(text), context.source, expression.span)
  }
}
