/// The lines on a screen, and the bytes that turn them into others: only lines that differ are
/// written, each whole, so that nothing flickers.
struct ScreenPicture {
  private var lines: [String] = []

  /// What a terminal that knows it does before it shows anything of a frame, and others ignore.
  private static let frameBegins = "\u{1B}[?2026h"
  private static let frameEnds = "\u{1B}[?2026l"

  /// Nothing is known of the screen.
  mutating func forget() { lines = [] }

  /// The bytes that show other lines, none of which fills the screen's whole width; empty when they
  /// are there already.
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
