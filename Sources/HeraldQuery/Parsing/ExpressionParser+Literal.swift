import HeraldModel

extension ExpressionParser {
  /// Parses the text of a string literal.
  package mutating func string() throws(QueryError) -> String {
    let token = try peek()
    guard token.kind == .string else { throw try expected("a string") }
    let text = try lexer.content(ofString: token.span)
    try advance()
    return text
  }

  mutating func literal(_ value: Value) throws(QueryError) -> ExpressionSyntax {
    ExpressionSyntax(.literal(value), try advance().span)
  }

  mutating func signedNumber() throws(QueryError) -> ExpressionSyntax {
    let sign = try advance()
    let isNegative = sign.kind == .symbol(.minus)
    let token = try peek()
    guard token.span.start == sign.span.end else {
      throw QueryError(.expected("a value or a property", found: described(sign)), sign.span)
    }
    let span = sign.span.through(token.span)
    switch token.kind {
    case .word(.inf), .word(.infinity):
      try advance()
      return ExpressionSyntax(.literal(.double(isNegative ? -.infinity : .infinity)), span)
    case .word(.nan):
      try advance()
      return ExpressionSyntax(.literal(.double(.nan)), span)
    case .number:
      try advance()
      return try number(span)
    case .word, .variable, .string, .date, .symbol, .other, .end: throw try expected("a number")
    }
  }

  func number(_ span: SourceSpan) throws(QueryError) -> ExpressionSyntax {
    if let value = NumberText.value(of: lexer.bytes[span.start..<span.end]) {
      return ExpressionSyntax(.literal(value), span)
    }
    let text = lexer.numberText(span)
    guard let value = hexadecimal(text).map(Value.int) ?? NumberText.value(text) else {
      throw QueryError(.numberTooLarge(text), span)
    }
    return ExpressionSyntax(.literal(value), span)
  }

  /// Returns the value of `0x1F`, with or without a sign; nil for other notations.
  private func hexadecimal(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else { return nil }
    return Int((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
  }
}

// MARK: Measures

/// `.lower`, `.year` and the like after what is no path.
extension ExpressionParser {
  /// Parses them after a literal.
  mutating func measured(
    _ literal: Value, _ span: SourceSpan
  ) throws(QueryError) -> ExpressionSyntax {
    var (value, span) = (literal, span)
    while lexer.byte() == Byte.dot {
      var ahead = lexer
      ahead.offset += 1
      guard let measure = ValueMeasure(ahead.name(), of: ElementType(of: value)) else { break }
      moveTo(ahead.offset)
      value = measure.apply(to: value)
      span.end = lastEnd
    }
    return ExpressionSyntax(.literal(value), span)
  }

  /// Parses them after an expression in parentheses, which begins at `start`; after a path any of its steps.
  mutating func measured(
    _ inner: ExpressionSyntax, from start: Int
  ) throws(QueryError) -> ExpressionSyntax {
    guard lexer.byte() == Byte.dot, Byte.isNameStart(lexer.byte(1)) else { return inner }
    switch inner.kind {
    case .literal(let value):
      return try measured(value, SourceSpan(start: start, end: lastEnd))
    case .path(var path) where inner.quantifier == nil:
      path.steps += try steps(after: path)
      path.span = SourceSpan(start: start, end: lastEnd)
      return ExpressionSyntax(.path(path), path.span)
    case .arithmetic, .measured:
      moveTo(lastEnd + 1)
      let nameStart = lexer.offset
      let name = lexer.name()
      moveTo(lexer.offset)
      let measure = Name(text: name, span: SourceSpan(start: nameStart, end: lastEnd))
      let whole = ExpressionSyntax(
        .measured(inner, by: measure), SourceSpan(start: start, end: lastEnd))
      return try measured(whole, from: start)
    case .path, .list, .subquery, .record, .generated, .query, .test, .projection: return inner
    }
  }
}
