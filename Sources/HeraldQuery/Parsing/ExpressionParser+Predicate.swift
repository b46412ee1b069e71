// predicate   = conjunction { ("OR" | "||") conjunction }
// conjunction = negation { ("AND" | "&&") negation }
// negation    = ("NOT" | "!") negation | comparison
// comparison  = fallback [ operator ["[c]"] fallback ]  |  "TRUEPREDICATE"  |  "FALSEPREDICATE"
// fallback    = sum { "??" sum }
// sum         = product { ("+" | "-") product }          product = primary { ("*" | "/") primary }
// primary     = "(" predicate ")" | "(" sum ")" | literal | list | path | subquery
//
// A parenthesis may hold a predicate or a sum, so every function here parses either.

import HeraldModel

/// A condition, or an operand that may become a side of a comparison.
enum ParsedNode {
  case predicate(PredicateSyntax)
  case expression(ExpressionSyntax)
}

extension ExpressionParser {
  /// Parses a condition: of a query, or after `if` and `expect`.
  package mutating func predicate() throws(QueryError) -> PredicateSyntax {
    try query { (parser) throws(QueryError) in
      let node = try parser.disjunction()
      return try parser.condition(node)
    }
  }

  /// Returns the node as a condition; throws for an operand without a comparison.
  private mutating func condition(_ node: ParsedNode) throws(QueryError) -> PredicateSyntax {
    switch node {
    case .predicate(let predicate): return predicate
    case .expression(let expression):
      let token = try peek()
      if isWithoutRoot, expression.isCondition, token.kind.endsCondition {
        return PredicateSyntax(.condition(expression), expression.span)
      }
      if let fault = try foreignFault(after: expression) { throw QueryError(fault, token.span) }
      if case .word(nil) = token.kind {
        let word = text(of: token)
        let operators = QueryKeyword.allCases.filter(\.isOperator).map { $0.rawValue.uppercased() }
        let nearest = nearestName(to: word, in: operators)
        throw QueryError(.unknownOperator(word, nearest: nearest), token.span)
      }
      throw try expected("an operator such as '=='")
    }
  }

  /// What is wrong if an operator of another language follows an operand, or the arguments of a function; nil if neither
  /// does.
  mutating func foreignFault(
    after operand: ExpressionSyntax
  ) throws(QueryError) -> QueryFault? {
    let token = try peek()
    let left = lexer.text(operand.span)
    switch token.kind {
    case .symbol(.leftParenthesis):
      guard case .path = operand.kind, token.span.start == lastEnd else { return nil }
      return .unknownFunction(left)
    case .word(nil), .word(.not), .other:
      var words = [text(of: token)]
      var scout = self
      while words.count < 3, (try? scout.advance()) != nil, let next = try? scout.peek(),
        case .word = next.kind
      { words.append(text(of: next)) }
      return ForeignOperator.advice(after: left, words).map {
        .foreignOperator(text(of: token), advice: $0)
      }
    case .word, .variable, .string, .number, .date, .symbol, .end: return nil
    }
  }

  /// Parses a condition of a value with a name, which may begin with an operator: `> 100`, `value % 2 == 0`.
  package mutating func predicate(of name: String) throws(QueryError) -> PredicateSyntax {
    let start = nextOffset()
    let span = SourceSpan(start: start, end: start)
    let value = PathSyntax(
      start: .root, startSpan: span, steps: [PathSyntax.Step(kind: .name(name), span: span)],
      span: span)
    return try query(of: .className(Name(text: name, span: span))) { (parser) throws(QueryError) in
      parser.impliedLeft = ExpressionSyntax(.path(value), span)
      let node = try parser.disjunction()
      return try parser.condition(node)
    }
  }

  mutating func disjunction() throws(QueryError) -> ParsedNode {
    try series(.or, .or, PredicateSyntax.Kind.or) { (parser) throws(QueryError) in
      try parser.conjunction()
    }
  }

