/// Follows brackets, strings and comments without parsing: whether a text is complete, where a
/// block ends, where a statement that failed ends.
///
/// A quote without its partner on the same line counts as an ordinary sign, and a closing brace
/// closes what was left open inside it: so the end of a block is found whatever its inside says.
package struct BracketScanner {
  private(set) var open: [UInt8] = []
  /// A closing bracket that nothing had opened was met.
  private(set) var isBroken = false

  package init() {}

  package var isBalanced: Bool { open.isEmpty }

  /// Reads whole lines (or the rest of a text). Any number of calls, one after another.
  package mutating func feed(_ bytes: [UInt8]) {
    var lexer = Lexer(bytes)
    while step(&lexer) != nil {}
  }

  /// Passes one sign, string or other byte; answers it, or nil at the end of the text.
  mutating func step(_ lexer: inout Lexer) -> UInt8? {
    guard lexer.offset < lexer.limit else { return nil }
    let place = lexer.offset
    let byte = lexer.bytes[place]
    lexer.offset = place + 1
    switch byte {
    case Byte.doubleQuote, Byte.singleQuote:
      if let end = lexer.endOfString(at: place) { lexer.offset = end }
    case Byte.number where lexer.beginsComment(at: place):
      while lexer.offset < lexer.limit, lexer.bytes[lexer.offset] != Byte.newline {
        lexer.offset += 1
      }
    case Byte.openBrace, Byte.openBracket, Byte.openParenthesis: open.append(byte)
    case Byte.closeBrace: close(Byte.openBrace)
    case Byte.closeBracket: close(Byte.openBracket)
    case Byte.closeParenthesis: close(Byte.openParenthesis)
    default: break
    }
    return byte
  }

  private mutating func close(_ bracket: UInt8) {
    if open.last == bracket {
      open.removeLast()
    } else if bracket == Byte.openBrace, let place = open.lastIndex(of: bracket) {
      open.removeSubrange(place...)
    } else {
      isBroken = true
    }
  }
}

extension BracketScanner {
  /// The place of the brace that closes the one at `start`.
  static func endOfBlock(_ bytes: [UInt8], from start: Int, to limit: Int) -> Int? {
    var scanner = BracketScanner()
    var lexer = Lexer(bytes, from: start, to: limit)
    while scanner.step(&lexer) != nil {
      if scanner.isBalanced { return lexer.offset - 1 }
    }
    return nil
  }

  /// Where the statement that begins at `start` ends: a newline or `;` outside its brackets.
  static func endOfStatement(_ bytes: [UInt8], from start: Int, to limit: Int) -> Int {
    var scanner = BracketScanner()
    var lexer = Lexer(bytes, from: start, to: limit)
    while let byte = scanner.step(&lexer) {
      if scanner.isBalanced, byte == Byte.newline || byte == Byte.semicolon { break }
    }
    return lexer.offset
  }
}
