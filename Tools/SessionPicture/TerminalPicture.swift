/// An animated picture of a session in a terminal's window: SVG with a style sheet and no script.
///
/// Every row has a fixed position and is visible from its time on. A cover with the cursor at its edge moves
/// to the right and reveals a statement column by column. Without animation the picture shows the end of the
/// session.
struct TerminalPicture {
  private enum Measure {
    static let column = 9
    static let row = 22
    static let fontSize = 15
    static let margin = 22
    static let bar = 36
    /// The distance from the top of a row to its baseline.
    static let baseline = 16
  }

  private let timeline: Timeline
  private var rules = ""
  private var rows: [String] = []
  private var columns = 0
  private var animations = 0
  /// The CSS classes that appear at a time, by that time.
  private var appearances: [Int: String] = [:]

  init(_ session: RecordedSession) {
    timeline = Timeline(session)
    for (exchange, typing) in zip(session.exchanges, timeline.typings) {
      add(exchange, typing)
    }
    add(lastPrompt: session.lastPrompt)
  }

  var text: String {
    let width = columns * Measure.column + 2 * Measure.margin
    let height = Measure.bar + rows.count * Measure.row + 2 * Measure.margin
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" xml:space="preserve">
      <title>A session of herald</title>
      <style>
      \(Self.look)
      \(rules)@media (prefers-reduced-motion: reduce) { * { animation: none !important } }
      </style>
      <clipPath id="w"><rect width="\(width)" height="\(height)" rx="10"/></clipPath>
      <g clip-path="url(#w)">
      <rect class="back" width="\(width)" height="\(height)"/>
      <rect class="bar" width="\(width)" height="\(Measure.bar)"/>
      <circle cx="22" cy="18" r="6" fill="#ef6b73"/><circle cx="42" cy="18" r="6" fill="#e5c07b"/>\
      <circle cx="62" cy="18" r="6" fill="#8ccf7e"/>
      <text class="dim" x="\(width / 2)" y="23" text-anchor="middle">herald</text>
      \(rows.joined(separator: "\n"))
      </g>
      </svg>

      """
  }

  private static let look = """
    text { font: \(Measure.fontSize)px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
    fill: #d5d9e2; white-space: pre }
    .back { fill: #1b1e26 } .bar { fill: #2a2e39 } .cursor { fill: #d5d9e2 }
    .typing { opacity: 0 }
    .prompt { fill: #8ccf7e; font-weight: bold } .keyword { fill: #7aa2f7; font-weight: bold }
    .name, .yellow { fill: #e5c07b } .variable { fill: #c39ac9 } .string, .green { fill: #8ccf7e }
    .number { fill: #67cbe7 } .red { fill: #ef6b73 } .dim { fill: #8b93a5 } .bold { font-weight: bold }
    """

  // MARK: Rows

  private mutating func add(_ exchange: RecordedSession.Exchange, _ typing: Timeline.Typing) {
    let line = StyledText(prompt: exchange.prompt, statement: exchange.statement)
    let cover = Self.cover(
      from: exchange.prompt.count, row: rows.count,
      name: uncovering(exchange.statement.count, typing))
    addRow(Self.element(line, row: rows.count) + cover, from: typing.shown)
    columns = max(columns, line.columns + 1)
    for output in exchange.output {
      let line = StyledText(terminal: output)
      addRow(Self.element(line, row: rows.count), from: typing.entered)
      columns = max(columns, line.columns)
    }
  }

  private mutating func add(lastPrompt: String) {
    let line = StyledText(prompt: lastPrompt, statement: "")
    let cursor = Self.cursor(column: lastPrompt.count, row: rows.count)
    addRow(
      Self.element(line, row: rows.count) + cursor, from: timeline.typings.last?.entered ?? 0)
  }

  private mutating func addRow(_ content: String, from time: Int) {
    let name = appearing(at: time)
    rows.append("<g\(name.map { " class=\"\($0)\"" } ?? "")>\(content)</g>")
  }

  private static func element(_ line: StyledText, row: Int) -> String {
    let parts = line.parts.map { part in
      let text = escaped(part.text)
      return part.style.map { "<tspan class=\"\($0.rawValue)\">\(text)</tspan>" } ?? text
    }
    return "<text x=\"\(Measure.margin)\" y=\"\(top(of: row) + Measure.baseline)\" "
      + "textLength=\"\(line.columns * Measure.column)\">\(parts.joined())</text>"
  }

  private static func cover(from column: Int, row: Int, name: String) -> String {
    let x = Measure.margin + column * Measure.column
    return "<g class=\"typing \(name)\"><rect class=\"back\" x=\"\(x)\" y=\"\(top(of: row))\" "
      + "width=\"2000\" height=\"\(Measure.row)\"/>\(cursor(column: column, row: row))</g>"
  }

  private static func cursor(column: Int, row: Int) -> String {
    "<rect class=\"cursor\" x=\"\(Measure.margin + column * Measure.column)\" "
      + "y=\"\(top(of: row) + 1)\" width=\"\(Measure.column)\" height=\"\(Measure.row - 3)\"/>"
  }

  private static func top(of row: Int) -> Int { Measure.bar + Measure.margin + row * Measure.row }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  // MARK: Animations

  /// Returns the CSS class that appears at a time; nil for the beginning.
  private mutating func appearing(at time: Int) -> String? {
    guard time > 0 else { return nil }
    if let name = appearances[time] { return name }
    let at = timeline.percentage(time)
    let name = animate("0% { opacity: 0 } \(at), 100% { opacity: 1 }")
    appearances[time] = name
    return name
  }

  /// Returns the CSS class of a cover that moves by `count` columns.
  private mutating func uncovering(_ count: Int, _ typing: Timeline.Typing) -> String {
    let end = "transform: translateX(\(count * Measure.column)px)"
    return animate(
      "0%, \(timeline.percentage(typing.begins)) { opacity: 1; transform: translateX(0); "
        + "animation-timing-function: steps(\(count)) } "
        + "\(timeline.percentage(typing.ends)) { opacity: 1; \(end) } "
        + "\(timeline.percentage(typing.entered)), 100% { opacity: 0; \(end) }")
  }

  private mutating func animate(_ frames: String) -> String {
    animations += 1
    let name = "a\(animations)"
    rules += "@keyframes \(name) { \(frames) }\n"
    rules += ".\(name) { animation: \(name) \(timeline.duration)ms step-end infinite }\n"
    return name
  }
}
