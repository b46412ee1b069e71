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
    case filter(FilterStage)
  }

  let query: BoundQuery
  /// The elements of the collection that the query is about; nil for all objects of its class.
  let collection: CollectionRows?
  /// Every stage but the last, in order.
  let stages: [Stage]
  /// The rows that the observer sees.
  let rows: OrderedStage
  /// The order of the query: all its sort keys, the deciding ones first.
  let order: RowOrder

  /// Runs the query in `reader`'s version: one scan, and one sort for each stage that has an order.
  init(_ query: BoundQuery, of collection: CollectionRows? = nil, _ reader: any ObjectReader) {
    self.query = query
    self.collection = collection
    var builder = ResultsBuilder(query, of: collection, reader)
    for stage in query.stages { builder.add(stage) }
    let (stages, last) = builder.finish()
    self.stages = stages
    rows = last
    order = builder.order
  }

  var count: Int { rows.count }

  /// Whether a row is held by the first stage: those that the predicate lets in, as far as the view
  /// knows them.
  func holds(_ row: Int) -> Bool {
    switch stages.first {
    case .ordered(let stage): stage.rows.contains(row)
    case .distinct(let stage): stage.rows.contains(row)
    case .filter(let stage): stage.passed.contains(row)
    case nil: rows.rows.contains(row)
    }
  }

  /// Takes rows out of every stage and puts them back where they belong now.
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> PlacedDelta {
    var delta = delta
    for stage in stages {
      switch stage {
      case .ordered(let stage): delta = stage.apply(delta, reader).rows
      case .distinct(let stage): delta = stage.apply(delta, reader)
      case .filter(let stage): delta = stage.apply(delta, reader)
      }
    }
    return rows.apply(delta, reader)
  }
}
