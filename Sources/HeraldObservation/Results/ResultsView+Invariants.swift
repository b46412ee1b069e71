import HeraldModel
import HeraldQuery

extension ResultsView {
  /// The invariants of the view that do not hold in `reader`'s version. O(n log n).
  func violations(_ reader: any ObjectReader) -> [String] {
    var found: [String] = []
    for stage in stages {
      switch stage {
      case .ordered(let stage): found += stage.rows.violations(reader)
      case .distinct(let stage): found += stage.violations(reader)
      case .filter(let stage): found += stage.violations(reader)
      }
    }
    found += rows.rows.violations(reader) + (collection?.violations(reader) ?? [])
    let fresh = ResultsView(query.atPresent(reader), of: collection?.rebuilt(reader), reader)
    let expected = fresh.objects
    let actual = objects
    if expected != actual { found.append("rows are \(actual), the query returns \(expected)") }
    return found
  }

  private var objects: [Int] {
    (0..<count).map { order.object(of: rows.number(at: $0)) }
  }
}

extension CollectionRows {
  /// The invariants of the elements that do not hold in `reader`'s version. O(n).
  func violations(_ reader: any ObjectReader) -> [String] {
    var found = rows.violations + objects.violations
    let actual = (0..<count).map(objects.number(at:))
    if let location {
      let expected = Self.objects(location, reader)
      if actual != expected { found.append("elements are \(actual), not \(expected)") }
    }
    if actual != (0..<count).map({ object(of: rows.number(at: $0)) }) {
      found.append("elements and their objects differ")
    }
    return found
  }

  fileprivate func rebuilt(_ reader: any ObjectReader) -> CollectionRows {
    if let location { return CollectionRows(location, reader) }
    return CollectionRows((0..<count).map(objects.number(at:)))
  }
}
