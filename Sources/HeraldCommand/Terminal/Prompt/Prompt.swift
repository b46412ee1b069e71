import CEditLine
import HeraldShell

/// The prompt before the line that is being typed.
struct Prompt {
  /// The visible text, without colours.
  let text: String
  private let isColored: Bool

  /// - Parameter text: Store and session, and the end of a prompt. Control characters, which a file name may
  ///   contain, are escaped.
  init(_ text: String, isColored: Bool) {
    self.text = text.visible
    self.isColored = isColored
  }

  /// The prompt of the lines after the first, as wide as the first one's, with the brackets that are open,
  /// or the innermost of them.
  func continuation(in brackets: String) -> Prompt {
    let width = text.unicodeScalars.reduce(0) { $0 + Int(max(0, ce_width(wchar_t($1.value)))) }
    let room = max(1, width - Self.endLength)
    let shown = brackets.suffix(room)
    let dots = String(repeating: ".", count: room - shown.count)
    return Prompt(dots + shown + "> ", isColored: false)
  }

  /// The mark that brackets zero-width text. It must not be the last character, so the colour is reset
  /// before the last two.
  static let mark: CChar = 1

  /// The text for libedit, with marks and colours.
  var marked: String {
    guard isColored else { return text }
    let (label, end) = (text.dropLast(Self.endLength), text.suffix(Self.endLength))
    return "\u{1}\u{1B}[1;32m\u{1}\(label)\u{1}\u{1B}[0m\u{1}\(end)"
  }

  /// The length of the end of a prompt, a sign and a space.
  private static let endLength = 2
}
