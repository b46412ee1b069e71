import CEditLine
import Glibc
import HeraldShell

/// The colours and the hint drawn over libedit's line, unknown to libedit.
struct Decoration {
  /// The line that was drawn over; nil if libedit has redrawn it since.
  var line: TypedLine?
  var isColored = false
  /// Whether combining marks are drawn, which libedit leaves out.
  var hasMarks = false
  /// Whether a hint is shown after the cursor.
  var isHinting = false
}

extension EditorState {
  /// Redraws the line in colours, with its combining marks and a hint after it, in one write and only if the line has
  /// changed; the cursor stays.
  func decorate() {
    guard isEditing, let line = typedLine, decoration.line != line else { return }
    let hasMarks = line.text.hasMarks && canMoveCursor
    guard aid?.isColored ?? false || hasMarks || decoration.hasMarks else { return }
    var picture = ""
    let positions = cursorPositions()
    let canPaint = !line.isAsking && positions.end.row < windowSize.rows && line.text.isPaintable
    if canPaint {
      let highlights = aid?.highlights(line.text) ?? []
      if !highlights.isEmpty || decoration.isColored || hasMarks || decoration.hasMarks {
        picture =
          LinePicture(line.text, highlights, from: positionAfterPrompt(), to: positions.cursor).text
      }
      decoration.isColored = !highlights.isEmpty
      decoration.hasMarks = hasMarks
      picture += hint(line, at: positions.end)
    }
    decoration.line = line
    if !picture.isEmpty { write(picture) }
  }

  /// Whether the terminal understands escape sequences.
  var canMoveCursor: Bool { getenv("TERM").map { String(cString: $0) } != "dumb" }

  /// Erases the hint, so that the line is as libedit has drawn it.
  func eraseHint() {
    guard decoration.isHinting else { return }
    decoration.isHinting = false
    decoration.line = nil
    write("\u{1B}[K")
  }

  private func hint(_ line: TypedLine, at position: ScreenPosition) -> String {
    guard line.isCursorAtEnd, let hint = aid?.hint(line.text)?.visible else { return "" }
    let width = windowSize.columns - position.column - 1
    let shown = hint.shortened(to: width)
    guard !shown.isEmpty else { return "" }
    decoration.isHinting = true
    return "\u{1B}7\u{1B}[2m\(shown)\u{1B}[0m\u{1B}8"
  }
}

/// A line in colours, as the escape sequences that draw it over the one on the screen.
struct LinePicture {
  private(set) var text: String
  private var position: ScreenPosition

  init(
    _ line: String, _ highlights: [Highlight], from start: ScreenPosition, to cursor: ScreenPosition
  ) {
    position = start
    let up = cursor.row - start.row
    text = "\u{1B}7" + (up > 0 ? "\u{1B}[\(up)A" : "") + "\r"
    if start.column > 0 { text += "\u{1B}[\(start.column)C" }
    var offset = 0
    var end: Int?
    var rest = highlights[...]
    for scalar in line.unicodeScalars {
      if end == offset {
        text += "\u{1B}[0m"
        end = nil
      }
      if let next = rest.first, next.range.lowerBound == offset {
        text += next.style.sequence
        end = next.range.upperBound
        rest.removeFirst()
      }
      draw(scalar)
      offset += UTF8.width(scalar)
    }
    text += "\u{1B}[0m\u{1B}8"
  }

  private mutating func draw(_ scalar: Unicode.Scalar) {
    let character = wchar_t(bitPattern: scalar.value)
    let row = position.row
    position.makeRoom(for: character)
    if position.row > row { text += "\r\n" }
    let ownRow = position.row
    position.pass(character)
    // A joiner or a variation would change the width of what is beside it, which libedit counts alone.
    let isJoining = scalar == "\u{200D}" || ("\u{FE00}"..."\u{FE0F}").contains(scalar)
    if scalar != "\n", !isJoining { text.unicodeScalars.append(scalar) }
    if position.row > ownRow { text += "\r\n" }
  }
}

extension String {
  /// Whether a character is drawn over the one before it.
  fileprivate var hasMarks: Bool {
    unicodeScalars.contains { $0.value >= 0x300 && ce_width(wchar_t(bitPattern: $0.value)) == 0 }
  }

  /// Whether every character is printable.
  fileprivate var isPaintable: Bool {
    unicodeScalars.allSatisfy { $0 == "\n" || ce_width(wchar_t(bitPattern: $0.value)) >= 0 }
  }

  /// Returns the text, cut to a number of columns: after one of several alternatives where there are some.
  fileprivate func shortened(to columns: Int) -> String {
    let fitting = fitting(columns)
    guard fitting != self else { return self }
    var end = fitting[...]
    while let bar = end.lastIndex(of: "|") {
      let shown = end[..<bar] + "| …"
      if String(shown).fitting(columns) == shown { return String(shown) }
      end = end[..<bar]
    }
    return fitting
  }

  /// Returns the longest prefix that fits in a number of columns.
  fileprivate func fitting(_ columns: Int) -> String {
    var remaining = columns
    var fitting = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      remaining -= Int(max(0, ce_width(wchar_t(bitPattern: scalar.value))))
      if remaining < 0 { break }
      fitting.append(scalar)
    }
    return String(fitting)
  }
}

extension Highlight.Style {
  /// The escape sequence that switches the terminal to the style.
  fileprivate var sequence: String {
    switch self {
    case .keyword: "\u{1B}[1;34m"
    case .className: "\u{1B}[33m"
    case .variable: "\u{1B}[35m"
    case .string: "\u{1B}[32m"
    case .number: "\u{1B}[36m"
    case .comment: "\u{1B}[2m"
    case .mistake: "\u{1B}[31m"
    }
  }
}
