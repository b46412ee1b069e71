/// A word, number, string or sign of the language, as a range of bytes.
package struct Token: Equatable {
  package enum Kind: UInt8 {
    case word, variable, string, number
    /// One of `{ } ( ) [ ] , ; : . # @ ? = + - * / < >`: its byte is in the text.
    case sign
    case newline, end
    /// An unterminated string, or bytes that begin no token.
    case unterminated, unknown

    // Without this function, other targets would compare through the protocol's table.
    package static func == (left: Kind, right: Kind) -> Bool { left.rawValue == right.rawValue }
  }
  package var kind: Kind
  package var start: Int
  package var end: Int

  package var span: SourceSpan { SourceSpan(start: start, end: end) }
}
