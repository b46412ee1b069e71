import Herald

/// `expect dogs initial 3`, `expect nothing`, `expect $max.age == 3`, `expect error "…" {…}`.
struct ExpectStatement: StatementForm {
  static let command = Command(
    "expect",
    [
      "expect TOKEN initial N [row | rows]",
      "expect TOKEN [deletions [ROW, ...]] [insertions [ROW, ...]] "
        + "[modifications [OLD->NEW, ...]] [owner deleted]",
      "expect TOKEN [sections deleted [SECTION, ...]] [deletions [SECTION.ROW, ...]] "
        + "[sections inserted [SECTION, ...]] ...",
      "expect TOKEN initial VALUE", "expect TOKEN OLD -> NEW",
      "expect TOKEN change NAME, ...", "expect TOKEN NAME OLD -> NEW",
      "expect TOKEN NAME insertion | removal | replacement | setting [ROW, ...]",
      "expect TOKEN deleted | changed | refresh required", "expect TOKEN error \"MESSAGE\"",
      "expect nothing", "expect PREDICATE", "expect error \"TEXT\" { STATEMENTS }",
    ], "check an event, a predicate or an error",
    [
      "The next event of a token that no expect has accounted for must be exactly the one "
        + "described. expect nothing: there is none. The error of a block, which is parsed when "
        + "it runs, must contain TEXT. A failed expectation ends a script with status 3, and "
        + "reports what was seen and how it differs."
    ],
    examples: [
      "expect dogs initial 3", "add Dog { id: 14 }", "expect dogs insertions [3]",
      "expect $max.age == 3",
      "expect error \"no property\" { set $max.nmae = \"x\" }",
    ], inWrites: true, parse: Self.init)

  enum Expectation {
    case event(token: Name, ExpectedEvent)
    case nothing
    case predicate(PredicateSyntax)
    /// The block is found by its brackets and parsed when it runs, so that it may contain a mistake.
    /// With the block, which is parsed when it runs, and its nesting depth.
    case error(String, block: SourceSpan, depth: Int)
  }
  let expectation: Expectation

  init(_ parser: inout StatementParser) throws(ShellError) { expectation = try Self.parse(&parser) }

  private static func parse(_ parser: inout StatementParser) throws(ShellError) -> Expectation {
    parser.note(.expected("a token", of: nil))
    if parser.isWord("nothing"), isLast(parser) {
      parser.advance()
      return .nothing
    }
    if parser.isWord("error") {
      let start = parser.token
      parser.advance()
      if case .string = parser.token.kind { return try expectedError(&parser) }
      parser.move(to: start.start)
    }
    if case .word = parser.token.kind {
      let start = parser.token
      let name = try parser.name("a token")
      parser.notes?.condition = .isToken(name.text)
      defer { parser.notes?.condition = nil }
      if let event = try ExpectedEvent.parse(&parser) { return .event(token: name, event) }
      parser.move(to: start.start)
    }
    return .predicate(try parser.predicate())
  }

  private static func expectedError(
    _ parser: inout StatementParser
  ) throws(ShellError) -> Expectation {
    let message = try parser.string()
    let opening = parser.token
    guard parser.isSign("{") else { throw parser.expected("'{'") }
    guard
      let end = BracketScanner.endOfBlock(parser.bytes, from: opening.start, to: parser.lexer.limit)
    else {
      throw parser.failure(.openBracket("{"))
    }
    let block = SourceSpan(start: opening.end, end: end)
    parser.collectStatements(in: block)
    parser.move(to: end)
    parser.advance()
    return .error(message, block: block, depth: parser.depth + 1)
  }

  /// Whether the statement ends after the token.
  private static func isLast(_ parser: StatementParser) -> Bool {
    var ahead = Lexer(parser.bytes, from: parser.token.end, to: parser.lexer.limit)
    let token = ahead.next()
    switch token.kind {
    case .newline, .end: return true
    case .sign:
      return parser.bytes[token.start] == Byte.semicolon
        || parser.bytes[token.start] == Byte.closeBrace
    case .word, .variable, .string, .number, .unterminated, .unknown: return false
    }
  }

  func run(in context: Context) throws {
    switch expectation {
    case .event(let name, let expected): try expect(name, expected, context)
    case .nothing:
      if let event = context.shell.tokens.firstUnaccounted {
        throw failure("nothing", EventText.line(event), context)
      }
    case .predicate(let predicate):
      if try !context.test(predicate) {
        throw FalsePredicate(context: context).failure(of: predicate)
      }
    case .error(let message, let block, let depth):
      var parser = context.shell.parser(of: context.source, from: block.start, to: block.end)
      parser.depth = depth
      try expectError(message, in: &parser, context)
    }
  }

  private func expect(_ name: Name, _ expected: ExpectedEvent, _ context: Context) throws {
    let shell = context.shell
    _ = try shell.tokens.record(name, context.source)
    let expectation = "\(name.text): \(expected.text)"
    guard let event = shell.tokens.next(name.text) else {
      throw failure(expectation, "no event", context)
    }
    shell.tokens.account(name.text)
    if !expected.matches(event.kind) {
      let diagnostic = Diagnostic.expectation(
        expected: expectation, actual: EventText.line(event),
        difference: expected.difference(from: event.kind))
      throw context.failure(diagnostic, at: context.span)
    }
  }

  /// Parses and runs a block that must fail with an error that contains `message`.
  private func expectError(
    _ message: String, in parser: inout StatementParser, _ context: Context
  ) throws {
    let expected = message.isEmpty ? "an error" : "an error with \(message.quoted)"
    var inner = context
    inner.isTopLevel = false
    let tokens = BlockTokens()
    inner.block = tokens
    defer { context.endTokens(of: tokens) }
    do {
      try parser.checkDepth(at: context.span)
      while let statement = try parser.next() { try inner.execute(statement) }
    } catch {
      let failure = located(error, context.source, context.span)
      if failure.diagnostic == .interrupted { throw failure }
      if message.isEmpty || failure.message.lowercased().contains(message.lowercased()) { return }
      throw self.failure(expected, failure.message.quoted, context)
    }
    throw failure(expected, "none", context)
  }

  private func failure(_ expected: String, _ actual: String, _ context: Context) -> ShellError {
    context.failure(.expectation(expected: expected, actual: actual), at: context.span)
  }
}
