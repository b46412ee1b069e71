/// The bytes that are significant in the language.
package enum Byte {
  package static let tab = UInt8(ascii: "\t")
  package static let newline = UInt8(ascii: "\n")
  package static let carriageReturn = UInt8(ascii: "\r")
  package static let space = UInt8(ascii: " ")
  package static let doubleQuote = UInt8(ascii: "\"")
  package static let singleQuote = UInt8(ascii: "'")
  package static let backslash = UInt8(ascii: "\\")
  package static let number = UInt8(ascii: "#")
  package static let dollar = UInt8(ascii: "$")
  package static let underscore = UInt8(ascii: "_")
  package static let dot = UInt8(ascii: ".")
  package static let at = UInt8(ascii: "@")
  package static let comma = UInt8(ascii: ",")
  package static let colon = UInt8(ascii: ":")
  package static let semicolon = UInt8(ascii: ";")
  package static let question = UInt8(ascii: "?")
  package static let equals = UInt8(ascii: "=")
  package static let plus = UInt8(ascii: "+")
  package static let minus = UInt8(ascii: "-")
  package static let star = UInt8(ascii: "*")
  package static let percent = UInt8(ascii: "%")
  package static let slash = UInt8(ascii: "/")
  package static let exclamation = UInt8(ascii: "!")
  package static let ampersand = UInt8(ascii: "&")
  package static let bar = UInt8(ascii: "|")
  package static let less = UInt8(ascii: "<")
  package static let greater = UInt8(ascii: ">")
  package static let openParenthesis = UInt8(ascii: "(")
  package static let closeParenthesis = UInt8(ascii: ")")
  package static let openBracket = UInt8(ascii: "[")
  package static let closeBracket = UInt8(ascii: "]")
  package static let openBrace = UInt8(ascii: "{")
  package static let closeBrace = UInt8(ascii: "}")

  package static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  package static func endsLine(_ byte: UInt8) -> Bool { byte == newline || byte == carriageReturn }

  /// White space within a line.
  package static func isBlank(_ byte: UInt8) -> Bool {
    byte == space || byte == tab || byte == carriageReturn
  }

  /// ASCII letters and `_`, which may begin a name, like letters beyond ASCII.
  package static func isNameStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == underscore
  }

  package static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }
}
