import HeraldModel

extension ExpressionParser {
  /// Parses an operand with arithmetic; throws if it is a condition in parentheses.
  mutating func operand() throws(QueryError) -> ExpressionSyntax {
    let node = try fallback()
    return try operand(node)
  }

  /// Parses `A ?? B`, whose first part may be a condition in parentheses if there is no second.
  mutating func fallback() throws(QueryError) -> ParsedNode {
    let first = try sum()
    return try fallback(after: first)
  }

  private mutating func fallback(after first: ParsedNode) throws(QueryError) -> ParsedNode {
    guard case .expression(var left) = first else { return first }
    var count = 0
    while try take(.fallback) {
      count += 1
      guard count < ExpressionParser.nestingLimit else {
        throw QueryError(.tooDeep(limit: ExpressionParser.nestingLimit), try peek().span)
      }
      let node = try sum()
      let right = try operand(node)
      left = ExpressionSyntax(.fallback(left, right), left.span.through(right.span))
    }
    return .expression(left)
  }

  func operand(_ node: ParsedNode) throws(QueryError) -> ExpressionSyntax {
    switch node {
    case .expression(let expression): return expression
    case .predicate(let predicate):
      throw QueryError(.expected("a value", found: "a condition"), predicate.span)
    }
  }

  mutating func sum() throws(QueryError) -> ParsedNode {
    let first = try product()
    return try sum(after: first)
  }

  private mutating func product() throws(QueryError) -> ParsedNode {
    let first = try primary()
    return try product(after: first)
  }

  /// Parses the operators that continue an operand.
  mutating func arithmetic(after first: ExpressionSyntax) throws(QueryError) -> ExpressionSyntax {
    let product = try product(after: .expression(first))
    let sum = try sum(after: product)
    let whole = try fallback(after: sum)
    return try operand(whole)
  }

  private mutating func sum(after first: ParsedNode) throws(QueryError) -> ParsedNode {
    try chain(first, [.plus, .minus]) { (parser) throws(QueryError) in try parser.product() }
  }

  private mutating func product(after first: ParsedNode) throws(QueryError) -> ParsedNode {
    try chain(first, [.star, .slash, .percent]) { (parser) throws(QueryError) in
      try parser.primary()
    }
  }

  /// Parses operands joined by operators of one precedence, left-associative.
  private mutating func chain(
    _ first: ParsedNode, _ symbols: [QuerySymbol],
    _ next: (inout ExpressionParser) throws(QueryError) -> ParsedNode
  ) throws(QueryError) -> ParsedNode {
    guard case .expression(let left) = first else { return first }
    var terms: [ExpressionSyntax.Term] = []
    while case .symbol(let symbol) = try peek().kind, symbols.contains(symbol),
      let operation = Arithmetic(rawValue: symbol.rawValue)
    {
      try advance()
      let node = try next(&self)
      terms.append(ExpressionSyntax.Term(operation: operation, operand: try operand(node)))
    }
    return terms.isEmpty ? first : .expression(left.followed(by: terms))
  }

  mutating func primary() throws(QueryError) -> ParsedNode {
    let token = try peek()
    switch token.kind {
    case .symbol(.leftParenthesis):
      if opensQuery(at: token.span.start) { return .expression(try queryPath()) }
      let node = try nested { (parser) throws(QueryError) in
        try parser.advance()
        let node = try parser.disjunction()
        try parser.expect(.rightParenthesis)
        return node
      }
      guard case .expression(let inner) = node else { return node }
      return .expression(try measured(inner, from: token.span.start))
    case .symbol(.leftBrace), .symbol(.leftBracket): return .expression(try list())
    case .symbol(.minus), .symbol(.plus): return .expression(try signedNumber())
    case .symbol(.at): return .expression(try measuredPath())
    case .symbol, .other, .end:
      note(.operand(beside: notes?.beside))
      throw try expected("a value or a property")
    case .number:
      try advance()
      if let duration = try duration(token.span) { return .expression(duration) }
      return .expression(try number(token.span))
    case .string:
      let literal = try measured(.string(try string()), token.span)
      return .expression(try measured(literal, from: token.span.start))
    case .date(let date):
      try advance()
      return .expression(try measured(.date(date), token.span))
    case .variable: return .expression(try measuredPath())
    case .word(let keyword): return .expression(try wordOperand(keyword))
    }
  }

