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
    case .value(let value): return Resolved(value, in: store)
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
        try self.names(of: store).rows(of: name, query.tail)
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
    if let rows = try origin.narrowed(tail, names) { return rows }
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

  /// The error that the expression at `span` is not a collection.
  func notACollection(_ found: Resolved, _ span: SourceSpan) -> ShellError {
    failure(.notACollection(source.text(span), found: found.kind), at: span)
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
    let names = names(of: store, allowsMissing: allowsMissing)
    return try names.asking { try body(names) }
  }

  private func names(of store: DynamicStore, allowsMissing: Bool = false) -> Names {
    Names(shell, scope, session, store, source, allowsMissing: allowsMissing)
  }

  func test(_ predicate: PredicateSyntax) throws -> Bool {
    try asking { names in try names.store.test(predicate, names: names) }
  }
}
