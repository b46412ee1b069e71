import HeraldShell

/// A line of a terminal, in parts of one style each.
struct StyledText {
  /// The classes of the picture's style sheet.
  enum Style: String, CaseIterable {
    case prompt, keyword, name, variable, string, number, dim, red, green, yellow, bold
  }

  struct Part: Equatable {
    var text: String
    /// Nil for plain text.
    var style: Style?
  }

  private(set) var parts: [Part] = []

  var columns: Int { parts.reduce(0) { $0 + $1.text.count } }

  mutating func append(_ text: some StringProtocol, _ style: Style? = nil) {
    if text.isEmpty { return }
    if let last = parts.indices.last, parts[last].style == style {
      parts[last].text += text
    } else {
      parts.append(Part(text: String(text), style: style))
    }
  }

  /// Creates a prompt and a statement, in the colours of the line editor.
  init(prompt: String, statement: String) {
    append(prompt.dropLast(2), .prompt)
    append(prompt.suffix(2))
    let bytes = Array(statement.utf8)
    var end = 0
    for highlight in highlights(statement) {
      append(String(decoding: bytes[end..<highlight.range.lowerBound], as: UTF8.self))
      append(String(decoding: bytes[highlight.range], as: UTF8.self), Style(highlight.style))
      end = highlight.range.upperBound
    }
    append(String(decoding: bytes[end...], as: UTF8.self))
  }

  /// Creates a line of output, whose escape sequences become styles.
  init(terminal line: String) {
    var style: Style?
    for (number, piece) in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard number > 0, let end = piece.firstIndex(of: "m") else {
        append(piece)
        continue
      }
      style = Style(sequence: piece[..<end])
      append(piece[piece.index(after: end)...], style)
    }
  }
}

extension StyledText.Style {
  init?(_ style: Highlight.Style) {
    switch style {
    case .keyword: self = .keyword
    case .className: self = .name
    case .variable: self = .variable
    case .string: self = .string
    case .number: self = .number
    case .comment: self = .dim
    case .mistake: self = .red
    }
  }

  /// Creates the style of an escape sequence's numbers; nil for the sequence that resets it.
  init?(sequence: some StringProtocol) {
    switch sequence {
    case "1": self = .bold
    case "2": self = .dim
    case "31": self = .red
    case "32": self = .green
    case "33": self = .yellow
    default: return nil
    }
  }
}
