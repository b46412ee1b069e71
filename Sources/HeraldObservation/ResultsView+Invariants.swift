import HeraldQuery

extension ResultsView {
  /// What is wrong with the view in `reader`'s version; empty where nothing is. O(n log n).
  func violations(_ reader: any ObjectReader) -> [String] {
    var found: [String] = []
    for stage in stages {
      switch stage {
      case .ordered(let stage): found += stage.rows.violations(reader)
      case .distinct(let stage): found += stage.violations(reader)
      }
    }
    found += rows.rows.violations(reader)
    let fresh = ResultsView(query, reader)
    let expected = (0..<fresh.count).map { fresh.rows.rows.number(at: $0) }
    let actual = (0..<count).map { rows.rows.number(at: $0) }
    if expected != actual { found.append("rows are \(actual), the query gives \(expected)") }
    return found
  }
}
