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
  /// The elements of the collection that the query is about; nil for all objects of its class.
  let collection: CollectionRows?
  /// Every stage but the last, in order.
  let stages: [Stage]
  /// The rows that match the predicate, as far as this view knows: what the first stage holds.
  let members: any RowSequence
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
    switch stages.first {
    case .ordered(let stage): members = stage.rows
    case .distinct(let stage): members = stage.rows
    case nil: members = last.rows
    }
    order = builder.order
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
