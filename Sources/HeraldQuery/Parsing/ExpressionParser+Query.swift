extension ExpressionParser {
  /// Parses a target, a path that leads to what a statement may change: `$max`, `$p.dogs[2]`, `Dog#3.age`,
  /// `(Dog sort(name))[0]`.
  ///
  /// - Parameter what: what is expected, in the words of an error.
  package mutating func target(
    _ what: String = "an object, a collection or a property"
  ) throws(QueryError) -> PathSyntax {
    let token = nextPlainToken()
    switch token.kind {
    case .variable:
      moveTo(token.end)
      return try path(from: .variable(name(ofVariable: token.span)), token.span)
    case .word where lexer.begins(Byte.number, at: token.end):
      let (start, span) = try object(ofClass: token.span)
      return try path(from: start, span)
    case .sign where nextByte() == Byte.openParenthesis:
      let query = try nested { (parser) throws(QueryError) in
        try parser.advance()
        let query = try parser.querySyntax()
        try parser.expect(.rightParenthesis)
        return query
      }
      return try path(from: .query(query), SourceSpan(start: token.span.start, end: lastEnd))
    case .word, .string, .number, .sign, .newline, .end, .unterminated, .unknown:
      throw try expected(what)
    }
  }

  /// Parses the steps of a path of a statement after its start.
  mutating func path(
    from start: PathSyntax.Start, _ span: SourceSpan
  ) throws(QueryError) -> PathSyntax {
    var path = PathSyntax(start: start, startSpan: span, span: span)
    path.steps = try steps(after: path)
    path.span.end = lastEnd
    return path
  }

  /// Parses a class or a collection in a statement, with its clauses.
  package mutating func querySyntax() throws(QueryError) -> QuerySyntax {
    let token = nextPlainToken()
    let origin: QuerySyntax.Origin
    if token.kind == .word, !lexer.begins(Byte.number, at: token.end) {
      notes?.note(.className(lexer.text(token.span)), token.span)
      moveTo(token.end)
      origin = .className(Name(text: lexer.text(token.span), span: token.span))
    } else {
      origin = .path(try target("a class, an object or a collection"))
    }
    let end = lastEnd
    let tail = try clauses(of: origin)
    let version = try version(allowsVariable: true)
    return QuerySyntax(
      origin: origin, tail: tail, version: version,
      span: SourceSpan(
        start: token.span.start, end: version == nil ? tail?.span.end ?? end : lastEnd))
  }

  /// Parses `at 41`, `at -1`, `at "2026-11-22T10:00:00Z"`, or `in $f`; nil if none of them follows.
  package mutating func version(allowsVariable: Bool) throws(QueryError) -> VersionSyntax? {
    let end = lastEnd
    moveTo(end)
    note(word: "at")
    let word = nextPlainToken()
    guard word.kind == .word else { return nil }
    switch lexer.text(word.span).lowercased() {
    case "at":
      notes?.note(.keyword, word.span)
      moveTo(word.end)
      return .at(try value())
    case "in" where allowsVariable:
      moveTo(word.end)
      let variable = nextPlainToken()
      guard variable.kind == .variable else {
        moveTo(end)
        return nil
      }
      notes?.note(.keyword, word.span)
      moveTo(variable.end)
      return .frozen(Name(text: name(ofVariable: variable.span), span: variable.span))
    case _: return nil
    }
  }

  /// Parses a version that another operand may follow: `41`, `-1`, a time with or without quotes, `$v`.
  package mutating func versionNumber() throws(QueryError) -> ExpressionSyntax {
    let token = try peek()
    switch token.kind {
    case .string, .number, .date, .symbol(.minus):
      return try query { (parser) throws(QueryError) in
        let node = try parser.primary()
        return try parser.operand(node)
      }
    case .variable:
      let path = grammar == .query ? try pathSyntax() : try target("a version or a time")
      return ExpressionSyntax(.path(path), path.span)
    case .symbol(.leftParenthesis) where grammar == .statement: return try value()
    case .word where grammar == .statement: return try value()
    case .symbol, .word, .other, .end: throw try expected("a version or a time")
    }
  }

  /// Parses the clauses after a class or a collection in a statement; nil if there are none.
  mutating func clauses(of origin: QuerySyntax.Origin) throws(QueryError) -> QueryTail? {
    if isNoted {
      let condition = notes?.condition
      notes?.condition = .isCollection(
        QuerySyntax(origin: origin, tail: nil, span: SourceSpan(start: lastEnd, end: lastEnd)))
      for keyword in QueryKeyword.clauses { note(word: keyword.rawValue) }
      notes?.condition = condition
    }
    guard let first = nextByte(), ExpressionParser.initials.contains(first | 0x20),
      try peekKeyword()?.clause != nil
    else {
      moveTo(lastEnd)
      return nil
    }
    return try query(of: origin) { (parser) throws(QueryError) in try parser.tail() }
  }

  private static let initials = QueryKeyword.clauses.map { $0.rawValue.utf8.first ?? 0 }

  /// Parses `{ name, owner.name, age * 7 as dogYears }`, expressions over the rows of a query.
  package mutating func columns(
    of origin: QuerySyntax.Origin
  ) throws(QueryError) -> [ColumnSyntax] {
    var columns: [ColumnSyntax] = []
    try query(of: origin) { (parser) throws(QueryError) in
      _ = try parser.bracketed(by: Byte.openBrace) { (parser) throws(QueryError) in
        parser.notes?.queryContext.root?.given = columns.map(\.name.text)
        columns.append(try parser.column())
      }
    }
    return columns
  }

  /// Parses the clauses after the braces of columns of a query, in the names of these.
  package mutating func clauses(
    afterColumnsOf origin: QuerySyntax.Origin
  ) throws(QueryError) -> [QueryTail] {
    for keyword in QueryKeyword.clauses { note(word: keyword.rawValue) }
    guard let first = nextByte(), ExpressionParser.initials.contains(first | 0x20),
      try peekKeyword()?.clause != nil
    else {
      moveTo(lastEnd)
      return []
    }
    return try query(of: origin) { (parser) throws(QueryError) in
      try parser.clausesOfColumns(ofGroups: false)
    }
  }

  /// Parses an expression over the rows of a query, named by its text.
  mutating func unnamedColumn() throws(QueryError) -> ColumnSyntax {
    let start = nextOffset()
    let content = try disjunction()
    let span = SourceSpan(start: start, end: lastEnd)
    let name = Name(text: lexer.text(span), span: span)
    switch content {
    case .expression(let operand):
      if let fault = try foreignFault(after: operand) { throw QueryError(fault, try peek().span) }
      return ColumnSyntax(name: name, expression: operand)
    case .predicate(let predicate):
      return ColumnSyntax(name: name, expression: ExpressionSyntax(.test(predicate), span))
    }
  }

  mutating func column() throws(QueryError) -> ColumnSyntax {
    let column = try unnamedColumn()
    moveTo(lastEnd)
    note(ParserNotes.QueryExpectation.keyword("as"))
    let word = nextPlainToken()
    guard word.kind == .word, lexer.text(word.span) == "as" else { return column }
    notes?.note(.keyword, word.span)
    moveTo(word.end)
    return ColumnSyntax(name: try columnName(), expression: column.expression)
  }

  /// Parses the object after the name of a projection, as in `Card of $max`; nil without `of`.
  package mutating func projected(
    _ query: QuerySyntax
  ) throws(QueryError) -> (name: Name, object: QuerySyntax)? {
    guard case .className(let name) = query.origin, query.tail == nil else { return nil }
    let condition = notes?.condition
    notes?.condition = .isProjection(name.text)
    defer { notes?.condition = condition }
    note(word: "of")
    let token = nextPlainToken()
    guard token.kind == .word, lexer.text(token.span) == "of" else { return nil }
    notes?.note(.keyword, token.span)
    moveTo(token.end)
    notes?.condition = condition
    return (name, try querySyntax())
  }
}
