import Herald

/// The clauses after the braces of columns as clauses of the query itself, in which each name of a column is its expression:
/// so its rows can be observed at the cost of their changes, and kept under a name.
///
///     Dog { name, age * 7 as y } where y > 20 sort(y desc)     Dog where age * 7 > 20 sort(age * 7 desc)
struct ColumnClauses {
  let columns: [ColumnSyntax]
  let clauses: [QueryTail]

  var isEmpty: Bool { clauses.isEmpty }

  /// The clauses, each of which applies to what the one before it passes on.
  ///
  /// Errors: a clause that means another thing in a query than of a column, which the message names.
  func ofRows(_ context: Context) throws -> [QueryTail] {
    let mapping = PathMapping { path in try expression(path, context) }
    return try clauses.map { tail in
      try refuseTests(tail, context)
      return QueryTail(
        predicate: try tail.predicate.map { try mapping.predicate($0) },
        stages: try tail.stages.map { try mapping.stage($0) }, span: tail.span)
    }
  }

  /// The clauses of a query and these as those of one query.
  ///
  /// Errors: a condition after a clause that chooses rows, which the message names.
  func joined(after tail: QueryTail?, _ context: Context) throws -> QueryTail? {
    var joined = tail
    for tail in try ofRows(context) {
      guard let first = joined else {
        joined = tail
        continue
      }
      var predicate = first.predicate
      if let condition = tail.predicate {
        if let choice = first.stages.first(where: { $0.clause != .sort }) {
          throw context.failure(
            .clauseOfColumns(
              "where", reason: "it would follow '\(choice)'"),
            at: condition.span)
        }
        predicate =
          predicate.map { PredicateSyntax(.and([$0, condition]), condition.span) } ?? condition
      }
      joined = QueryTail(
        predicate: predicate, stages: first.stages + tail.stages, span: tail.span)
    }
    return joined
  }

  /// What a path in the names of the columns stands for: the longest beginning that is such a name, and what follows.
  private func expression(_ path: PathSyntax, _ context: Context) throws -> ExpressionSyntax.Kind {
    guard path.startsAtRoot else { return .path(path) }
    for length in path.steps.indices.reversed().map({ $0 + 1 }) {
      let name = PathSyntax(
        start: .root, startSpan: path.startSpan, steps: Array(path.steps.prefix(length)),
        span: path.span
      ).description
      guard let column = columns.first(where: { $0.name.text == name }) else { continue }
      let rest = path.steps.dropFirst(length)
      if rest.isEmpty { return column.expression.kind }
      guard case .path(var whole) = column.expression.kind else {
        throw context.failure(
          .clauseOfColumns(path.description, reason: "'\(name)' is computed"), at: path.span)
      }
      whole.steps.append(contentsOf: rest)
      return .path(whole)
    }
    throw context.failure(.unknownColumn(path.description, nearest: nearest(path)), at: path.span)
  }

  private func nearest(_ path: PathSyntax) -> String? {
    nearestName(to: path.description, in: columns.map(\.name.text))
  }

  /// Throws for a column that is not the same in a predicate: a test is no value there, and dividing by zero no error.
  private func refuseTests(_ tail: QueryTail, _ context: Context) throws {
    guard let predicate = tail.predicate else { return }
    for column in columns {
      guard let reason = column.expression.reasonAgainstCondition else { continue }
      let names = Mentions(of: column.name.text)
      _ = try names.mapping.predicate(predicate)
      if names.areThere {
        throw context.failure(
          .clauseOfColumns("where", reason: "'\(column.name.text)' \(reason)"), at: predicate.span)
      }
    }
  }
}

/// Finds whether a column is mentioned.
private final class Mentions {
  private let name: String
  private(set) var areThere = false

  init(of name: String) { self.name = name }

  var mapping: PathMapping {
    PathMapping { [self] path in
      let isMentioned =
        path.startsAtRoot && (path.description == name || path.description.hasPrefix(name + "."))
      areThere = areThere || isMentioned
      return .path(path)
    }
  }
}

extension ExpressionSyntax {
  /// Why a condition of a query cannot have the expression in place of a column; nil if it can.
  fileprivate var reasonAgainstCondition: String? {
    switch kind {
    case .test: return "is a condition"
    case .arithmetic(let first, let terms):
      let divides = terms.contains { term in
        guard term.operation == .divided || term.operation == .remainder else { return false }
        if case .literal(let value) = term.operand.kind { return value.isZero }
        return true
      }
      if divides { return "divides by what may be zero" }
      return ([first] + terms.map(\.operand)).lazy.compactMap(\.reasonAgainstCondition).first
    case .call(let call): return call.arguments.lazy.compactMap(\.reasonAgainstCondition).first
    case .fallback(let first, let other):
      return first.reasonAgainstCondition ?? other.reasonAgainstCondition
    case .literal, .list, .path, .subquery, .duration, .record, .generated, .query, .projection:
      return nil
    }
  }
}

extension Value {
  fileprivate var isZero: Bool { asDouble == 0 }
}

extension Context {
  /// A query, and the rows of it that the clauses after its columns pass on.
  func resolve(_ query: QuerySyntax, _ clauses: ColumnClauses) throws -> Resolved {
    if let found = try atVersion(of: query, { try $0.resolve($1, clauses) }) { return found }
    return try clauses.ofRows(self).reduce(try resolve(query)) { resolved, tail in
      try asking(at: resolved.store) { names in
        guard let rows = try resolved.narrowed(tail, names) else {
          throw notACollection(resolved, query.span)
        }
        return rows
      }
    }
  }
}
