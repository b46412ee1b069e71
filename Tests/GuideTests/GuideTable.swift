import FoundationEssentials

/// A table of an article: its rows by their first cell.
struct GuideTable {
  /// The sentence of each row, from its second cell.
  private(set) var sentences: [String: String] = [:]

  static var folder: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// Reads the table below a heading.
  init(_ heading: String, of article: String) throws {
    let url = Self.folder.appending(path: "Sources/Herald/Herald.docc/\(article).md")
    let lines = try String(contentsOf: url, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { $0 != "## \(heading)" }.dropFirst()
    for line in section.prefix(while: { !$0.hasPrefix("## ") }) where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { String($0.dropFirst().dropLast()) }
      guard cells.count == 2, cells[1].hasPrefix("`") else { continue }
      sentences[cells[0]] = String(cells[1].dropFirst().dropLast())
    }
  }
}
