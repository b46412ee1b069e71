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

  /// Parses them after an expression, which begins at `start`; after a path in parentheses any of its steps.
  mutating func measured(
    _ inner: ExpressionSyntax, from start: Int
  ) throws(QueryError) -> ExpressionSyntax {
    // The next token may have been looked at.
    moveTo(lastEnd)
    if beginsSuffixCall { return try suffixed(inner, from: start) }
    guard lexer.byte() == Byte.dot, Byte.isNameStart(lexer.byte(1)) else { return inner }
    switch inner.kind {
    case .literal(let value):
      let whole = try measured(value, SourceSpan(start: start, end: lastEnd))
      return beginsSuffixCall ? try suffixed(whole, from: start) : whole
    case .path(var path) where inner.quantifier == nil:
      path.steps += try steps(after: path)
      path.span = SourceSpan(start: start, end: lastEnd)
      let whole = ExpressionSyntax(.path(path), path.span)
      return beginsSuffixCall ? try suffixed(whole, from: start) : whole
    case .arithmetic, .call, .fallback:
      moveTo(lastEnd + 1)
      let call = CallSyntax(function: functionName(), isSuffix: true, arguments: [inner])
      let whole = ExpressionSyntax(.call(call), SourceSpan(start: start, end: lastEnd))
      return try nested { (parser) throws(QueryError) in try parser.measured(whole, from: start) }
    case .path, .list, .subquery, .duration, .record, .generated, .query, .test, .projection:
      return inner
    }
  }

  /// Parses `.replace("a", "b")` and what follows it.
  private mutating func suffixed(
    _ inner: ExpressionSyntax, from start: Int
  ) throws(QueryError) -> ExpressionSyntax {
    moveTo(lastEnd + 1)
    let name = functionName()
    let rest = try query { (parser) throws(QueryError) in try parser.arguments() }
    let call = CallSyntax(function: name, isSuffix: true, arguments: [inner] + rest)
    let whole = ExpressionSyntax(.call(call), SourceSpan(start: start, end: lastEnd))
    return try nested { (parser) throws(QueryError) in try parser.measured(whole, from: start) }
  }

  private mutating func functionName() -> Name {
    let start = lexer.offset
    let text = lexer.name()
    moveTo(lexer.offset)
    return Name(text: text, span: SourceSpan(start: start, end: lastEnd))
  }

  // MARK: Functions

  /// Whether the next word is the name of a function, with its arguments directly after it.
  mutating func beginsCall() throws(QueryError) -> Bool {
    let token = try peek()
    guard case .word = token.kind, lexer.byte() == Byte.openParenthesis else { return false }
    return ValueFunction.named[text(of: token)] != nil
  }

  /// Parses `round(x, 1)`.
  mutating func functionCall() throws(QueryError) -> ExpressionSyntax {
    let token = try advance()
    let arguments = try arguments()
    let call = CallSyntax(
      function: Name(text: text(of: token), span: token.span), isSuffix: false, arguments: arguments
    )
    let whole = ExpressionSyntax(.call(call), SourceSpan(start: token.span.start, end: lastEnd))
    return try measured(whole, from: token.span.start)
  }

  private mutating func arguments() throws(QueryError) -> [ExpressionSyntax] {
    try nested { (parser) throws(QueryError) in
      try parser.parenthesizedList { (parser) throws(QueryError) in try parser.operand() }
    }
  }

  // MARK: Durations

  /// Parses the `d` after the `7` of a duration, and further parts of it; nil if there is none.
  mutating func duration(_ first: SourceSpan) throws(QueryError) -> ExpressionSyntax? {
    var scout = lexer
    var (seconds, digits, end) = (0, first, first.end)
    while let unit = Self.secondsOfUnits[scout.byte()],
      !Byte.isNamePart(scout.byte(1)) || Byte.isDigit(scout.byte(1)),
      let count = Int(lexer.text(digits))
    {
      let (part, overflow) = count.multipliedReportingOverflow(by: unit)
      let (sum, isTooLong) = seconds.addingReportingOverflow(part)
      scout.offset += 1
      (seconds, end) = (sum, scout.offset)
      guard !overflow, !isTooLong else {
        let span = SourceSpan(start: first.start, end: end)
        throw QueryError(.numberTooLarge(lexer.text(span)), span)
      }
      while Byte.isDigit(scout.byte()) { scout.offset += 1 }
      digits = SourceSpan(start: end, end: scout.offset)
    }
    guard end > first.end else { return nil }
    let span = SourceSpan(start: first.start, end: end)
    moveTo(end)
    return ExpressionSyntax(.duration(seconds: seconds, text: lexer.text(span)), span)
  }

  private static let secondsOfUnits: [UInt8: Int] = [
    UInt8(ascii: "w"): 604_800, UInt8(ascii: "d"): 86_400, UInt8(ascii: "h"): 3600,
    UInt8(ascii: "m"): 60, UInt8(ascii: "s"): 1,
  ]
}
