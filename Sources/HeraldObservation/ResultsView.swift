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
  let stages: [Stage]
  /// The objects that match the predicate, as far as this view knows: what the first stage holds.
  let members: any RowSequence
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
    switch stages.first {
    case .ordered(let stage): members = stage.rows
    case .distinct(let stage): members = stage.rows
    case nil: members = last.rows
    }
    sort = builder.sort
  }

  var count: Int { rows.count }

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
