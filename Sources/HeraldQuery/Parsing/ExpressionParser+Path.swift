import HeraldModel

extension ExpressionParser {
  mutating func path() throws(QueryError) -> ExpressionSyntax {
    let path = try pathSyntax()
    if isWithoutRoot, path.acceptsVersion, case .word(nil) = try peek().kind,
      text(of: try peek()).lowercased() == "at"
    {
      try noteKeyword()
      try advance()
      let version = VersionSyntax.at(try versionNumber())
      let span = SourceSpan(start: path.span.start, end: lastEnd)
      return ExpressionSyntax(.path(path.evaluated(at: version)), span)
    }
    return ExpressionSyntax(.path(path), path.span)
  }

  /// Parses `owner.dogs[0].name`, `$max.age`, `Dog#3.name`, `@links.Dog.owner.name`. A path contains
  /// white space only within brackets.
  mutating func pathSyntax() throws(QueryError) -> PathSyntax {
    let token = try peek()
    var path = PathSyntax(start: .root, startSpan: token.span, steps: [], span: token.span)
    switch token.kind {
    case .variable:
      try advance()
      path.start = .variable(name(ofVariable: token.span))
    case .word:
      if lexer.byte() == Byte.number {
        (path.start, path.startSpan) = try object(ofClass: token.span)
      } else {
        try advance()
        let name = text(of: token)
        notes?.refer(to: Name(text: name, span: token.span), after: nil)
        path.steps.append(PathSyntax.Step(kind: .name(name), span: token.span))
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
  mutating func objectCall() throws(QueryError) -> ExpressionSyntax {
    let start = try advance().span
    try expect(.leftParenthesis)
    guard try peek().kind == .string else { throw try expected("the name of a class in quotes") }
    let className = try string()
    try expect(.comma)
    let key = try operand()
    try expect(.rightParenthesis)
    let span = SourceSpan(start: start.start, end: lastEnd)
    var path = PathSyntax(
      start: .object(className: className, key: key), startSpan: span, steps: [], span: span)
    path.steps = try steps(after: path)
    path.span.end = lastEnd
    return ExpressionSyntax(.path(path), path.span)
  }

  /// Parses a class and the key of one of its objects, directly after it: `Dog#3`, `Dog#"Max"`.
  mutating func object(
    ofClass name: SourceSpan
  ) throws(QueryError) -> (start: PathSyntax.Start, span: SourceSpan) {
    let className = lexer.text(name)
    if grammar == .statement { notes?.note(.className(className), name) }
    moveTo(name.end + 1)
    let key = try objectKey(of: className)
    let span = SourceSpan(start: name.start, end: lastEnd)
    return (.object(className: className, key: key), span)
  }

  /// Parses the `3`, `-4`, `"key"`, `uuid("…")`, `oid("…")`, `$name` or `(name + 1)` after `#`.
  private mutating func objectKey(of className: String) throws(QueryError) -> ExpressionSyntax {
    note(.key(className: className))
    let token = nextPlainToken()
    if token.kind == .variable {
      moveTo(token.end)
      let path = PathSyntax(
        start: .variable(name(ofVariable: token.span)), startSpan: token.span, span: token.span)
      return ExpressionSyntax(.path(path), token.span)
    }
    if nextByte() == Byte.openParenthesis, token.start == lastEnd {
      return try query { (parser) throws(QueryError) in
        try parser.nested { (parser) throws(QueryError) in
          try parser.advance()
          let key = try parser.operand()
          try parser.expect(.rightParenthesis)
          return key
        }
      }
    }
    let key = try literalKey(token)
    return ExpressionSyntax(.literal(key), SourceSpan(start: token.start, end: lastEnd))
  }

  private mutating func literalKey(_ token: Token) throws(QueryError) -> Value {
    switch token.kind {
    case .string: return .string(try string())
    case .number: return try numberedKey(from: token.start, digits: token.span)
    case .sign where nextByte() == Byte.minus:
      moveTo(token.end)
      let digits = nextPlainToken()
      guard digits.kind == .number else { throw try expected("a key") }
      return try numberedKey(from: token.start, digits: digits.span)
    case .word:
      guard let call = try peekKeyword().flatMap({ CallLiteral($0) }), call.isIdentifier,
        try tokenAfterNext().kind == .symbol(.leftParenthesis),
        case .literal(let key) = try self.call(call).kind
      else { throw try expected("a key") }
      return key
    case .variable, .sign, .newline, .end, .unterminated, .unknown: throw try expected("a key")
    }
  }

  /// Parses the digits of a key; a dot after them begins the path: `Dog#3.name`.
  private mutating func numberedKey(
    from start: Int, digits: SourceSpan
  ) throws(QueryError) -> Value {
    var end = digits.start
    while end < digits.end, Byte.isDigit(lexer.bytes[end]) { end += 1 }
    moveTo(end)
    let text = lexer.text(SourceSpan(start: digits.start, end: end))
    guard let key = Int(start < digits.start ? "-" + text : text) else {
      let span = SourceSpan(start: start, end: end)
      throw QueryError(.numberTooLarge(lexer.text(span)), span)
    }
    return .int(key)
  }

  /// Parses the steps that follow directly: `.name`, `.@count`, `[0]`. In a statement it stops before a
  /// step that only a query has: `.@count`, `[FIRST]`.
  ///
  /// - Parameter path: the path before them; nil if only an operation may follow.
  mutating func steps(after path: PathSyntax?) throws(QueryError) -> [PathSyntax.Step] {
    var steps: [PathSyntax.Step] = []
    func before() -> PathSyntax? { path.map { $0.appending(steps) } }
    while !beginsSuffixCall {
      if grammar == .query, steps.count > ExpressionParser.nestingLimit {
        throw QueryError(
          .tooDeep(limit: ExpressionParser.nestingLimit), SourceSpan(start: lastEnd, end: lastEnd))
      }
      if grammar == .statement, beginsQueryStep { return steps }
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
    return steps
  }

  /// Whether a function with arguments follows a value directly: `.replace("a", "b")`.
  var beginsSuffixCall: Bool {
    var scout = lexer
    scout.offset = lastEnd
    guard scout.byte() == Byte.dot, Byte.isNameStart(scout.byte(1)) else { return false }
    scout.offset += 1
    let name = scout.name()
    return scout.byte() == Byte.openParenthesis && ValueFunction.suffixes[name] != nil
  }

  /// Whether `.@` or one of `[FIRST]`, `[LAST]`, `[SIZE]` and `[*]` follows directly.
  private var beginsQueryStep: Bool {
    if lexer.byte() == Byte.dot { return lexer.byte(1) == Byte.at }
    guard lexer.byte() == Byte.openBracket else { return false }
    var scout = lexer
    scout.offset += 1
    let token = scout.next()
    guard token.kind == .word || lexer.bytes[token.start..<token.end].elementsEqual([Byte.star]),
      ["first", "last", "size", "*"].contains(lexer.text(token.span).lowercased())
    else { return false }
    scout.skipBlanks()
    return scout.byte() == Byte.closeBracket
  }

  private mutating func nameStep(
    after path: @autoclosure () -> PathSyntax?
  ) throws(QueryError) -> PathSyntax.Step {
    if grammar == .statement { lexer.skipBlanks() }
    let start = lexer.offset
    let name = lexer.name()
    guard !name.isEmpty else { throw try missingProperty(after: path()) }
    moveTo(lexer.offset)
    let span = SourceSpan(start: start, end: lastEnd)
    if let notes, let path = path() { notes.refer(to: Name(text: name, span: span), after: path) }
    return PathSyntax.Step(kind: .name(name), span: span)
  }

  private mutating func missingProperty(
    after path: PathSyntax?
  ) throws(QueryError) -> QueryError {
    let owner = notes?.owner
    defer { notes?.owner = owner }
    if let path {
      switch grammar {
      case .query: note(.step(after: path))
      case .statement: notes?.owner = PropertyOwner(.step(path))
      }
    }
    return try expected("a property")
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
    if let named = CollectionOperation(word: "@" + word.lowercased()) {
      let operation = try withArgument(named)
      return PathSyntax.Step(
        kind: .operation(operation), span: SourceSpan(start: start, end: lastEnd))
    }
    switch word.lowercased() {
    case "size": return PathSyntax.Step(kind: .operation(.count), span: span)
    case "links": return try linksStep(from: start)
    case "keys", "allkeys": return PathSyntax.Step(kind: .keys, span: span)
    case "values", "allvalues": return PathSyntax.Step(kind: .values, span: span)
    case "type": return PathSyntax.Step(kind: .type, span: span)
    default:
      if notes != nil, word.isEmpty, let path = path() { note(.operation(after: path)) }
      let words =
        CollectionOperation.all.map(\.word) + ["@size", "@keys", "@values", "@type or @links"]
      throw QueryError(
        .expected(words.joined(separator: ", "), found: "'\(lexer.text(span))'"), span)
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
    switch grammar {
    case .query: return try querySubscript(after: path())
    case .statement:
      let owner = notes?.owner
      defer { notes?.owner = owner }
      notes?.owner = nil
      return try nested { (parser) throws(QueryError) in
        parser.moveTo(parser.lastEnd + 1)
        if parser.isNoted, let path = path() { parser.note(.mapKey(path)) }
        return try parser.separatedByLines { (parser) throws(QueryError) in
          let step = PathSyntax.Step(subscript: try parser.value())
          try parser.expect(.rightBracket)
          return step
        }
      }
    }
  }

  private mutating func querySubscript(
    after path: @autoclosure () -> PathSyntax?
  ) throws(QueryError) -> PathSyntax.Step {
    let start = lastEnd
    try advance()
    if notes != nil, try peek().kind == .end, let path = path() { note(.mapKey(after: path)) }
    let token = try peek()
    let kind: PathSyntax.Step.Kind
    switch token.kind {
    case .symbol(.star): kind = .every
    case .number:
      guard let index = Int(text(of: token)) else {
        throw QueryError(.numberTooLarge(text(of: token)), token.span)
      }
      kind = .index(index)
    case .string: kind = .key(try lexer.content(ofString: token.span))
    case .variable: kind = .variable(name(ofVariable: token.span))
    case .word:
      switch text(of: token).lowercased() {
      case "first": kind = .first
      case "last": kind = .last
      case "size": kind = .operation(.count)
      default: throw try expected(ExpressionParser.subscripts)
      }
    case .date, .symbol, .other, .end: throw try expected(ExpressionParser.subscripts)
    }
    try advance()
    try expect(.rightBracket)
    return PathSyntax.Step(kind: kind, span: SourceSpan(start: start, end: lastEnd))
  }

  /// Throws for a subscript that only statements have, in a path that is an operand of a query.
  func checkSubscripts(of path: PathSyntax) throws(QueryError) {
    for step in path.steps {
      switch step.kind {
      case .computed, .index(..<0):
        let found = "'\(lexer.text(step.span))'"
        throw QueryError(.expected(ExpressionParser.subscripts, found: found), step.span)
      case .name, .links, .allLinks, .index, .key, .variable, .keys, .values, .type, .first, .last,
        .every, .operation:
        break
      }
    }
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
