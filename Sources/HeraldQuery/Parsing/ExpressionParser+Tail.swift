extension ExpressionParser {
  /// Parses `[where PREDICATE] { sort(…) | limit(…) | … }`.
  mutating func tail(ofGroups: Bool = false) throws(QueryError) -> QueryTail {
    let start = try peek().span.start
    var predicate: PredicateSyntax?
    if try take(.where) { predicate = try self.predicate() }
    var stages: [StageSyntax] = []
    while let stage = try stage(isOfGroups: ofGroups) { stages.append(stage) }
    let isEmpty = predicate == nil && stages.isEmpty
    let span = SourceSpan(start: isEmpty ? lastEnd : start, end: lastEnd)
    return QueryTail(predicate: predicate, stages: stages, span: span)
  }

  /// Parses the clauses after the braces of columns, which have the names of these; `where` may repeat.
  ///
  /// - Parameter ofGroups: whether the columns are those of groups, which have not all stages.
  mutating func clausesOfColumns(ofGroups: Bool) throws(QueryError) -> [QueryTail] {
    let root = notes?.queryContext.root
    notes?.queryContext.root = nil
    defer { notes?.queryContext.root = root }
    var clauses: [QueryTail] = []
    while true {
      let tail = try tail(ofGroups: ofGroups)
      if tail.isEmpty { return clauses }
      if ofGroups, let stage = tail.stages.first(where: { !$0.clause.isOfGroups }) {
        throw QueryError(.groupStage(stage.clause.rawValue), stage.span)
      }
      clauses.append(tail)
    }
  }

  /// - Parameter isOfGroups: whether stages that groups do not have are not offered.
  private mutating func stage(
    isOfGroups: Bool = false
  ) throws(QueryError) -> StageSyntax? {
    let start = try peek().span.start
    for clause in QueryKeyword.stages {
      guard let content = clause.clause,
        try take(clause, isOffered: !isOfGroups || clause.isOfGroups)
      else { continue }
      try checkParenthesis(after: clause)
      let parsed = try stage(clause, content)
      return StageSyntax(clause, parsed, SourceSpan(start: start, end: lastEnd))
    }
    return nil
  }

  private mutating func stage(
    _ clause: QueryKeyword, _ content: QueryKeyword.ClauseContent
  ) throws(QueryError) -> StageSyntax.Content {
    switch content {
    case .condition, .values:
      .keys(
        try parenthesizedList { (parser) throws(QueryError) in
          StageSyntax.SortKey(expression: try parser.keyExpression(), isAscending: true)
        })
    case .keys:
      .keys(try parenthesizedList { (parser) throws(QueryError) in try parser.sortKey() })
    case .count: .count(try rowCount(.clauseNeedsNumber(clause.rawValue)))
    }
  }

  /// Throws if a word or a number follows a clause where a parenthesis must: `sort by name desc`.
  private mutating func checkParenthesis(after clause: QueryKeyword) throws(QueryError) {
    let token = try peek()
    switch token.kind {
    case .word, .number, .variable: break
    case .string, .date, .symbol, .other, .end: return
    }
    var scout = self
    if text(of: token).lowercased() == "by" { try scout.advance() }
    let start = try scout.peek().span.start
    var end = start
    while let next = try? scout.peek(), next.kind != .end, next.kind != .symbol(.leftBrace) {
      if case .word(let keyword?) = next.kind, keyword.clause != nil, end > start { break }
      end = next.span.end
      guard (try? scout.advance()) != nil else { break }
    }
    let content = lexer.text(SourceSpan(start: start, end: max(start, end)))
    throw QueryError(
      .clauseNeedsParentheses(clause.rawValue, example: "\(clause.rawValue)(\(content))"),
      token.span)
  }

  /// Parses `(n)`, a number of rows.
  private mutating func rowCount(_ fault: QueryFault) throws(QueryError) -> ExpressionSyntax {
    try expect(.leftParenthesis)
    let token = try peek()
    let digits = lexer.bytes[token.span.start..<token.span.end]
    if token.kind == .number, !digits.allSatisfy(Byte.isDigit) {
      throw QueryError(fault, token.span)
    }
    if isNoted {
      // Neither a property nor another value of the row can be the number.
      notes?.expect(.expected("a number", of: nil))
      throw QueryError(fault, token.span)
    }
    let count = try operand()
    try expect(.rightParenthesis)
    return count
  }

  private mutating func sortKey() throws(QueryError) -> StageSyntax.SortKey {
    let key = try keyExpression()
    let isAscending = try direction()
    if isAscending == nil, case .word = try peek().kind { throw try expected("'asc' or 'desc'") }
    return StageSyntax.SortKey(expression: key, isAscending: isAscending ?? true)
  }

  /// Parses an expression of the row. A word that begins conditions is the name of a property where none can follow:
  /// `sort(all desc)`.
  private mutating func keyExpression() throws(QueryError) -> ExpressionSyntax {
    guard case .word(let keyword?) = try peek().kind, keyword.beginsPredicate else {
      return try unnamedColumn().expression
    }
    var scout = self
    try scout.advance()
    switch try scout.peek().kind {
    case .word(.asc), .word(.ascending), .word(.desc), .word(.descending), .symbol(.comma),
      .symbol(.rightParenthesis), .symbol(.plus), .symbol(.minus), .symbol(.star), .symbol(.slash),
      .symbol(.percent):
      let path = try pathSyntax()
      return try arithmetic(after: ExpressionSyntax(.path(path), path.span))
    case .word, .variable, .string, .number, .date, .symbol, .other, .end:
      return try unnamedColumn().expression
    }
  }

  /// Parses `asc` or `desc`; nil if neither is there.
  mutating func direction() throws(QueryError) -> Bool? {
    switch try peekKeyword() {
    case .asc, .ascending, .desc, .descending:
      let isAscending = try peekKeyword().map { $0 == .asc || $0 == .ascending }
      try noteKeyword()
      try advance()
      return isAscending
    case _:
      note(.asc)
      note(.desc)
      return nil
    }
  }
}