  private mutating func measuredPath() throws(QueryError) -> ExpressionSyntax {
    let path = try path()
    return try measured(path, from: path.span.start)
  }

  /// Whether a query in parentheses begins here: an operation or the choice of a row follows its end.
  private func opensQuery(at start: Int) -> Bool {
    guard
      let end = BracketScanner.endOfBlock(lexer.bytes, from: start, to: lexer.limit),
      end + 2 < lexer.limit
    else { return false }
    let next = (lexer.bytes[end + 1], lexer.bytes[end + 2])
    return next == (Byte.dot, Byte.at) || next.0 == Byte.openBracket
  }

  /// Parses `(Dog where age > 3).@count`, `($p.dogs sort(name))[0].age`.
  private mutating func queryPath() throws(QueryError) -> ExpressionSyntax {
    let start = try advance().span
    let query = try queryInOperand { (parser) throws(QueryError) in try parser.querySyntax() }
    try expect(.rightParenthesis)
    let span = SourceSpan(start: start.start, end: lastEnd)
    var path = PathSyntax(start: .query(query), startSpan: span, span: span)
    path.steps = try steps(after: path)
    path.span.end = lastEnd
    return try measured(ExpressionSyntax(.path(path), path.span), from: start.start)
  }

  private mutating func wordOperand(_ keyword: QueryKeyword?) throws(QueryError) -> ExpressionSyntax
  {
    if try marksBase64() { return try markedBase64() }
    if try beginsCall() { return try functionCall() }
    guard let keyword else {
      if let generated = try generated() { return generated }
      return try measuredPath()
    }
    if let value = keyword.value {
      try noteKeyword()
      return try literal(value)
    }
    if try nextIsProperty() { return try measuredPath() }
    if let quantifier = keyword.quantifier {
      return try beforeOperand() ? try quantified(quantifier) : try measuredPath()
    }
    // All other keywords are names where an operand is required.
    guard keyword.isCall, try opensParenthesis() else { return try measuredPath() }
    if keyword == .subquery { return try subquery() }
    guard let call = CallLiteral(keyword) else { return try objectCall() }
    return try self.call(call)
  }

  /// Parses `inTransaction` or `version`; nil if neither is there, or if it is the name of a property.
  mutating func generated() throws(QueryError) -> ExpressionSyntax? {
    guard grammar == .statement || isWithoutRoot, case .word = try peek().kind,
      let word = GeneratedValue(rawValue: text(of: try peek())),
      GeneratedValue.words.contains(word), lexer.byte() != Byte.dot, lexer.byte() != Byte.number
    else { return nil }
    try noteKeyword()
    return ExpressionSyntax(.generated(word), try advance().span)
  }

  /// Whether the token after the next word can begin an operand, so that the word is a quantifier.
  private mutating func beforeOperand() throws(QueryError) -> Bool {
    switch try tokenAfterNext().kind {
    case .word(let keyword): keyword != .and && keyword != .or
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

  /// Parses `SUBQUERY(path, $variable, predicate).@count`.
  private mutating func subquery() throws(QueryError) -> ExpressionSyntax {
    try nested { (parser) throws(QueryError) in
      let start = try parser.advance().span
      try parser.expect(.leftParenthesis)
      let path = try parser.pathSyntax()
      try parser.expect(.comma)
      let token = try parser.peek()
      guard token.kind == .variable else { throw try parser.expected("a variable") }
      let variable = parser.name(ofVariable: token.span)
      try parser.advance()
      try parser.expect(.comma)
      parser.notes?.enclosing.append(ParserNotes.Element(name: variable, path: path))
      defer { parser.notes?.enclosing.removeLast() }
      let predicate = try parser.withRoot { (parser) throws(QueryError) in
        try parser.predicate()
      }
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
