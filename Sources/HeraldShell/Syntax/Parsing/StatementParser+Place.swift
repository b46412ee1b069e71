import Herald

extension StatementParser {
  /// `$max`, `$p.dogs[2]`, `Dog#3.age`, `(Dog sort(name))[0]`.
  mutating func place(_ what: String = "an object, a collection or a property")
    throws(ShellError) -> PathExpression
  {
    let start = token.start
    let base: PathExpression.Base
    if token.kind == .variable {
      base = .variable(try variable())
    } else if token.kind == .word, byte(after: token.end - token.start) == Byte.number {
      base = try keyedObject()
    } else if isSign(Byte.openParenthesis) {
      let opening = token
      advance()
      try enter(opening)
      defer { depth -= 1 }
      skipNewlines()
      base = .query(try query())
      skipNewlines()
      try take(Byte.closeParenthesis, "')'")
    } else {
      throw expected(what)
    }
    return try place(from: start, base: base)
  }

  private mutating func place(from start: Int, base: PathExpression.Base) throws(ShellError)
    -> PathExpression
  {
    var steps: [PathExpression.Step] = []
    var end = lastEnd
    let owner = notes?.owner
    defer { setOwner(owner) }
    while true {
      if isJoined(Byte.dot), byte(after: 1) != Byte.at {
        advance()
        setOwner(
          PropertyOwner(
            .step(
              PathExpression(base: base, steps: steps, span: SourceSpan(start: start, end: end)))))
        steps.append(.property(try name("a property")))
      } else if isJoined(Byte.openBracket), !isQueryIndex {
        let opening = token
        advance()
        try enter(opening)
        defer { depth -= 1 }
        note(
          .mapKey(
            PathExpression(base: base, steps: steps, span: SourceSpan(start: start, end: end)),
            source))
        steps.append(.index(try expression()))
        try take(Byte.closeBracket, "']'")
      } else {
        break
      }
      end = lastEnd
    }
    return PathExpression(base: base, steps: steps, span: SourceSpan(start: start, end: end))
  }

  /// Whether the bracket contains a form that only the query language has: `[FIRST]`,
  /// `[LAST]`, `[SIZE]`, `[*]`.
  private var isQueryIndex: Bool {
    var scout = self
    scout.advance()
    guard scout.token.kind == .word || scout.isSign(Byte.star) else { return false }
    let word = scout.text.lowercased()
    scout.advance()
    return scout.isSign(Byte.closeBracket) && ["first", "last", "size", "*"].contains(word)
  }

  /// `Dog#3`, `Dog#"a"`, `Dog#-4`.
  private mutating func keyedObject() throws(ShellError) -> PathExpression.Base {
    let className = try name("a class")
    advance()
    note(.key(className: className.text))
    let start = token.start
    if isSign(Byte.minus) || token.kind == .number {
      let isNegative = takeIf(sign: Byte.minus)
      guard token.kind == .number, let number = Int((isNegative ? "-" : "") + text) else {
        throw token.kind == .number
          ? failure(.numberTooLarge(text)) : expected("a key")
      }
      let end = token.end
      advance()
      let key = Expression(
        kind: .literal(.int(number)), span: SourceSpan(start: start, end: end))
      return .object(className: className, key: key)
    }
    if token.kind == .word, let key = try callLiteral() {
      return .object(className: className, key: key)
    }
    guard token.kind == .string else { throw expected("a key") }
    let span = token.span
    let key = Expression(kind: .literal(.string(try string())), span: span)
    return .object(className: className, key: key)
  }

  /// A class or a collection with its clauses.
  mutating func query() throws(ShellError) -> Query {
    let start = token.start
    if token.kind == .word, byte(after: token.end - token.start) != Byte.number {
      let className = try name("a class")
      let tail = try tail(of: .className(className))
      return Query(
        origin: .className(className), tail: tail,
        span: SourceSpan(start: start, end: tail?.span.end ?? className.span.end))
    }
    let place = try place("a class, an object or a collection")
    let tail = try tail(of: .place(place))
    return Query(
      origin: .place(place), tail: tail,
      span: SourceSpan(start: start, end: tail?.span.end ?? place.span.end))
  }

  /// The object after the name of a projection, as in `Card of $max`; nil without `of`.
  mutating func projected(_ query: Query) throws(ShellError) -> (name: Name, object: Query)? {
    guard case .className(let name) = query.origin, query.tail == nil else { return nil }
    notes?.condition = .isProjection(name.text)
    defer { notes?.condition = nil }
    guard isWord("of") else { return nil }
    notes?.note(.keyword, token.span)
    advance()
    return (name, try self.query())
  }

  /// A place, a query or arithmetic that begins with a class, an object or a variable.
  mutating func placeOrQuery() throws(ShellError) -> Expression {
    let start = token.start
    if token.kind == .word, byte(after: token.end - token.start) != Byte.number {
      let query = try query()
      if let projected = try projected(query) {
        return Expression(
          kind: .projection(projected.name, of: projected.object),
          span: SourceSpan(start: start, end: projected.object.span.end))
      }
      return Expression(kind: .query(query), span: query.span)
    }
    let place = try place()
    if isOperator || isJoined(Byte.dot) || isJoined(Byte.openBracket) {
      return try computed(from: start)
    }
    guard let tail = try tail(of: .place(place)) else {
      return Expression(kind: .place(place), span: place.span)
    }
    let span = SourceSpan(start: start, end: tail.span.end)
    return Expression(
      kind: .query(Query(origin: .place(place), tail: tail, span: span)), span: span)
  }

  /// `(Dog sort(name))[0]`, `($p.dogs where age > 3)`, or arithmetic in brackets.
  mutating func parenthesized() throws(ShellError) -> Expression {
    let start = token
    advance()
    try enter(start)
    let outer = spansLines
    spansLines = true
    defer {
      depth -= 1
      spansLines = outer
    }
    skipNewlines()
    let inner = try expression()
    skipNewlines()
    spansLines = outer
    guard isSign(Byte.closeParenthesis) else {
      if isOperator { return try computed(from: start.start) }
      throw expected("')'")
    }
    advance()
    let origin: Query
    switch inner.kind {
    case .query(let query): origin = query
    case .place(let place): origin = Query(origin: .place(place), tail: nil, span: place.span)
    case .literal, .computed: return try computed(from: start.start)
    case .list, .record, .generated, .test:
      throw failure(.expected("a class or a collection", found: "a literal"))
    case .projection: return inner
    }
    if isOperator { return try computed(from: start.start) }
    let place = try place(from: start.start, base: .query(origin))
    if place.steps.isEmpty { return Expression(kind: inner.kind, span: place.span) }
    return Expression(kind: .place(place), span: place.span)
  }
}
