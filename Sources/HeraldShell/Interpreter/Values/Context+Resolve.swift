import Herald

extension Context {
  /// The result of an expression in the context's session.
  func resolve(_ expression: ExpressionSyntax) throws -> Resolved {
    switch expression.kind {
    case .literal(let value): return .value(value)
    case .list(let elements):
      return .values(try elements.map { try value($0, as: .any) })
    case .record(let record): return .value(.map(try entries(record, as: .any)))
    case .generated(let generated): return .value(try value(generated))
    case .projection(let name, let object):
      return .projection(try projection(name, object))
    case .path(let path) where path.isTarget: return try resolve(path)
    case .query(let query): return try resolve(query)
    case .test(let predicate):
      if let asked = versioned(predicate) { return try resolve(asked) }
      return .value(.bool(try test(predicate)))
    case .path, .arithmetic, .subquery, .call, .fallback, .duration:
      if case .path(let path) = expression.kind, let rows = try projectedRows(path) { return rows }
      return try asking { names in
        let operand = try names.store.evaluate(expression, names: names)
        return try resolved(operand, names.frozenStore ?? names.store)
      }
    }
  }

  /// `X in $f` as a query of a version, if `$f` holds one; else it is a test of membership.
  private func versioned(_ predicate: PredicateSyntax) -> ExpressionSyntax? {
    guard let (asked, name) = predicate.asVersioned,
      case .version? = scope[name.text], case .path(let path) = asked.kind
    else { return nil }
    return ExpressionSyntax(.path(path.evaluated(at: .frozen(name))), predicate.span)
  }

  private func resolved(_ operand: QueryOperand, _ store: DynamicStore) throws -> Resolved {
    switch operand {
    case .value(let value): return element(value, in: store)
    case .values(let values): return .values(values)
    case .objects(let classID, let numbers):
      return .values(numbers.map { .link(ObjectID(classID, $0)) })
    }
  }

  func resolve(_ query: QuerySyntax) throws -> Resolved {
    if let found = try atVersion(of: query, { try $0.resolve($1) }) { return found }
    switch query.origin {
    case .className(let name):
      return try locating(name.span) {
        try resolve(className: name, query.tail, scope, session, source)
      }
    case .path(let path):
      let origin = try resolve(path)
      guard let tail = query.tail else { return origin }
      return try asking(at: origin.store) { names in try narrow(origin, tail, names, path) }
    }
  }

  private func narrow(
    _ origin: Resolved, _ tail: QueryTail, _ names: Names, _ path: PathSyntax
  ) throws -> Resolved {
    if let rows = try narrowed(origin, tail, names) { return rows }
    switch origin {
    case .value, .values:
      if let nested = try nested(path) { return .elements(try nested.elements(tail, names: names)) }
      guard let values = origin.list else { throw notACollection(origin, path.span) }
      let what = source.text(path.span)
      return .values(try names.store.elements(of: values, named: what, tail, names: names))
    case .object, .newObject, .projection, .collection, .elements, .results:
      throw notACollection(origin, path.span)
    }
  }

  /// What clauses leave of a collection; nil for anything else.
  func narrowed(
    _ origin: Resolved, _ tail: QueryTail?, _ names: Names
  ) throws -> Resolved? {
    switch origin {
    case .collection(let collection) where collection.property.type.linkedClass == nil:
      .elements(try collection.elements(tail, names: names))
    case .elements(let elements): .elements(try elements.elements(tail, names: names))
    case .collection(let collection):
      .results(try collection.store.results(of: collection, tail, names: names))
    case .results(let results):
      .results(try results.store.results(of: results, tail, names: names))
    case .value, .values, .object, .newObject, .projection: nil
    }
  }

  /// The error that the expression at `span` is not a collection.
  func notACollection(_ found: Resolved, _ span: SourceSpan) -> ShellError {
    failure(.notACollection(source.text(span), found: found.kind), at: span)
  }

  func resolve(_ recipe: Recipe, _ session: ShellSession) throws -> Resolved {
    let store = try shell.store(of: session)
    if let observed = recipe.observed, observed.store === store { return .results(observed) }
    let names = Names(shell, recipe.scope, session, store, recipe.source)
    return try asking(names) {
      switch recipe.origin {
      case .className(let name):
        return try resolve(className: name, recipe.tail, recipe.scope, session, recipe.source)
      case .property(let owner, let property):
        guard let object = store.object(owner.id) else {
          throw HeraldError.objectDeleted(owner.name)
        }
        let collection = try object.collection(property)
        guard let tail = recipe.tail,
          let rows = try narrowed(.collection(collection), tail, names)
        else { return .collection(collection) }
        return rows
      case .recipe(let inner):
        guard let rows = try narrowed(resolve(inner, session), recipe.tail, names) else {
          throw Diagnostic.notACollection(recipe.source.text(recipe.span), found: "a value")
        }
        return rows
      }
    }
  }

  private func resolve(
    className: Name, _ tail: QueryTail?, _ scope: VariableScope, _ session: ShellSession,
    _ source: Source
  ) throws -> Resolved {
    let store = try shell.store(of: session)
    guard let tail else { return .results(try store.objects(className.text)) }
    let names = Names(shell, scope, session, store, source)
    return try asking(names) { .results(try store.results(className.text, tail, names: names)) }
  }

  /// Calls `body` with the context's names, for a query of `store` (nil: the session's); throws the error of
  /// a variable that could not be used.
  func asking<R>(at store: DynamicStore? = nil, _ body: (Names) throws -> R) throws -> R {
    try asking(of: store ?? self.store, allowsMissing: false, body)
  }

  /// Calls `body` with the names for a query of `store`.
  ///
  /// - Parameter allowsMissing: whether objects that are named by their keys need not exist.
  func asking<R>(
    of store: DynamicStore, allowsMissing: Bool, _ body: (Names) throws -> R
  ) throws -> R {
    let names = Names(shell, scope, session, store, source, allowsMissing: allowsMissing)
    return try asking(names) { try body(names) }
  }

  private func asking<R>(_ names: Names, _ body: () throws -> R) throws -> R {
    do {
      let answer = try body()
      if let failure = names.failure { throw failure }
      return answer
    } catch { throw names.failure ?? error }
  }

  func test(_ predicate: PredicateSyntax) throws -> Bool {
    try asking { names in try names.store.test(predicate, names: names) }
  }
}
