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
