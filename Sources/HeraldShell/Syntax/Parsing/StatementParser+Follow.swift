import Herald

extension StatementParser {
  /// The offset of the statement's first option, outside of brackets.
  var startOfOptions: Int? {
    var scanner = BracketScanner()
    var lexer = Lexer(bytes, from: token.start, to: lexer.limit)
    while true {
      let offset = lexer.offset
      guard let byte = scanner.step(&lexer) else { return nil }
      guard scanner.isBalanced else { continue }
      if byte == Byte.newline || byte == Byte.semicolon { return nil }
      if byte == Byte.minus, beginsOption(at: offset) { return offset }
    }
  }

  /// Whether there are two hyphens after a blank, followed by a letter; in completion the letter may be
  /// missing.
  func beginsOption(at offset: Int) -> Bool {
    guard offset > 0, offset + 1 < lexer.limit, Byte.isBlank(bytes[offset - 1]),
      bytes[offset] == Byte.minus, bytes[offset + 1] == Byte.minus
    else { return false }
    return offset + 2 < lexer.limit ? Byte.isNameStart(bytes[offset + 2]) : notes != nil
  }
}
