/// Replaces the paths in an expression that begin at the object under evaluation, or with a variable that is not that of a
/// SUBQUERY around them.
package struct PathMapping {
  private let replaced: (PathSyntax) throws -> ExpressionSyntax.Kind
  /// Whether ANY, ALL and NONE are left before what replaces a path.
  package var keepsQuantifiers = true
  /// The variables of the SUBQUERYs around.
  private var own: Set<String> = []
  /// Whether the object under evaluation is another one.
  private var isOfOther = false

  package init(_ replaced: @escaping (PathSyntax) throws -> ExpressionSyntax.Kind) {
    self.replaced = replaced
  }

  private var ofOther: PathMapping {
    var mapping = self
    mapping.isOfOther = true
    return mapping
  }

  package func tail(_ tail: QueryTail) throws -> QueryTail {
    QueryTail(
      predicate: try tail.predicate.map { try ofOther.predicate($0) },
      stages: try tail.stages.map { try ofOther.stage($0) }, span: tail.span)
  }

  package func stage(_ stage: StageSyntax) throws -> StageSyntax {
    let content: StageSyntax.Content
    switch stage.content {
    case .count(let count): content = .count(try expression(count))
    case .keys(let keys):
      content = .keys(
        try keys.map { key in
          StageSyntax.SortKey(
            expression: try expression(key.expression), isAscending: key.isAscending)
        })
    case .expression(let key, let isAscending):
      content = .expression(
        ColumnSyntax(name: key.name, expression: try expression(key.expression)),
        isAscending: isAscending)
    }
    return StageSyntax(stage.clause, content, stage.span)
  }

  package func predicate(_ predicate: PredicateSyntax) throws -> PredicateSyntax {
    let kind: PredicateSyntax.Kind
    switch predicate.kind {
    case .constant: return predicate
    case .comparison(var comparison):
      comparison.left = try expression(comparison.left)
      comparison.right = try expression(comparison.right)
      kind = .comparison(comparison)
    case .between(let value, let range):
      kind = .between(try expression(value), try expression(range))
    case .condition(let value): kind = .condition(try expression(value))
    case .not(let inner): kind = .not(try self.predicate(inner))
    case .and(let parts): kind = .and(try parts.map { try self.predicate($0) })
    case .or(let parts): kind = .or(try parts.map { try self.predicate($0) })
    }
    return PredicateSyntax(kind, predicate.span)
  }

  package func expression(_ syntax: ExpressionSyntax) throws -> ExpressionSyntax {
    let kind: ExpressionSyntax.Kind
    switch syntax.kind {
    case .literal, .generated, .query, .projection, .duration: return syntax
    case .record(var record):
      for index in record.entries.indices {
        record.entries[index].value = try expression(record.entries[index].value)
      }
      kind = .record(record)
    case .list(let elements): kind = .list(try elements.map { try expression($0) })
    case .test(let predicate): kind = .test(try self.predicate(predicate))
    case .path(let path): kind = try self.path(path)
    case .arithmetic(let first, let terms):
      kind = .arithmetic(
        try expression(first),
        try terms.map {
          ExpressionSyntax.Term(operation: $0.operation, operand: try expression($0.operand))
        })
    case .call(var call):
      call.arguments = try call.arguments.map { try expression($0) }
      kind = .call(call)
    case .fallback(let first, let other):
      kind = .fallback(try expression(first), try expression(other))
    case .subquery(let path, let variable, let predicate):
      var inner = ofOther
      inner.own.insert(variable)
      var elements = path
      if case .path(let found) = try self.path(path) { elements = found }
      kind = .subquery(elements, variable: variable, try inner.predicate(predicate))
    }
    return ExpressionSyntax(
      kind, quantifier: keepsQuantifiers ? syntax.quantifier : nil, syntax.span)
  }

  private func path(_ path: PathSyntax) throws -> ExpressionSyntax.Kind {
    var changed = path
    switch path.start {
    case .query(var query):
      query.tail = try query.tail.map { try tail($0) }
      changed.start = .query(query)
      return .path(changed)
    case .object(let className, let key):
      changed.start = .object(className: className, key: try expression(key))
      return .path(changed)
    case .variable(let name): return own.contains(name) ? .path(path) : try replaced(path)
    case .root: return isOfOther ? .path(path) : try replaced(path)
    }
  }
}
