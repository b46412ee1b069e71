import Herald

extension Parser {
  /// One statement, without what ends it.
  mutating func statement() throws(ShellError) -> Statement {
    let start = token
    try enter(start)
    defer { depth -= 1 }
    let kind = try statementKind()
    return Statement(kind: kind, span: SourceSpan(start: start.start, end: lastEnd))
  }

  private mutating func statementKind() throws(ShellError) -> Statement.Kind {
    if isSign(Byte.at) { return try onSession() }
    if token.kind == .variable || isSign(Byte.openParenthesis) { return try assignment() }
    guard token.kind == .word else { throw expected("a statement") }
    if byte(after: token.end - token.start) == Byte.number { return try assignment() }
    guard let word = StatementWord(rawValue: text) else { throw unknownStatement() }
    let start = token
    advance()
    return switch word.group {
    case .store: try storeStatement(word)
    case .change: try changeStatement(word)
    case .collection: try collectionStatement(word)
    case .transaction: try transactionStatement(word)
    case .observation: try observationStatement(word)
    case .output: try outputStatement(word)
    case .script: try scriptStatement(word)
    case .unavailable: throw failure(.notAvailable("'\(word.rawValue)'"), at: start.span)
    }
  }

  private func unknownStatement() -> ShellError {
    let words = StatementWord.allCases.filter { $0.group != .unavailable }.map(\.rawValue)
    return failure(.unknownStatement(text, nearest: nearestName(to: text, in: words)))
  }

  private mutating func onSession() throws(ShellError) -> Statement.Kind {
    advance()
    guard token.start == lastEnd else { throw expected("a session") }
    let name = try name("a session")
    return .onSession(name, try statement())
  }

  /// `$max.age = 4`, `Dog#3.age += 1`, with `set` before it or not.
  private mutating func assignment() throws(ShellError) -> Statement.Kind {
    let place = try place()
    guard let sign = takeAssignmentSign() else { throw expected("'='") }
    skipNewlines()
    return .assign(place, sign, try expression())
  }

  mutating func takeAssignmentSign() -> AssignmentSign? {
    if isSign(Byte.equals), byte(after: 1) != Byte.equals {
      advance()
      return .set
    }
    guard token.kind == .sign, byte(after: 1) == Byte.equals else { return nil }
    let sign: AssignmentSign
    switch bytes[token.start] {
    case Byte.plus: sign = .add
    case Byte.minus: sign = .subtract
    case Byte.star: sign = .multiply
    case Byte.slash: sign = .divide
    default: return nil
    }
    move(to: token.start + 2)
    return sign
  }

  mutating func onOrOff() throws(ShellError) -> Bool {
    if takeIf("on") { return true }
    if takeIf("off") { return false }
    throw expected("'on' or 'off'")
  }

  /// The name of a file: bare up to the next blank, or a string.
  mutating func path() throws(ShellError) -> Name {
    let span = token.span
    if token.kind == .string { return Name(text: try string(), span: span) }
    var end = token.start
    while end < lexer.limit, !Byte.isBlank(bytes[end]), bytes[end] != Byte.newline,
      bytes[end] != Byte.semicolon, bytes[end] != Byte.closeBrace
    {
      end += 1
    }
    guard end > token.start, let text = String(validating: bytes[token.start..<end], as: UTF8.self)
    else { throw expected("a file") }
    move(to: end)
    return Name(text: text, span: SourceSpan(start: span.start, end: end))
  }
}
