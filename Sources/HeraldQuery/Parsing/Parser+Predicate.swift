// predicate   = conjunction { ("OR" | "||") conjunction }
// conjunction = negation { ("AND" | "&&") negation }
// negation    = ("NOT" | "!") negation | comparison
// comparison  = sum [ operator ["[c]"] sum ]  |  "TRUEPREDICATE"  |  "FALSEPREDICATE"
// sum         = product { ("+" | "-") product }          product = primary { ("*" | "/") primary }
// primary     = "(" predicate ")" | "(" sum ")" | literal | list | path | subquery
//
// What a parenthesis holds is known only at its end, so each of these reads either kind.

import HeraldModel

/// A condition, or an operand that may become one side of a condition.
enum ParsedNode {
  case predicate(PredicateSyntax)
  case expression(ExpressionSyntax)
}

extension Parser {
  mutating func predicate() throws(QueryError) -> PredicateSyntax {
    let node = try disjunction()
    return try condition(node)
  }

  /// The node as a condition; an operand alone lacks its comparison.
  private mutating func condition(_ node: ParsedNode) throws(QueryError) -> PredicateSyntax {
    switch node {
    case .predicate(let predicate): return predicate
    case .expression:
      let token = try peek()
      if case .word(let word) = token.kind, QueryKeyword(word: word) == nil {
        let operators = QueryKeyword.allCases.filter(\.isOperator).map { $0.rawValue.uppercased() }
        let nearest = nearestName(to: word, in: operators)
        throw QueryError(.unknownOperator(word, nearest: nearest), token.span)
      }
      throw try expected("an operator such as '=='")
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

  /// Conditions with a connective between them as one; what stands alone as it is.
  private mutating func series(
    _ keyword: QueryKeyword, _ symbol: QuerySymbol,
    _ kind: ([PredicateSyntax]) -> PredicateSyntax.Kind,
    of next: (inout Parser) throws(QueryError) -> ParsedNode
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

  /// Whether the next word, a keyword, is a property's name all the same: an operator follows it, and
  /// not another name that is spelled like one: `NOT contains == 3`.
  func nextIsProperty() throws(QueryError) -> Bool {
    var scout = self
    try scout.advance()
    switch try scout.peek().kind {
    case .symbol(let symbol): return symbol.comparesOperands
    case .word(let word):
      return QueryKeyword(word: word)?.isOperator ?? false && !scout.nextIsCompared
    case .variable, .string, .number, .date, .other, .end: return false
    }
  }

  /// Whether an operator follows the next token, and, where that is a word, its right side: a word
  /// could be a name too. What cannot be read is no operator.
  private var nextIsCompared: Bool {
    var scout = self
    guard (try? scout.advance()) != nil, let follower = try? scout.peek() else { return false }
    switch follower.kind {
    case .symbol(let symbol): return symbol.comparesOperands
    case .word(let word):
      guard QueryKeyword(word: word)?.isOperator ?? false else { return false }
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
    let node = try sum()
    guard case .expression(let left) = node else { return node }
    let token = try peek()
    guard let relation = try relation() else {
      note(.relation(after: left))
      return node
    }
    notes?.beside = left
    defer { notes?.beside = nil }
    if relation == .between {
      let range = try operand()
      return .predicate(PredicateSyntax(.between(left, range), left.span.through(range.span)))
    }
    let foldsCase = takeCaseFlag()
    let right = try operand()
    return .predicate(
      PredicateSyntax(
        .comparison(
          PredicateSyntax.Comparison(
            left: left, relation: relation.relation, foldsCase: foldsCase,
            isMembership: relation == .membership, right: right, operatorSpan: token.span)),
        left.span.through(right.span)))
  }

  private enum OperatorWord: Equatable {
    case relation(Relation)
    case membership
    case between

    var relation: Relation {
      switch self {
      case .relation(let relation): relation
      case .membership, .between: .equal
      }
    }
  }

  /// Takes an operator between two operands; nil where none stands.
  private mutating func relation() throws(QueryError) -> OperatorWord? {
    let word: OperatorWord
    switch try peek().kind {
    case .symbol(let symbol):
      guard symbol.comparesOperands, let relation = Relation(rawValue: symbol.rawValue) else {
        return nil
      }
      word = .relation(relation)
    case .word(let name):
      guard let keyword = QueryKeyword(word: name), keyword.isOperator else { return nil }
      try noteKeyword()
      if let relation = Relation(rawValue: name.uppercased()) {
        word = .relation(relation)
      } else {
        word = keyword == .in ? .membership : .between
      }
    case .variable, .string, .number, .date, .other, .end: return nil
    }
    try advance()
    return word
  }

  /// Takes `[c]` after an operator.
  private mutating func takeCaseFlag() -> Bool {
    var place = scanner.position
    let bytes = scanner.bytes
    while place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
    guard place + 2 < bytes.count, bytes[place] == UInt8(ascii: "["),
      bytes[place + 1] | 0x20 == UInt8(ascii: "c"), bytes[place + 2] == UInt8(ascii: "]")
    else { return false }
    moveTo(place + 3)
    return true
  }
}