  private mutating func conjunction() throws(QueryError) -> ParsedNode {
    try series(.and, .and, PredicateSyntax.Kind.and) { (parser) throws(QueryError) in
      try parser.negation()
    }
  }

  /// Parses one condition, or several joined by a connective.
  private mutating func series(
    _ keyword: QueryKeyword, _ symbol: QuerySymbol,
    _ kind: ([PredicateSyntax]) -> PredicateSyntax.Kind,
    of next: (inout ExpressionParser) throws(QueryError) -> ParsedNode
  ) throws(QueryError) -> ParsedNode {
    let first = try next(&self)
    guard try peeksConnective(keyword, symbol, after: first) else { return first }
    var parts = [try condition(first)]
    while try peeksConnective(keyword, symbol, after: first) {
      try advance()
      let node = try next(&self)
      parts.append(try condition(node))
    }
    let span = parts[0].span.through(parts[parts.count - 1].span)
    return .predicate(PredicateSyntax(kind(parts), span))
  }

  private mutating func peeksConnective(
    _ keyword: QueryKeyword, _ symbol: QuerySymbol, after node: ParsedNode
  ) throws(QueryError) -> Bool {
    if try peeks(symbol) { return true }
    guard try peekKeyword() == keyword else {
      if case .predicate = node { note(keyword) }
      return false
    }
    try noteKeyword()
    return true
  }

  private mutating func negation() throws(QueryError) -> ParsedNode {
    let start = try peek().span
    let isWord = try peekKeyword() == .not
    let isNegation = isWord ? try !nextIsProperty() : try peeks(.not)
    guard isNegation else { return try comparison() }
    try noteKeyword()
    try advance()
    return try nested { (parser) throws(QueryError) in
      let node = try parser.negation()
      let inner = try parser.condition(node)
      return .predicate(PredicateSyntax(.not(inner), start.through(inner.span)))
    }
  }

  /// Whether the next word, a keyword, is nevertheless a property's name: an operator follows it that is
  /// not itself a property's name, as in `NOT contains == 3`.
  func nextIsProperty() throws(QueryError) -> Bool {
    var scout = self
    try scout.advance()
    switch try scout.peek().kind {
    case .symbol(let symbol): return symbol.comparesOperands
    case .word(let keyword): return keyword?.isOperator ?? false && !scout.nextIsCompared
    case .variable, .string, .number, .date, .other, .end: return false
    }
  }

  /// Whether an operator follows the next token; if the operator is a word, which could be a name,
  /// whether a value follows it. Unreadable text is not an operator.
  private var nextIsCompared: Bool {
    var scout = self
    guard (try? scout.advance()) != nil, let follower = try? scout.peek() else { return false }
    switch follower.kind {
    case .symbol(let symbol): return symbol.comparesOperands
    case .word(let keyword):
      guard keyword?.isOperator ?? false else { return false }
      return (try? scout.tokenAfterNext())?.kind.beginsValue ?? false
    case .variable, .string, .number, .date, .other, .end: return false
    }
  }

  private mutating func comparison() throws(QueryError) -> ParsedNode {
    if let keyword = try peekKeyword(), keyword == .truepredicate || keyword == .falsepredicate,
      try !nextIsProperty()
    {
      try noteKeyword()
      let token = try advance()
      return .predicate(PredicateSyntax(.constant(keyword == .truepredicate), token.span))
    }
    if let left = impliedLeft {
      impliedLeft = nil
      if try peeksComparison() { return try comparison(after: .expression(left)) }
    }
    let node = try fallback()
    return try comparison(after: node)
  }

  private mutating func peeksComparison() throws(QueryError) -> Bool {
    switch try peek().kind {
    case .symbol(let symbol): symbol.comparesOperands
    case .word(let keyword): keyword?.isOperator ?? false
    case .variable, .string, .number, .date, .other, .end: false
    }
  }

