import HeraldModel

extension PredicateParser {
  mutating func expression() throws(QueryError) -> ExpressionSyntax { try operand() }

  /// Parses an operand with arithmetic; throws if it is a condition in parentheses.
  mutating func operand() throws(QueryError) -> ExpressionSyntax {
    let node = try sum()
    return try operand(node)
  }

  private mutating func operand(_ node: ParsedNode) throws(QueryError) -> ExpressionSyntax {
    switch node {
    case .expression(let expression): return expression
    case .predicate(let predicate):
      throw QueryError(.expected("a value", found: "a condition"), predicate.span)
    }
  }

  mutating func sum() throws(QueryError) -> ParsedNode {
    try chain(operators: [.plus, .minus]) { (parser) throws(QueryError) in try parser.product() }
  }

  private mutating func product() throws(QueryError) -> ParsedNode {
    try chain(operators: [.star, .slash]) { (parser) throws(QueryError) in try parser.primary() }
  }

  /// Parses operands joined by operators of one precedence, left-associative.
  private mutating func chain(
    operators: [QuerySymbol], _ next: (inout PredicateParser) throws(QueryError) -> ParsedNode
  ) throws(QueryError) -> ParsedNode {
    let first = try next(&self)
    guard case .expression(let left) = first else { return first }
    var terms: [ExpressionSyntax.Term] = []
    while case .symbol(let symbol) = try peek().kind, operators.contains(symbol),
      let operation = Arithmetic(rawValue: symbol.rawValue)
    {
      try advance()
      let node = try next(&self)
      terms.append(ExpressionSyntax.Term(operation: operation, operand: try operand(node)))
    }
    return .expression(left.followed(by: terms))
  }

  private mutating func primary() throws(QueryError) -> ParsedNode {
    let token = try peek()
    switch token.kind {
    case .symbol(.leftParenthesis):
      return try nested { (parser) throws(QueryError) in
        try parser.advance()
        let node = try parser.disjunction()
        try parser.expect(.rightParenthesis)
        return node
      }
    case .symbol(.leftBrace), .symbol(.leftBracket): return .expression(try list())
    case .symbol(.minus), .symbol(.plus): return .expression(try signedNumber())
    case .symbol(.at): return .expression(try path())
    case .symbol, .other, .end:
      note(.operand(beside: notes?.beside))
      throw try expected("a value or a property")
    case .number:
      try advance()
      return .expression(try number(token.span))
    case .string(let text):
      try advance()
      return .expression(ExpressionSyntax(.literal(.string(text)), token.span))
    case .date(let date):
      try advance()
      return .expression(ExpressionSyntax(.literal(.date(date)), token.span))
    case .variable: return .expression(try path())
    case .word(let word): return .expression(try wordOperand(word))
    }
  }

  private mutating func wordOperand(_ word: String) throws(QueryError) -> ExpressionSyntax {
    if try marksBase64() { return try markedBase64() }
    guard let keyword = QueryKeyword(word: word), try !nextIsProperty() || keyword.isLiteral
    else { return try path() }
    switch keyword {
    case .any, .some: return try beforeOperand() ? try quantified(.any) : try path()
    case .all: return try beforeOperand() ? try quantified(.all) : try path()
    case .none: return try beforeOperand() ? try quantified(.none) : try path()
    case .true: return try literal(.bool(true))
    case .false: return try literal(.bool(false))
    case .nil, .null: return try literal(.null)
    case .inf, .infinity: return try literal(.double(.infinity))
    case .nan: return try literal(.double(.nan))
    case .subquery: return try opensParenthesis() ? try subquery() : try path()
    case .binary: return try opensParenthesis() ? try binary() : try path()
    case .obj: return try opensParenthesis() ? try object() : try path()
    case .uuid, .oid:
      let start = try peek().span.start
      guard let value = try identifier(keyword) else { return try path() }
      return ExpressionSyntax(.literal(value), SourceSpan(start: start, end: lastEnd))
    // These words are keywords elsewhere; where an operand is required, they are names.
    case .and, .or, .not, .in, .between, .beginswith, .endswith, .contains, .like, .truepredicate,
      .falsepredicate, .where, .sort, .distinct, .limit, .asc, .ascending, .desc, .descending:
      return try path()
    }
  }

