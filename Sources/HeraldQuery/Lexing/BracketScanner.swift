/// Scans brackets, strings and comments without parsing, to find whether a text is complete, and where a
/// block or a failed statement ends.
///
/// An unmatched quote on a line counts as an ordinary sign, and a closing brace closes brackets left open
/// in its block, so that the end of a block is found whatever its content.
package struct BracketScanner {
  package private(set) var open: [UInt8] = []
  /// Whether an unmatched closing bracket was found.
  package private(set) var isBroken = false

  package init() {}

  package var isBalanced: Bool { open.isEmpty }

  /// Scans whole lines (or the rest of a text), all of it or a part. May be called repeatedly with consecutive texts.
  package mutating func feed(_ bytes: [UInt8], from start: Int = 0, to end: Int? = nil) {
    var lexer = Lexer(bytes, from: start, to: end)
    repeat { lexer.skipInsignificant() } while step(&lexer) != nil
  }

  /// Consumes one sign, string or other byte; returns it, or nil at the end of the text.
  @inline(__always)
  package mutating func step(_ lexer: inout Lexer) -> UInt8? {
    guard lexer.offset < lexer.limit else { return nil }
    let position = lexer.offset
    let byte = lexer.bytes[position]
    lexer.offset = position + 1
    switch byte {
    case Byte.doubleQuote, Byte.singleQuote:
      if let end = lexer.endOfString(at: position) { lexer.offset = end }
    case Byte.number where lexer.beginsComment(at: position):
      lexer.skipLine()
    case Byte.bar: skipBar(&lexer)
    case Byte.openBrace, Byte.openBracket, Byte.openParenthesis: open.append(byte)
    case Byte.closeBrace: close(Byte.openBrace)
    case Byte.closeBracket: close(Byte.openBracket)
    case Byte.closeParenthesis: close(Byte.openParenthesis)
    default: break
    }
    return byte
  }

  /// Skips the rest of `||`, an operator, or a command of the system's shell, which follows a single bar. Apart from
  /// `step`, which is inlined where every byte of a pipe's input passes.
  @inline(never)
  private func skipBar(_ lexer: inout Lexer) {
    if lexer.offset < lexer.limit, lexer.bytes[lexer.offset] == Byte.bar {
      lexer.offset += 1
    } else {
      lexer.offset = ProgramCommand.end(
        lexer.bytes, from: lexer.offset, to: lexer.limit, isInBlock: open.contains(Byte.openBrace))
    }
  }

  private mutating func close(_ bracket: UInt8) {
    if open.last == bracket {
      open.removeLast()
    } else if bracket == Byte.openBrace, let position = open.lastIndex(of: bracket) {
      open.removeSubrange(position...)
    } else {
      isBroken = true
    }
  }
}

extension BracketScanner {
  /// The offset of the brace that closes the one at `start`.
  package static func endOfBlock(_ bytes: [UInt8], from start: Int, to limit: Int) -> Int? {
    var scanner = BracketScanner()
    var lexer = Lexer(bytes, from: start, to: limit)
    while scanner.step(&lexer) != nil {
      if scanner.isBalanced { return lexer.offset - 1 }
    }
    return nil
  }

  /// The end of the statement that begins at `start`: a newline or `;` outside its brackets.
  package static func endOfStatement(_ bytes: [UInt8], from start: Int, to limit: Int) -> Int {
    var scanner = BracketScanner()
    var lexer = Lexer(bytes, from: start, to: limit)
    while let byte = scanner.step(&lexer) {
      if scanner.isBalanced, byte == Byte.newline || byte == Byte.semicolon { break }
    }
    return lexer.offset
  }
}

extension Lexer {
  /// Skips bytes that are no quotes, brackets, bars or number signs: letters, digits and most signs.
  fileprivate mutating func skipInsignificant() {
    offset = bytes.withUnsafeBufferPointer { bytes in
      var position = offset
      while position < limit {
        let byte = bytes[position]
        guard
          byte &- Byte.star <= UInt8(ascii: "Z") - Byte.star || byte < Byte.doubleQuote
            || byte &- UInt8(ascii: "^") <= UInt8(ascii: "z") - UInt8(ascii: "^")
        else { break }
        position &+= 1
      }
      return position
    }
  }
}
