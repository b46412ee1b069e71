extension WatchTable {
  /// The violated invariants of the table; empty if there are none.
  var violations: [String] {
    var found: [String] = []
    let live = lines.count { !$0.isDeleted }
    if live != visible.count { found.append("\(live) live lines for the rows \(visible)") }
    if top < 0 || top > lastTop { found.append("begins at row \(top) of \(count)") }
    if anchor == .start, top != 0 { found.append("follows the start, and begins at row \(top)") }
    if anchor == .end, top != lastTop { found.append("follows the end, and begins at row \(top)") }
    for line in lines where line.mark == nil && !line.previous.isEmpty {
      found.append("a line without a mark has previous cells")
    }
    return found
  }

  /// The first difference of the lines from the present rows; nil if there is none.
  func difference(fromCount count: Int, _ rows: [Content]) -> String? {
    if count != self.count { return "\(count) rows, where \(self.count) are shown" }
    let live = lines.filter { !$0.isDeleted }.map(\.content)
    for (row, (shown, real)) in zip(visible, zip(live, rows)) where shown != real {
      return "row \(row) is \(real.words), where \(shown.words) is shown"
    }
    return live.count == rows.count ? nil : "\(rows.count) rows from \(top) on, not \(live.count)"
  }
}

extension WatchTable.Content {
  fileprivate var words: String { ([label ?? ""] + cells.map(\.text)).joined(separator: " ") }
}
