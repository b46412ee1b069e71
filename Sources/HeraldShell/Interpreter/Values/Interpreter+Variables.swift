import Herald

extension Interpreter {
  /// Whether a text can name a variable, without its `$`.
  package static func isVariableName(_ text: String) -> Bool {
    let bytes = Array("$\(text)".utf8)
    var lexer = Lexer(bytes)
    let token = lexer.next()
    return token.kind == .variable && token.end == bytes.count
      && !(bytes.count > 1 && Byte.isDigit(bytes[1]))
  }

  /// Sets a variable from outside: to the value of a literal if the text is one, otherwise to the text
  /// itself.
  package func setVariable(_ name: String, to text: String) {
    variables[name] = literal(text) ?? .value(.string(text))
  }

  /// Sets `$args`, what the command line has for scripts.
  package func setArguments(_ arguments: [String]) {
    variables["args"] = .values(arguments.map { .string($0) })
  }

  private func literal(_ text: String) -> Variable? {
    let source = Source(name: "--set", text: text)
    var parser = StatementParser(source)
    guard let expression = try? parser.expression(), parser.token.kind == .end,
      expression.isLiteral
    else { return nil }
    return try? Context(self, source, main).variable(expression)
  }
}

extension ExpressionSyntax {
  /// Whether the expression is a constant: it has no names and no operators.
  var isLiteral: Bool {
    switch kind {
    case .literal: true
    case .list(let elements): elements.allSatisfy(\.isLiteral)
    case .record(let record): record.entries.allSatisfy(\.value.isLiteral)
    case .path, .arithmetic, .subquery, .call, .fallback, .duration, .generated, .query,
      .projection,
      .test:
      false
    }
  }
}