  /// Parses the operator and the right side of a comparison, if there is one.
  private mutating func comparison(after node: ParsedNode) throws(QueryError) -> ParsedNode {
    guard case .expression(let left) = node else { return node }
    let token = try peek()
    guard let comparison = try comparisonOperator() else {
      note(.relation(after: left))
      return node
    }
    notes?.beside = left
    defer { notes?.beside = nil }
    let relation: Relation
    switch comparison {
    case .between:
      let range = try operand()
      if try peekKeyword() == .and, case .literal = range.kind {
        throw QueryError(.betweenNeedsTwo, range.span)
      }
      return .predicate(PredicateSyntax(.between(left, range), left.span.through(range.span)))
    case .membership: relation = .equal
    case .relation(let found): relation = found
    }
    let foldsCase = takeCaseFlag()
    try checkSign(token.span, relation)
    if comparison == .membership, try beginsListInParentheses() {
      throw QueryError(.needsList(after: "IN"), try peek().span)
    }
    let right = try operand()
    return .predicate(
      PredicateSyntax(
        .comparison(
          PredicateSyntax.Comparison(
            left: left, relation: relation, foldsCase: foldsCase,
            isMembership: comparison == .membership, right: right, operatorSpan: token.span)),
        left.span.through(right.span)))
  }

  /// Consumes an operator between two operands; nil if there is none.
  private mutating func comparisonOperator() throws(QueryError) -> QueryKeyword.Operator? {
    let found: QueryKeyword.Operator
    switch try peek().kind {
    case .symbol(let symbol):
      guard let relation = symbol.relation else { return nil }
      found = .relation(relation)
    case .word(let keyword):
      guard let comparison = keyword?.comparison else { return nil }
      try noteKeyword()
      found = comparison
    case .variable, .string, .number, .date, .other, .end: return nil
    }
    try advance()
    return found
  }

  /// Throws for a sign that continues an operator, as in `===`, `<=>` and `=~`.
  private mutating func checkSign(_ span: SourceSpan, _ relation: Relation) throws(QueryError) {
    let next = try peek()
    let sign = lexer.text(next.span)
    guard next.span.start == lastEnd, ["=", ">", "~"].contains(sign) else { return }
    let nearest = sign == "~" ? Relation.matches : relation
    let whole = span.through(next.span)
    throw QueryError(.unknownOperator(lexer.text(whole), nearest: nearest.rawValue), whole)
  }

  /// Whether a list in parentheses follows, as other languages have it: `("a", "b")`.
  private mutating func beginsListInParentheses() throws(QueryError) -> Bool {
    guard try peeks(.leftParenthesis) else { return false }
    var scout = self
    guard (try? scout.advance()) != nil, (try? scout.operand()) != nil else { return false }
    return try scout.peeks(.comma)
  }

  /// Consumes `[c]` after an operator; returns whether it was there.
  private mutating func takeCaseFlag() -> Bool {
    var start = 0
    while lexer.byte(start) == Byte.space { start += 1 }
    guard lexer.byte(start) == Byte.openBracket,
      lexer.byte(start + 1) | 0x20 == UInt8(ascii: "c"),
      lexer.byte(start + 2) == Byte.closeBracket
    else { return false }
    moveTo(lexer.offset + start + 3)
    return true
  }
}

extension ExpressionSyntax {
  /// Whether the expression may be a Boolean or an object, and so a condition.
  fileprivate var isCondition: Bool {
    switch kind {
    case .path(let path): !path.startsAtRoot
    case .generated(.inTransaction), .literal(.bool), .fallback: true
    case .literal, .list, .arithmetic, .subquery, .call, .duration, .record, .generated, .query,
      .test, .projection:
      false
    }
  }
}

extension QueryToken.Kind {
  /// Whether no operator follows a condition here.
  fileprivate var endsCondition: Bool {
    switch self {
    case .end, .other, .word(.and), .word(.or), .symbol(.and), .symbol(.or), .symbol(.leftBrace),
      .symbol(.rightBrace), .symbol(.rightParenthesis), .symbol(.comma):
      true
    case .word, .variable, .string, .number, .date, .symbol: false
    }
  }
}
