import HeraldModel

extension ExpressionParser {
  /// Parses a value of a statement: a literal, a path, a query, a list, a record, or an operand of a query
  /// with arithmetic.
  package mutating func value() throws(QueryError) -> ExpressionSyntax {
    let token = try peek()
    switch token.kind {
    case .string, .number, .date, .symbol(.minus), .symbol(.plus): return try operandValue()
    case .symbol(.leftBracket): return try list()
    case .symbol(.leftBrace):
      let record = try record()
      return ExpressionSyntax(.record(record), record.span)
    case .symbol(.leftParenthesis): return try parenthesizedValue()
    case .word(let keyword): return try wordValue(token, keyword)
    case .variable: return try pathValue()
    case .symbol(.at) where rowOrigin != nil: return try operandValue()
    case .symbol, .other, .end:
      if rowOrigin != nil {
        try query { (parser) throws(QueryError) in parser.note(.operand(beside: nil)) }
      }
      throw try expected("a value")
    }
  }

  /// Parses an operand of a query, with arithmetic.
  private mutating func operandValue() throws(QueryError) -> ExpressionSyntax {
    let start = nextOffset()
    let first = try query { (parser) throws(QueryError) in
      let node = try parser.primary()
      return try parser.operand(node)
    }
    return try continued(first, from: start)
  }

  /// Parses the operators that may follow an operand, which begins at `start`.
  private mutating func continued(
    _ first: ExpressionSyntax, from start: Int
  ) throws(QueryError) -> ExpressionSyntax {
    var whole = beginsSuffixCall ? try measured(first, from: start) : first
    if continuesWithOperator() {
      if case .path(let path) = whole.kind { try checkSubscripts(of: path) }
      whole = try query { [whole] (parser) throws(QueryError) in
        try parser.arithmetic(after: whole)
      }
    }
    let span = SourceSpan(start: start, end: lastEnd)
    if case .path(let path) = whole.kind, path.acceptsVersion,
      let version = try version(allowsVariable: !maySucceedAsTest)
    {
      return ExpressionSyntax(
        .path(path.evaluated(at: version)), SourceSpan(start: start, end: lastEnd))
    }
    moveTo(span.end)
    return ExpressionSyntax(whole.kind, quantifier: whole.quantifier, span)
  }

  /// Whether an operator follows: neither an assignment such as `+=` nor the arrow of an expectation.
  private mutating func continuesWithOperator() -> Bool {
    let start = nextOffset()
    guard start < lexer.limit else { return false }
    let next = start + 1 < lexer.limit ? lexer.bytes[start + 1] : 0
    switch lexer.bytes[start] {
    case Byte.plus, Byte.star, Byte.slash, Byte.percent: return next != Byte.equals
    case Byte.minus: return next != Byte.equals && next != Byte.greater
    case Byte.question: return next == Byte.question
    default: return false
    }
  }

  private mutating func wordValue(
    _ token: QueryToken, _ keyword: QueryKeyword?
  ) throws(QueryError) -> ExpressionSyntax {
    let next = lexer.byte()
    if next == Byte.number { return try pathValue() }
    if let value = keyword?.value, keyword != .infinity, text(of: token) == keyword?.rawValue {
      let first = try literal(value)
      return try continued(first, from: token.span.start)
    }
    if next == Byte.openParenthesis, let literal = CallLiteral(rawValue: text(of: token)),
      try !isOfFunction(literal)
    {
      let called = try call(literal)
      guard case .literal(let value) = called.kind else { return called }
      return try continued(try measured(value, called.span), from: token.span.start)
    }
    let isMarked = try marksBase64()
    if next == Byte.openParenthesis || next == Byte.dot || isMarked { return try operandValue() }
    // An old store may have a class of such a name.
    if rowOrigin == nil, try !beginsQuery(), let generated = try generated() {
      return try continued(generated, from: token.span.start)
    }
    if rowOrigin != nil, try !beginsQuery() { return try operandValue() }
    let query = try querySyntax()
    if let (name, object) = try projected(query) {
      let span = SourceSpan(start: token.span.start, end: object.span.end)
      return ExpressionSyntax(.projection(name, of: object), span)
    }
    return ExpressionSyntax(.query(query), query.span)
  }

  /// Whether the arguments of a call, which begins here, are not only a literal: `decimal(price)`,
  /// `date(text, "dd.MM.yyyy")`.
  private mutating func isOfFunction(_ call: CallLiteral) throws(QueryError) -> Bool {
    guard try beginsCall() else { return false }
    var scout = self
    try scout.advance()
    try scout.advance()
    guard try scout.peek().kind == .string else { return true }
    try scout.advance()
    return try !scout.peeks(.rightParenthesis)
  }

  /// Whether the next word is followed by a clause, so that it is the name of a class and not of a property.
  private mutating func beginsQuery() throws(QueryError) -> Bool {
    var scout = self
    try scout.advance()
    let next = try scout.peek()
    guard case .word(let keyword) = next.kind else { return false }
    return keyword?.clause != nil || ["of", "at"].contains(scout.text(of: next))
  }

