import Herald

extension StatementParser {
  /// `$max`, `$p.dogs[2]`, `Dog#3.age`, `(Dog sort(name))[0]`.
  mutating func place(_ what: String = "an object, a collection or a property")
    throws(ShellError) -> PathSyntax
  {
    let start = token.start
    let base: PathSyntax.Start
    if case .variable = token.kind {
      base = .variable(try variable().text)
    } else if case .word = token.kind, nextCharacter == "#" {
      base = try keyedObject()
    } else if isSign("(") {
      let opening = token
      advance()
      try enter(opening)
      defer { depth -= 1 }
      skipNewlines()
      base = .query(try query())
      skipNewlines()
      try take(sign: ")")
    } else {
      throw expected(what)
    }
    return try place(from: start, base: base)
  }

  private mutating func place(
    from start: Int, base: PathSyntax.Start
  ) throws(ShellError) -> PathSyntax {
    let span = SourceSpan(start: start, end: lastEnd)
    var path = PathSyntax(start: base, startSpan: span, span: span)
    let owner = notes?.owner
    defer { setOwner(owner) }
    while true {
      if isJoined("."), character(after: 1) != "@" {
        advance()
        setOwner(PropertyOwner(.step(path)))
        let name = try name("a property")
        path.steps.append(PathSyntax.Step(kind: .name(name.text), span: name.span))
      } else if isJoined("["), !isQueryIndex {
        let opening = token
        advance()
        try enter(opening)
        defer { depth -= 1 }
        note(.mapKey(path, source))
        path.steps.append(PathSyntax.Step(subscript: try expression()))
        try take(sign: "]")
      } else {
        break
      }
      path.span.end = lastEnd
    }
    return path
  }

  /// Whether the bracket contains a form that only the query language has: `[FIRST]`,
  /// `[LAST]`, `[SIZE]`, `[*]`.
  private var isQueryIndex: Bool {
    var scout = self
    scout.advance()
    guard scout.token.kind == .word || scout.isSign("*") else { return false }
    let word = scout.text.lowercased()
    scout.advance()
    return scout.isSign("]") && ["first", "last", "size", "*"].contains(word)
  }

  /// `Dog#3`, `Dog#"a"`, `Dog#-4`.
  private mutating func keyedObject() throws(ShellError) -> PathSyntax.Start {
    let className = try name("a class")
    advance()
    note(.key(className: className.text))
    if isSign("-") || token.kind == .number {
      let isNegative = takeIf(sign: "-")
      guard case .number = token.kind, let number = Int((isNegative ? "-" : "") + text) else {
        throw token.kind == .number
          ? failure(.numberTooLarge(text)) : expected("a key")
      }
      advance()
      return .object(className: className.text, key: .int(number))
    }
    if case .word = token.kind, let literal = try callLiteral(),
      case .literal(let key) = literal.kind
    {
      return .object(className: className.text, key: key)
    }
    guard case .string = token.kind else { throw expected("a key") }
    return .object(className: className.text, key: .string(try string()))
  }

  /// A class or a collection with its clauses.
  mutating func query() throws(ShellError) -> QuerySyntax {
    let start = token.start
    if case .word = token.kind, nextCharacter != "#" {
      let className = try name("a class")
      let tail = try tail(of: .className(className))
      return QuerySyntax(
        origin: .className(className), tail: tail,
        span: SourceSpan(start: start, end: tail?.span.end ?? className.span.end))
    }
    let place = try place("a class, an object or a collection")
    let tail = try tail(of: .place(place))
    return QuerySyntax(
      origin: .place(place), tail: tail,
      span: SourceSpan(start: start, end: tail?.span.end ?? place.span.end))
  }

  /// The object after the name of a projection, as in `Card of $max`; nil without `of`.
  mutating func projected(_ query: QuerySyntax) throws(ShellError) -> (
    name: Name, object: QuerySyntax
  )? {
    guard case .className(let name) = query.origin, query.tail == nil else { return nil }
    notes?.condition = .isProjection(name.text)
    defer { notes?.condition = nil }
    guard isWord("of") else { return nil }
    notes?.note(.keyword, token.span)
    advance()
    return (name, try self.query())
  }

  /// A place, a query or arithmetic that begins with a class, an object or a variable.
  mutating func placeOrQuery() throws(ShellError) -> ExpressionSyntax {
    let start = token.start
    if case .word = token.kind, nextCharacter != "#" {
      let query = try query()
      if let projected = try projected(query) {
        return ExpressionSyntax(
          .projection(projected.name, of: projected.object),
          SourceSpan(start: start, end: projected.object.span.end))
      }
      return ExpressionSyntax(.query(query), query.span)
    }
    let place = try place()
    if isOperator || isJoined(".") || isJoined("[") {
      return try computed(from: start)
    }
    guard let tail = try tail(of: .place(place)) else {
      return ExpressionSyntax(.path(place), place.span)
    }
    let span = SourceSpan(start: start, end: tail.span.end)
    return ExpressionSyntax(
      .query(QuerySyntax(origin: .place(place), tail: tail, span: span)), span)
  }

  /// `(Dog sort(name))[0]`, `($p.dogs where age > 3)`, or arithmetic in brackets.
  mutating func parenthesized() throws(ShellError) -> ExpressionSyntax {
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
    guard isSign(")") else {
      if isOperator { return try computed(from: start.start) }
      throw expected("')'")
    }
    advance()
    let origin: QuerySyntax
    switch inner.kind {
    case .query(let query): origin = query
    case .path(let place) where place.isPlace:
      origin = QuerySyntax(origin: .place(place), tail: nil, span: place.span)
    case .literal, .path, .arithmetic, .subquery: return try computed(from: start.start)
    case .list, .record, .generated, .test:
      throw failure(.expected("a class or a collection", found: "a literal"))
    case .projection: return inner
    }
    if isOperator { return try computed(from: start.start) }
    let place = try place(from: start.start, base: .query(origin))
    if place.steps.isEmpty { return ExpressionSyntax(inner.kind, place.span) }
    return ExpressionSyntax(.path(place), place.span)
  }
}
