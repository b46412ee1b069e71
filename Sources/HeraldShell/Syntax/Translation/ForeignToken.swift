import Herald

/// A word, a number, a text or a sign of a statement in another language.
struct ForeignToken: Equatable {
  enum Kind { case word, number, text, sign }

  let kind: Kind
  /// As it is written; of a text what is between its quotes.
  let text: String
  /// The quotation mark of a text; empty for anything else.
  var quote = ""
  /// Whether it begins where the token before it ends.
  var isJoined = false

  var small: String { text.lowercased() }

  /// The value of a number, a text or a constant here; nil for what is none.
  var literal: String? {
    switch (kind, small) {
    case (.number, _): text
    case (.text, _): text.isDate ? text : text.quoted
    case (.word, "null"), (.word, "none"), (.word, "undefined"): "nil"
    case (.word, "true"), (.word, "false"): small
    case (.word, _), (.sign, _): nil
    }
  }

  /// The tokens of a text; nil if a quotation mark is not closed.
  static func tokens(of text: String) -> [ForeignToken]? {
    var rest = text[...]
    var tokens: [ForeignToken] = []
    var isJoined = false
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        isJoined = false
        continue
      }
      guard var token = next(&rest, first) else { return nil }
      token.isJoined = isJoined
      tokens.append(token)
      isJoined = true
    }
    return tokens
  }

  private static func next(_ rest: inout Substring, _ first: Character) -> ForeignToken? {
    if "'\"`".contains(first) { return quoted(&rest, first) }
    if first.isNumber || first == "-" && rest.dropFirst().first?.isNumber ?? false {
      let sign = first == "-" ? "-" : ""
      let digits = rest.dropFirst(sign.count).prefix { $0.isNumber || $0 == "." || $0 == "_" }
      rest = rest[digits.endIndex...]
      return ForeignToken(kind: .number, text: sign + digits.filter { $0 != "_" })
    }
    if first.isWordPart {
      let word = rest.prefix(while: \.isWordPart)
      rest = rest[word.endIndex...]
      return ForeignToken(kind: .word, text: String(word))
    }
    for sign in ["<=", ">=", "<>", "!=", "==", "||", "::"] where rest.hasPrefix(sign) {
      rest.removeFirst(2)
      return ForeignToken(kind: .sign, text: sign)
    }
    rest.removeFirst()
    return ForeignToken(kind: .sign, text: String(first))
  }

  /// A doubled quotation mark, or one after a backslash, is one within the text.
  private static func quoted(_ rest: inout Substring, _ quote: Character) -> ForeignToken? {
    rest.removeFirst()
    var text = ""
    while let next = rest.popFirst() {
      if next == "\\", let escaped = rest.popFirst() {
        text.append(escaped)
      } else if next != quote {
        text.append(next)
      } else if rest.first == quote {
        text.append(rest.removeFirst())
      } else {
        return ForeignToken(kind: .text, text: text, quote: String(quote))
      }
    }
    return nil
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" || self == "$" }
}

extension String {
  /// Whether the text is a date as it is written here.
  fileprivate var isDate: Bool {
    wholeMatch(of: #/\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z?)?/#) != nil
  }
}
