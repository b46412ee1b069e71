import HeraldModel
import HeraldQuery

/// The rows of results as positions: a chain of stages, each in the order that stands at its place
/// in the query. Kept up with changes without ever asking the query again.
///
///     Dog where age > 3 sort(age) distinct(name) limit(2)
///     → DistinctStage(by name, in the order of age) → OrderedStage(by age, first 2)
final class ResultsView {
  enum Stage {
    case ordered(OrderedStage)
    case distinct(DistinctStage)
  }

  let query: BoundQuery
  /// Every stage but the last, in order.
  private let stages: [Stage]
  /// The rows that the observer sees.
  let rows: OrderedStage
  /// All sort keys of the query, the deciding ones first.
  let sort: SortOrder

  /// Runs the query in `reader`'s version: one scan, and one sort for each stage that has an order.
  init(_ query: BoundQuery, _ reader: any ObjectReader) {
    self.query = query
    var builder = ResultsBuilder(query, reader)
    for stage in query.stages { builder.add(stage) }
    let (stages, last) = builder.finish()
    self.stages = stages
    rows = last
    sort = builder.sort
  }

  var count: Int { rows.count }

  /// Whether an object matches the predicate, as far as this view knows. O(1).
  func isMember(_ number: ObjectNumber) -> Bool {
    switch stages.first {
    case .ordered(let stage): stage.rows.contains(number)
    case .distinct(let stage): stage.contains(number)
    case nil: rows.rows.contains(number)
    }
  }

  /// Takes rows out of every stage and puts them back where they belong now.
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> PlacedDelta {
    var delta = delta
    for stage in stages {
      switch stage {
      case .ordered(let stage): delta = stage.apply(delta, reader).rows
      case .distinct(let stage): delta = stage.apply(delta, reader)
      }
    }
    return rows.apply(delta, reader)
  }
}

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