  /// Parses a path that begins with an object or a variable, with clauses or arithmetic.
  private mutating func pathValue() throws(QueryError) -> ExpressionSyntax {
    var path = try target()
    if lexer.byte() == Byte.dot || lexer.byte() == Byte.openBracket {
      try checkSubscripts(of: path)
      path.steps += try query { (parser) throws(QueryError) in try parser.steps(after: path) }
      path.span.end = lastEnd
      return try continued(ExpressionSyntax(.path(path), path.span), from: path.span.start)
    }
    if continuesWithOperator() {
      return try continued(ExpressionSyntax(.path(path), path.span), from: path.span.start)
    }
    let tail = try clauses(of: .path(path))
    let version = try version(allowsVariable: tail != nil || !maySucceedAsTest)
    if tail == nil, version == nil { return ExpressionSyntax(.path(path), path.span) }
    let span = SourceSpan(
      start: path.span.start, end: version == nil ? tail?.span.end ?? lastEnd : lastEnd)
    return ExpressionSyntax(
      .query(QuerySyntax(origin: .path(path), tail: tail, version: version, span: span)), span)
  }

  /// Parses `(Dog sort(name))[0]`, `($p.dogs where age > 3)`, or arithmetic in parentheses.
  private mutating func parenthesizedValue() throws(QueryError) -> ExpressionSyntax {
    let start = nextOffset()
    let inner = try nested { (parser) throws(QueryError) in
      try parser.advance()
      let inner = try parser.value()
      try parser.expect(.rightParenthesis)
      return inner
    }
    let span = SourceSpan(start: start, end: lastEnd)
    let origin: QuerySyntax
    switch inner.kind {
    case .query(let query): origin = query
    case .path(let path) where path.isTarget:
      if continuesWithOperator() { return try continued(inner, from: start) }
      moveTo(span.end)
      origin = QuerySyntax(origin: .path(path), tail: nil, span: path.span)
    case .path(let path) where path.startsAtRoot && path.steps.count == 1 && beginsOperation:
      let name = Name(text: path.steps[0].kind.text, span: path.span)
      origin = QuerySyntax(origin: .className(name), tail: nil, span: path.span)
    case .literal, .path, .arithmetic, .subquery, .call, .fallback, .duration:
      return try continued(try measured(inner, from: start), from: start)
    case .list, .record, .generated, .test:
      throw QueryError(.expected("a class or a collection", found: "a literal"), inner.span)
    case .projection: return inner
    }
    var path = try path(from: .query(origin), span)
    let isOperand = lexer.byte() == Byte.dot || lexer.byte() == Byte.openBracket
    if isOperand {
      try checkSubscripts(of: path)
      path.steps += try query { (parser) throws(QueryError) in try parser.steps(after: path) }
      path.span.end = lastEnd
    }
    if isOperand || !path.steps.isEmpty && continuesWithOperator() {
      return try continued(ExpressionSyntax(.path(path), path.span), from: start)
    }
    moveTo(path.span.end)
    return ExpressionSyntax(path.steps.isEmpty ? inner.kind : .path(path), path.span)
  }
}

extension ExpressionParser {
  /// Whether an operation on the rows of a query, or the choice of one, follows its parentheses.
  private var beginsOperation: Bool {
    lexer.byte() == Byte.openBracket || lexer.byte() == Byte.dot && lexer.byte(1) == Byte.at
  }
}

// MARK: Tests

extension ExpressionParser {
  /// Parses a value of a statement, or a predicate as a Boolean: `set $max.isPuppy = $max.age < 2`.
  ///
  /// A word or a bracket can begin either, with a different meaning. So a value that an operator follows is
  /// parsed again as a predicate, and so is a text that is not a value but may begin a predicate.
  package mutating func valueOrTest() throws(QueryError) -> ExpressionSyntax {
    let beginsWithWord = beginsWithTestWord
    if beginsWithWord, let test = attemptedTest() { return test }
    var scout = self
    scout.maySucceedAsTest = true
    var failure: QueryError?
    do throws(QueryError) {
      let value = try scout.value()
      guard scout.continuesAsTest() else {
        scout.maySucceedAsTest = maySucceedAsTest
        self = scout
        return value
      }
    } catch {
      guard beginsWithWord || beginsWithTestSign else { throw error }
      failure = error
    }
    do throws(QueryError) {
      return try test()
    } catch {
      throw failure ?? error
    }
  }

  private mutating func test() throws(QueryError) -> ExpressionSyntax {
    let start = nextOffset()
    let predicate = try predicate()
    return ExpressionSyntax(.test(predicate), SourceSpan(start: start, end: lastEnd))
  }

  /// Returns nil, without consuming tokens, if there is none here.
  private mutating func attemptedTest() -> ExpressionSyntax? {
    var scout = self
    guard let test = try? scout.test() else { return nil }
    self = scout
    return test
  }

  /// Whether an operator of a comparison or a connective follows a value. A single `=` assigns.
  private mutating func continuesAsTest() -> Bool {
    guard let token = try? peek() else { return false }
    switch token.kind {
    case .symbol(.and), .symbol(.or): return true
    // `print $x > "/tmp/x"` writes a file.
    case .symbol(.greater) where lexer.beginsPathInQuotes(after: token.span.end): return false
    case .symbol(let symbol):
      return symbol.comparesOperands
        && (lexer.bytes[token.span.start] != Byte.equals
          || lexer.begins(Byte.equals, at: token.span.start + 1))
    case .word(let keyword):
      guard let keyword else { return false }
      return keyword.isOperator || keyword == .and || keyword == .or
    case .variable, .string, .number, .date, .other, .end: return false
    }
  }

  private var beginsWithTestSign: Bool {
    var scout = self
    let first = scout.nextByte()
    return first == Byte.exclamation || first == Byte.openParenthesis
  }

  private var beginsWithTestWord: Bool {
    var scout = self
    return (try? scout.peekKeyword())?.beginsPredicate ?? false
  }
}
