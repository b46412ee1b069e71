import CEditLine
import HeraldShell

/// What was drawn over libedit's line, of which libedit knows nothing.
struct Decoration {
  /// The line as it was drawn over; nil when libedit has drawn it anew.
  var line: TypedLine?
  var isColored = false
  /// A hint stands behind the cursor.
  var isHinting = false
}

extension EditorState {
  /// Draws the line again in colours and a hint behind it; the cursor stays. All of it leaves in one
  /// write, and only when the line has changed.
  func decorate() {
    guard let aid, aid.isColored, isEditing, let line = typedLine, decoration.line != line else {
      return
    }
    var picture = ""
    let places = cursorPlaces()
    let canPaint = !line.isAsking && places.end.row < windowSize.rows && line.text.isPaintable
    if canPaint {
      let highlights = aid.highlights(line.text)
      if !highlights.isEmpty || decoration.isColored {
        picture = LinePicture(line.text, highlights, from: placeAfterPrompt, to: places.cursor).text
      }
      decoration.isColored = !highlights.isEmpty
      picture += hint(line, at: places.end)
    }
    decoration.line = line
    if !picture.isEmpty { write(picture) }
  }

  /// Takes the hint away, so that libedit finds the line as it has drawn it.
  func eraseHint() {
    guard decoration.isHinting else { return }
    decoration.isHinting = false
    decoration.line = nil
    write("\u{1B}[K")
  }

  private func hint(_ line: TypedLine, at place: ScreenPlace) -> String {
    guard line.isCursorAtEnd, let hint = aid?.hint(line.text)?.visible else { return "" }
    let room = windowSize.columns - place.column - 1
    let shown = hint.fitting(room)
    guard !shown.isEmpty else { return "" }
    decoration.isHinting = true
    return "\u{1B}7\u{1B}[2m\(shown)\u{1B}[0m\u{1B}8"
  }
}

/// A line in colours, as the bytes that draw it over the one on the screen.
struct LinePicture {
  private(set) var text: String
  private var place: ScreenPlace
  /// The last character filled its row: the terminal is about to go to the next.
  private var isWrapPending = false

  init(
    _ line: String, _ highlights: [Highlight], from start: ScreenPlace, to cursor: ScreenPlace
  ) {
    place = start
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
    let row = place.row
    place.pass(wchar_t(bitPattern: scalar.value))
    guard scalar == "\n" else {
      text.unicodeScalars.append(scalar)
      if scalar.properties.generalCategory != .nonspacingMark {
        isWrapPending = place.row > row && place.column == 0
      }
      return
    }
    text += isWrapPending ? "\r\n\r\n" : "\r\n"
    isWrapPending = false
  }
}

extension String {
  /// Whether each character is drawn as itself.
  fileprivate var isPaintable: Bool {
    unicodeScalars.allSatisfy { $0 == "\n" || ce_width(wchar_t(bitPattern: $0.value)) >= 0 }
  }

  /// As much as goes into so many columns.
  fileprivate func fitting(_ columns: Int) -> String {
    var room = columns
    var fitting = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      room -= Int(max(0, ce_width(wchar_t(bitPattern: scalar.value))))
      if room < 0 { break }
      fitting.append(scalar)
    }
    return String(fitting)
  }
}

extension Highlight.Style {
  /// What switches the terminal to the style.
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