  /// Whether the token after the next word can begin an operand, so that the word is a quantifier.
  private mutating func beforeOperand() throws(QueryError) -> Bool {
    switch try tokenAfterNext().kind {
    case .word(let word): QueryKeyword(word: word).map { $0 != .and && $0 != .or } ?? true
    case .symbol(let symbol): symbol.opensBracket || symbol == .at
    case .variable: true
    case .string, .number, .date, .other: false
    // For completion, the operand may still be typed.
    case .end: notes != nil
    }
  }

  private mutating func opensParenthesis() throws(QueryError) -> Bool {
    try tokenAfterNext().kind == .symbol(.leftParenthesis)
  }

  private mutating func literal(_ value: Value) throws(QueryError) -> ExpressionSyntax {
    try noteKeyword()
    return ExpressionSyntax(.literal(value), try advance().span)
  }

  private mutating func quantified(_ quantifier: Quantifier) throws(QueryError) -> ExpressionSyntax
  {
    try noteKeyword()
    let start = try advance().span
    if notes != nil, try peek().kind == .end {
      note(.collection)
      throw try expected("a collection")
    }
    let node = try nested { (parser) throws(QueryError) in try parser.primary() }
    let inner = try operand(node)
    guard inner.quantifier == nil else {
      throw QueryError(
        .expected("a collection", found: "'\(lexer.text(inner.span))'"), inner.span)
    }
    return ExpressionSyntax(inner.kind, quantifier: quantifier, start.through(inner.span))
  }

  /// Parses `{a, b}` or `[a, b]`.
  private mutating func list() throws(QueryError) -> ExpressionSyntax {
    try nested { (parser) throws(QueryError) in
      let opening = try parser.advance()
      let closing: QuerySymbol =
        opening.kind == .symbol(.leftBrace) ? .rightBrace : .rightBracket
      var elements: [ExpressionSyntax] = []
      if try !parser.peeks(closing) {
        repeat { elements.append(try parser.operand()) } while try parser.take(.comma)
      }
      try parser.expect(closing)
      let span = SourceSpan(start: opening.span.start, end: parser.lastEnd)
      return ExpressionSyntax(.list(elements), span)
    }
  }

  /// Parses `SUBQUERY(path, $variable, predicate).@count`.
  private mutating func subquery() throws(QueryError) -> ExpressionSyntax {
    try nested { (parser) throws(QueryError) in
      let start = try parser.advance().span
      try parser.expect(.leftParenthesis)
      let path = try parser.pathSyntax()
      try parser.expect(.comma)
      guard case .variable(let variable) = try parser.peek().kind else {
        throw try parser.expected("a variable")
      }
      try parser.advance()
      try parser.expect(.comma)
      parser.notes?.enclosing.append(QueryNotes.Element(name: variable, path: path))
      defer { parser.notes?.enclosing.removeLast() }
      let predicate = try parser.predicate()
      try parser.expect(.rightParenthesis)
      let steps = try parser.steps(after: nil)
      let end = SourceSpan(start: start.start, end: parser.lastEnd)
      if let other = steps.first(where: { !$0.isCount }) {
        throw QueryError(.subqueryCountOnly, other.span)
      }
      guard steps.count == 1 else { throw try parser.expected("'.@count' after SUBQUERY(…)") }
      return ExpressionSyntax(.subquery(path, variable: variable, predicate), end)
    }
  }
}

extension ExpressionSyntax {
  /// Returns the arithmetic extended by terms; parentheses around its beginning are redundant.
  fileprivate func followed(by terms: [Term]) -> ExpressionSyntax {
    guard let last = terms.last else { return self }
    let whole = span.through(last.operand.span)
    if case .arithmetic(let first, let before) = kind, quantifier == nil,
      before[0].operation.bindsTightly == last.operation.bindsTightly
    {
      return ExpressionSyntax(.arithmetic(first, before + terms), whole)
    }
    return ExpressionSyntax(.arithmetic(self, terms), whole)
  }
}

extension QueryKeyword {
  /// Whether the word is a value even if an operator follows it.
  fileprivate var isLiteral: Bool {
    switch self {
    case .true, .false, .nil, .null, .inf, .infinity, .nan: true
    case .and, .or, .not, .any, .some, .all, .none, .in, .between, .beginswith, .endswith,
      .contains, .like, .truepredicate, .falsepredicate, .where, .sort, .distinct, .limit, .asc,
      .ascending, .desc, .descending, .subquery, .binary, .uuid, .oid, .obj:
      false
    }
  }
}
