import HeraldModel

extension PredicateParser {
  mutating func path() throws(QueryError) -> ExpressionSyntax {
    let path = try pathSyntax()
    return ExpressionSyntax(.path(path), path.span)
  }

  /// Parses `owner.dogs[0].name`, `$max.age`, `Dog#3.name`, `@links.Dog.owner.name`. A path contains
  /// white space only within brackets.
  mutating func pathSyntax() throws(QueryError) -> PathSyntax {
    let token = try peek()
    var path = PathSyntax(start: .root, startSpan: token.span, steps: [], span: token.span)
    switch token.kind {
    case .variable(let name):
      try advance()
      path.start = .variable(name)
    case .word(let word):
      try advance()
      if lexer.byte() == Byte.number, !Byte.isBlank(lexer.byte(1)), lexer.byte(1) != Byte.newline {
        path.start = .object(className: word, key: try objectKey(of: word))
        path.startSpan.end = lastEnd
      } else {
        path.steps.append(PathSyntax.Step(kind: .name(word), span: token.span))
      }
    case .symbol(.at): path.steps.append(try atStep(after: path))
    case .symbol, .string, .number, .date, .other, .end:
      note(.path)
      throw try expected("a property")
    }
    path.steps += try steps(after: path)
    path.span.end = lastEnd
    return path
  }

  /// Parses `obj("Dog", 3)`, another notation for `Dog#3`.
  mutating func object() throws(QueryError) -> ExpressionSyntax {
    let start = try advance().span
    try expect(.leftParenthesis)
    guard case .string(let className) = try peek().kind else {
      throw try expected("the name of a class in quotes")
    }
    try advance()
    try expect(.comma)
    let key = try operand()
    guard case .literal(let value) = key.kind else {
      throw QueryError(.expected("a key", found: "'\(key)'"), key.span)
    }
    try expect(.rightParenthesis)
    let span = SourceSpan(start: start.start, end: lastEnd)
    var path = PathSyntax(
      start: .object(className: className, key: value), startSpan: span, steps: [], span: span)
    path.steps = try steps(after: path)
    path.span.end = lastEnd
    return ExpressionSyntax(.path(path), path.span)
  }

  /// Parses `#3`, `#-4`, `#"key"`, `#uuid("…")` or `#oid("…")`, directly after a class.
  private mutating func objectKey(of className: String) throws(QueryError) -> Value {
    moveTo(lastEnd + 1)
    let token = try peek()
    if token.kind == .end { note(.key(className: className)) }
    switch token.kind {
    case .string(let text):
      try advance()
      return .string(text)
    case .number, .symbol(.minus):
      let start = try advance().span
      let digits = token.kind == .number ? start : try advance().span
      // A dot after the digits begins the path: `Dog#3.name`.
      var end = digits.start
      while end < digits.end, Byte.isDigit(lexer.bytes[end]) { end += 1 }
      moveTo(end)
      let span = SourceSpan(start: start.start, end: end)
      guard end > digits.start, let key = Int(lexer.text(span)) else {
        throw QueryError(.numberTooLarge(lexer.text(span)), span)
      }
      return .int(key)
    case .word(let word):
      guard let keyword = QueryKeyword(word: word), keyword == .uuid || keyword == .oid,
        let key = try identifier(keyword)
      else { throw try expected("a key") }
      return key
    case .variable, .date, .symbol, .other, .end: throw try expected("a key")
    }
  }

  /// Parses the steps that follow directly: `.name`, `.@count`, `[0]`.
  ///
  /// - Parameter path: the path before them; nil if only an operation may follow.
  mutating func steps(after path: PathSyntax?) throws(QueryError) -> [PathSyntax.Step] {
    var steps: [PathSyntax.Step] = []
    func before() -> PathSyntax? { path.map { $0.appending(steps) } }
    while true {
      guard steps.count <= PredicateParser.nestingLimit else {
        throw QueryError(
          .tooDeep(limit: PredicateParser.nestingLimit), SourceSpan(start: lastEnd, end: lastEnd))
      }
      if lexer.byte() == Byte.openBracket {
        steps.append(try bracketStep(after: before()))
      } else if lexer.byte() == Byte.dot {
        moveTo(lastEnd + 1)
        steps.append(
          lexer.byte() == Byte.at
            ? try atStep(after: before()) : try nameStep(after: before()))
      } else {
        return steps
      }
    }
  }

