import CEditLine

/// The position of a character on the screen, counted from the prompt's first row, computed by libedit's
/// rules, because libedit does not report it.
struct ScreenPosition: Hashable {
  private(set) var row = 0
  private(set) var column = 0
  private let columns: Int

  init(columns: Int) { self.columns = max(1, columns) }

  mutating func pass(_ character: wchar_t) {
    switch character {
    case 0x0A:
      column = 0
      row += 1
    case 0x09:
      column = (column | 7) + 1
    default:
      let width = Self.width(of: character)
      if width == 2, !Self.isControl(character) { makeRoom(for: character) }
      column += width
    }
    if column >= columns {
      column -= columns
      row += 1
    }
  }

  /// Moves to the next row if a wide character does not fit in the rest of the row.
  mutating func makeRoom(for character: wchar_t) {
    guard ce_width(character) > 1, column + 2 > columns else { return }
    column = 0
    row += 1
  }

  /// Returns the columns of a character: control characters are shown as `^X`, unprintable ones as
  /// `\U+XXXX`.
  private static func width(of character: wchar_t) -> Int {
    if isControl(character) { return 2 }
    let width = Int(ce_width(character))
    if width >= 0 { return width }
    return character > 0xFFFF ? 8 : 7
  }

  private static func isControl(_ character: wchar_t) -> Bool {
    character < 0x20 || character == 0x7F
  }
}
