/// The extent of a command for the system's shell, after a `|`: the rest of the line.
///
/// In a block, a `}` that nothing in the command opened ends it, as it ends a statement. Quotes, a backslash and a
/// comment hide braces as they do in sh(1).
package enum ProgramCommand {
  /// The offset of the newline or the brace after the command that begins at `start`, at most `limit`.
  package static func end(
    _ bytes: [UInt8], from start: Int, to limit: Int, isInBlock: Bool
  ) -> Int {
    var offset = start
    var open = 0
    while offset < limit, bytes[offset] != Byte.newline {
      let byte = bytes[offset]
      switch byte {
      case _ where !isInBlock: break
      case Byte.backslash: offset += 1
      case Byte.singleQuote, Byte.doubleQuote:
        offset = endOfQuote(bytes, from: offset, to: limit) ?? offset
      case Byte.number where Byte.isBlank(bytes[offset - 1]):
        while offset + 1 < limit, bytes[offset + 1] != Byte.newline { offset += 1 }
      case Byte.openBrace: open += 1
      case Byte.closeBrace where open == 0: return offset
      case Byte.closeBrace: open -= 1
      default: break
      }
      offset += 1
    }
    return min(offset, limit)
  }

  /// The offset of the quote that ends the one at `start` on its line; nil if none does.
  private static func endOfQuote(_ bytes: [UInt8], from start: Int, to limit: Int) -> Int? {
    var offset = start + 1
    while offset < limit, bytes[offset] != Byte.newline, bytes[offset] != bytes[start] {
      let isEscaped = bytes[start] == Byte.doubleQuote && bytes[offset] == Byte.backslash
      offset += isEscaped ? 2 : 1
    }
    return offset < limit && bytes[offset] == bytes[start] ? offset : nil
  }
}
