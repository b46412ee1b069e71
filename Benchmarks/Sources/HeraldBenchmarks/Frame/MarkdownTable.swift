/// A table of Markdown whose first column is text, and the others are figures.
struct MarkdownTable {
  private var lines: [String]

  init(_ heads: [String]) {
    lines = [Self.line(heads), "|---|" + String(repeating: "---:|", count: heads.count - 1)]
  }

  mutating func add(_ cells: [String]) { lines.append(Self.line(cells)) }

  var text: String { lines.map { $0 + "\n" }.joined() }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}
