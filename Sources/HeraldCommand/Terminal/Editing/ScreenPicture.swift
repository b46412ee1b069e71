/// The lines on a screen, and the escape sequences that change them: only lines that differ are written, each
/// whole, so that nothing flickers.
struct ScreenPicture {
  private var lines: [String] = []

  /// Begins a synchronized update, which terminals without it ignore.
  private static let frameBegins = "\u{1B}[?2026h"
  private static let frameEnds = "\u{1B}[?2026l"

  /// Discards the known lines; the next frame draws all of them.
  mutating func forget() { lines = [] }

  /// Returns the output that shows other lines, none of which fills the screen's whole width; empty if they
  /// are shown already.
  mutating func frame(_ new: [String]) -> String {
    var text = lines.isEmpty ? "\u{1B}[H\u{1B}[2J" : ""
    for (row, line) in new.enumerated() where row >= lines.count || lines[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    if lines.count > new.count { text += "\u{1B}[\(new.count + 1);1H\u{1B}[J" }
    lines = new
    return text.isEmpty ? "" : Self.frameBegins + text + Self.frameEnds
  }
}
