/// Follows brackets, strings and comments through the bytes of a script, so that input from a pipe
/// can be cut where every statement is whole. One step a byte; nothing is read twice.
///
/// A string that is not closed keeps the text open: cutting inside it would change what it means.
struct BracketScanner {
  private enum State {
    case code(afterSpace: Bool)
    case string(quote: UInt8, escaped: Bool)
    case comment
  }

  private var state = State.code(afterSpace: true)
  private var depth = 0

  /// True when the byte just taken ended a line outside every bracket and string.
  private(set) var isAtBoundary = true

  mutating func take(_ byte: UInt8) {
    isAtBoundary = false
    switch state {
    case .code(let afterSpace): takeCode(byte, afterSpace: afterSpace)
    case .string(let quote, let escaped):
      if escaped {
        state = .string(quote: quote, escaped: false)
      } else if byte == UInt8(ascii: "\\") {
        state = .string(quote: quote, escaped: true)
      } else if byte == quote {
        state = .code(afterSpace: false)
      }
    case .comment:
      if byte == UInt8(ascii: "\n") { endLine() }
    }
  }

  private mutating func takeCode(_ byte: UInt8, afterSpace: Bool) {
    switch byte {
    case UInt8(ascii: "\n"): endLine()
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): state = .code(afterSpace: true)
    case UInt8(ascii: "#") where afterSpace: state = .comment
    case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .string(quote: byte, escaped: false)
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      depth += 1
      state = .code(afterSpace: false)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth = max(0, depth - 1)
      state = .code(afterSpace: false)
    default: state = .code(afterSpace: false)
    }
  }

  private mutating func endLine() {
    state = .code(afterSpace: true)
    isAtBoundary = depth == 0
  }
}
