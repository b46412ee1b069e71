import CEditLine
import HeraldShell

/// What stands before the line that is being typed.
struct Prompt {
  /// What is shown, without colours.
  let text: String
  private let isColored: Bool

  /// - Parameter text: store and session, and what ends a prompt. What a terminal would
  ///   obey, which a file name may hold, is escaped.
  init(_ text: String, isColored: Bool) {
    self.text = text.visible
    self.isColored = isColored
  }

  /// The prompt of the lines after the first, as wide as the first one's.
  var continuation: Prompt {
    let width = text.unicodeScalars.reduce(0) { $0 + Int(max(0, ce_width(wchar_t($1.value)))) }
    let dots = String(repeating: ".", count: max(1, width - Self.endLength))
    return Prompt(dots + "> ", isColored: false)
  }

  /// The mark that brackets what takes no room. It may not stand at the very end, so the colour is
  /// reset before the last two characters.
  static let mark: CChar = 1

  /// What libedit is given.
  var marked: String {
    guard isColored else { return text }
    let (label, end) = (text.dropLast(Self.endLength), text.suffix(Self.endLength))
    return "\u{1}\u{1B}[1;32m\u{1}\(label)\u{1}\u{1B}[0m\u{1}\(end)"
  }

  /// A sign and a space end a prompt.
  private static let endLength = 2
}