  private mutating func nameStep(
    after path: @autoclosure () -> PathSyntax?
  ) throws(QueryError) -> PathSyntax.Step {
    let start = lastEnd
    let name = lexer.name()
    guard !name.isEmpty else {
      if notes != nil, let path = path() { note(.step(after: path)) }
      throw try expected("a property")
    }
    moveTo(lexer.offset)
    return PathSyntax.Step(kind: .name(name), span: SourceSpan(start: start, end: lastEnd))
  }

  /// Parses `@count`, `@sum`, …, or `@links.Class.property`.
  private mutating func atStep(
    after path: @autoclosure () -> PathSyntax?
  ) throws(QueryError) -> PathSyntax.Step {
    let start = try peek().span.start
    try advance()
    let word = lexer.name()
    moveTo(lexer.offset)
    let span = SourceSpan(start: start, end: lastEnd)
    switch word.lowercased() {
    case "count", "size": return PathSyntax.Step(kind: .operation(.count), span: span)
    case "min": return PathSyntax.Step(kind: .operation(.min), span: span)
    case "max": return PathSyntax.Step(kind: .operation(.max), span: span)
    case "sum": return PathSyntax.Step(kind: .operation(.sum), span: span)
    case "avg": return PathSyntax.Step(kind: .operation(.average), span: span)
    case "links": return try linksStep(from: start)
    case "keys": return PathSyntax.Step(kind: .keys, span: span)
    case "values": return PathSyntax.Step(kind: .values, span: span)
    case "type": return PathSyntax.Step(kind: .type, span: span)
    default:
      if notes != nil, word.isEmpty, let path = path() { note(.operation(after: path)) }
      let words = "@count, @size, @min, @max, @sum, @avg, @keys, @values, @type or @links"
      throw QueryError(.expected(words, found: "'\(lexer.text(span))'"), span)
    }
  }

  private mutating func linksStep(from start: Int) throws(QueryError) -> PathSyntax.Step {
    if lexer.byte() == Byte.dot, lexer.byte(1) == Byte.at {
      return PathSyntax.Step(kind: .allLinks, span: SourceSpan(start: start, end: lastEnd))
    }
    var names: [String] = []
    for what in ["a class", "a property"] {
      guard lexer.byte() == Byte.dot else { throw try expected("'.' and \(what)") }
      moveTo(lastEnd + 1)
      note(names.first.map { .linkProperty(className: $0) } ?? .className)
      guard case .name(let name) = try nameStep(after: nil).kind else { throw try expected(what) }
      names.append(name)
    }
    return PathSyntax.Step(
      kind: .links(className: names[0], property: names[1]),
      span: SourceSpan(start: start, end: lastEnd))
  }

  private mutating func bracketStep(
    after path: @autoclosure () -> PathSyntax?
  ) throws(QueryError) -> PathSyntax.Step {
    let start = lastEnd
    try advance()
    if notes != nil, try peek().kind == .end, let path = path() { note(.mapKey(after: path)) }
    let token = try advance()
    let kind: PathSyntax.Step.Kind
    switch token.kind {
    case .symbol(.star): kind = .every
    case .number:
      guard let index = Int(lexer.text(token.span)) else {
        throw QueryError(.numberTooLarge(lexer.text(token.span)), token.span)
      }
      kind = .index(index)
    case .string(let key): kind = .key(key)
    case .variable(let name): kind = .variable(name)
    case .word(let word):
      switch word.lowercased() {
      case "first": kind = .first
      case "last": kind = .last
      case "size": kind = .operation(.count)
      default:
        throw QueryError(
          .expected(PredicateParser.subscripts, found: "'\(word)'"), token.span)
      }
    case .date, .symbol, .other, .end:
      let found = token.kind == .end ? "the end" : "'\(lexer.text(token.span))'"
      throw QueryError(.expected(PredicateParser.subscripts, found: found), token.span)
    }
    try expect(.rightBracket)
    return PathSyntax.Step(kind: kind, span: SourceSpan(start: start, end: lastEnd))
  }

  private static let subscripts = "an index, a key in quotes, a variable, FIRST, LAST, SIZE or *"
}

extension PathSyntax {
  func appending(_ more: [Step]) -> PathSyntax {
    var path = self
    path.steps += more
    return path
  }
}
