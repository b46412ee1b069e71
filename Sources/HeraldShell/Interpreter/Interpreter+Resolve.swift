import Herald

extension Interpreter {
  /// What an expression leads to in the context's session.
  func resolve(_ expression: Expression, _ context: Context) throws -> Resolved {
    switch expression.kind {
    case .literal(let value): return .value(value)
    case .list(let elements): return .values(try elements.map { try value($0, context) })
    case .record(let record):
      throw ShellError(
        .notAvailable("an object inside another"), context.source, record.span)
    case .place(let place): return try resolve(place, context)
    case .query(let query): return try resolve(query, context)
    case .computed(let syntax):
      let operand = try asking(context) { names in
        try store(context).evaluate(syntax, names: names)
      }
      return try resolved(operand, context)
    }
  }

  private func resolved(_ operand: QueryOperand, _ context: Context) throws -> Resolved {
    switch operand {
    case .value(let value): return try element(value, context)
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
      return try asking(context) { names in
        try narrow(origin, tail, names, place, context)
      }
    }
  }

  private func narrow(
    _ origin: Resolved, _ tail: QueryTail, _ names: Names, _ place: Place, _ context: Context
  ) throws -> Resolved {
    switch origin {
    case .list(let list): return .results(try store(context).results(of: list, tail, names: names))
    case .results(let results):
      return .results(try store(context).results(of: results, tail, names: names))
    case .value, .values, .object, .newObject:
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
      case .list(let owner, let property):
        guard let object = store.object(owner) else {
          throw HeraldError.objectDeleted(name(of: store.label(of: owner)))
        }
        let list = try object.list(property)
        guard let tail = recipe.tail else { return .list(list) }
        return .results(try store.results(of: list, tail, names: names))
      case .recipe(let inner):
        switch try resolve(inner, session) {
        case .results(let results):
          return .results(try store.results(of: results, recipe.tail, names: names))
        case .list(let list):
          return .results(try store.results(of: list, recipe.tail, names: names))
        case .value, .values, .object, .newObject:
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

  /// Does `body` with the context's names; a variable that could not be used is the failure.
  func asking<R>(_ context: Context, _ body: (Names) throws -> R) throws -> R {
    let names = Names(self, scope(context), context.session, try store(context))
    return try asking(names) { try body(names) }
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
    try asking(context) { names in try store(context).test(predicate, names: names) }
  }
}

// MARK: Places

extension Interpreter {
  func resolve(_ place: Place, _ context: Context) throws -> Resolved {
    var reached = try resolve(place.base, context)
    var end = place.steps.first.map { max(place.span.start, $0.span.start - 1) } ?? place.span.end
    for step in place.steps {
      let before = SourceSpan(start: place.span.start, end: end)
      reached = try take(step, from: reached, before, context)
      end = step.span.end
    }
    return reached
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

  private func resolve(_ base: Place.Base, _ context: Context) throws -> Resolved {
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
    case .object(let id):
      if let object = try store(context).object(id) { return .object(object) }
      throw ShellError(
        .goneVariable(name.text, session: context.session.name), context.source, name.span)
    case .newObject(let object):
      if let added = object.added, let here = try store(context).object(added.id) {
        return .object(here)
      }
      return .newObject(object)
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

  private func take(
    _ step: Place.Step, from origin: Resolved, _ span: SourceSpan, _ context: Context
  ) throws -> Resolved {
    switch step {
    case .property(let name): return try property(name, of: origin, span, context)
    case .index(let index):
      let row = try row(index, context)
      do {
        switch origin {
        case .list(let list): return try element(try list[row], context)
        case .results(let results): return .object(try results[row])
        case .values(let values):
          guard values.indices.contains(row) else {
            throw HeraldError.rowOutOfRange(row, count: values.count)
          }
          return try element(values[row], context)
        case .value, .object, .newObject:
          throw ShellError(
            .notACollection(context.source.text(span), found: origin.kind), context.source, span)
        }
      } catch let error as HeraldError {
        throw ShellError(.library(error), context.source, index.span)
      }
    }
  }

  private func property(
    _ name: Name, of origin: Resolved, _ span: SourceSpan, _ context: Context
  ) throws -> Resolved {
    do {
      switch origin {
      case .object(let object):
        if try object.isList(name.text) { return .list(try object.list(name.text)) }
        return try element(try object.value(name.text), context)
      case .newObject(let object):
        switch try object.content(name.text) {
        case .value(let value): return try element(value, context)
        case .list(let values): return .values(values)
        }
      case .value(.null): return .value(.null)
      case .value, .values, .list, .results:
        let what = context.source.text(span)
        throw ShellError(.noPath(what, found: origin.kind), context.source, span)
      }
    } catch let error as HeraldError {
      throw ShellError(.library(error), context.source, name.span)
    }
  }

  /// A link is the object that it leads to.
  func element(_ value: Value, _ context: Context) throws -> Resolved {
    guard case .link(let id) = value else { return .value(value) }
    return try store(context).object(id).map { .object($0) } ?? .value(.null)
  }

  func row(_ expression: Expression, _ context: Context) throws -> Int {
    if case .value(.int(let row)) = try resolve(expression, context) { return row }
    let text = context.source.text(expression.span)
    throw ShellError(.notAnIndex(text), context.source, expression.span)
  }
}

extension Object {
  func isList(_ name: String) throws -> Bool {
    try classSchema.property(named: name)?.type.shape == .list
  }
}
