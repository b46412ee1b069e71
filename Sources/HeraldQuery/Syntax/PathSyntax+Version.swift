/// Paths at an earlier version.
extension PathSyntax {
  /// Whether a version may follow the path: it begins with a name, and has none yet.
  var acceptsVersion: Bool {
    switch start {
    case .variable, .object: true
    case .query(let query): query.version == nil
    case .root: if case .name? = steps.first?.kind { true } else { false }
    }
  }

  /// The path from the same start at a version: `$p.dogs.@count at 4` is `($p at 4).dogs.@count`.
  package func evaluated(at version: VersionSyntax) -> PathSyntax {
    var path = self
    switch start {
    case .variable, .object:
      let origin = PathSyntax(start: start, startSpan: startSpan, span: startSpan)
      path.start = .query(
        QuerySyntax(origin: .path(origin), tail: nil, version: version, span: startSpan))
    case .query(var query):
      query.version = query.version ?? version
      path.start = .query(query)
    case .root:
      guard let first = steps.first, case .name(let name) = first.kind else { return self }
      path.start = .query(
        QuerySyntax(
          origin: .className(Name(text: name, span: first.span)), tail: nil, version: version,
          span: first.span))
      path.startSpan = first.span
      path.steps.removeFirst()
    }
    return path
  }
}

extension PathSyntax {
  /// The path without the version of the query at its start, and that version; nil if it has none.
  var asOfPresent: (PathSyntax, VersionSyntax)? {
    guard case .query(var query) = start, let version = query.version else { return nil }
    query.version = nil
    var path = self
    if case .path(let origin) = query.origin, query.tail == nil {
      path.start = origin.start
      path.startSpan = origin.startSpan
      path.steps = origin.steps + steps
    } else {
      path.start = .query(query)
    }
    return (path, version)
  }
}

extension PredicateSyntax {
  /// `X in $f`, which is X at a version if `$f` holds one: X, and the name of the variable.
  package var asVersioned: (ExpressionSyntax, Name)? {
    guard case .comparison(let comparison) = kind, comparison.isMembership, !comparison.foldsCase,
      comparison.left.quantifier == nil, comparison.right.quantifier == nil,
      case .path(let path) = comparison.left.kind, path.acceptsVersion,
      case .path(let last) = comparison.right.kind, let name = last.variable
    else { return nil }
    return (comparison.left, Name(text: name, span: last.span))
  }
}
