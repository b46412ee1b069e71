/// Measures the columns that a text takes on a terminal.
enum TextWidth {
  static func columns(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns($1) }
  }

  /// A character takes the columns of its first scalar; combining scalars are drawn over it.
  static func columns(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    return isWide(scalar.value) ? 2 : 1
  }

  /// The text truncated to a number of columns, with an ellipsis if it was longer.
  static func cut(_ text: String, to width: Int) -> String {
    guard columns(text) > width else { return text }
    var cut = ""
    var taken = 1
    for character in text {
      taken += columns(character)
      if taken > width { break }
      cut.append(character)
    }
    return cut + "…"
  }

  /// Breaks a text into lines of at most `columns` columns: between words, and within a word that is longer than a line; not
  /// after a colon, if what follows has room.
  /// All but the first begin with `hanging` blanks, at most half a line.
  static func lines(_ text: String, columns: Int, hanging: Int) -> [String] {
    guard Self.columns(text) > columns else { return [text] }
    let indent = min(hanging, columns / 2)
    var lines: [String] = []
    var line = ""
    var taken = 0
    func breakLine() {
      lines.append(line)
      line = String(repeating: " ", count: indent)
      taken = indent
    }
    var rest = text[...]
    while !rest.isEmpty {
      let blanks = rest.prefix { $0 == " " }
      var word = rest[blanks.endIndex...].prefix { $0 != " " }
      rest = rest[word.endIndex...]
      var width = Self.columns(String(word))
      if word.last == ":", rest.first == " " {
        // A name stays with its value.
        let end = rest.dropFirst().firstIndex(of: " ") ?? rest.endIndex
        let pair = text[word.startIndex..<end]
        if Self.columns(String(pair)) <= columns - indent {
          (word, width, rest) = (pair, Self.columns(String(pair)), rest[end...])
        }
      }
      if taken + blanks.count + width > columns, width <= columns - indent {
        breakLine()
      } else if taken + blanks.count < columns {
        line += blanks
        taken += blanks.count
      }
      for character in word {
        let width = Self.columns(character)
        if taken + width > columns, taken > indent { breakLine() }
        line.append(character)
        taken += width
      }
    }
    lines.append(line)
    return lines
  }

  /// The blocks with double width in East Asian text (Unicode's W and F classes, by block).
  private static func isWide(_ code: UInt32) -> Bool {
    switch code {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
