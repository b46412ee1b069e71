/// The bytes that are significant in the language.
enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let doubleQuote = UInt8(ascii: "\"")
  static let singleQuote = UInt8(ascii: "'")
  static let backslash = UInt8(ascii: "\\")
  static let number = UInt8(ascii: "#")
  static let dollar = UInt8(ascii: "$")
  static let underscore = UInt8(ascii: "_")
  static let dot = UInt8(ascii: ".")
  static let at = UInt8(ascii: "@")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let question = UInt8(ascii: "?")
  static let equals = UInt8(ascii: "=")
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let star = UInt8(ascii: "*")
  static let slash = UInt8(ascii: "/")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let openParenthesis = UInt8(ascii: "(")
  static let closeParenthesis = UInt8(ascii: ")")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// White space within a line.
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == space || byte == tab || byte == carriageReturn
  }

  /// ASCII letters and `_`, which may begin a name, like letters beyond ASCII.
  static func isNameStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == underscore
  }

  static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }
}
