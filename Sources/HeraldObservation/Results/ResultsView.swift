import HeraldModel
import HeraldQuery

/// A live view of results as positions: a chain of stages in the order of the query's clauses, maintained
/// incrementally, without running the query again.
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
  /// The elements of the collection that the query reads; nil for all objects of its class.
  let collection: CollectionRows?
  /// Every stage but the last, in order.
  let stages: [Stage]
  /// The rows that the observer sees.
  let rows: OrderedStage
  /// The order of the query: all its sort keys, the most significant first.
  let order: RowOrder
  /// Whether it has every object of its class that matches, in one order.
  let isPlain: Bool
  /// Its rows if it is plain and has no order but that of creation.
  let creationRows: CreationRows?
  /// Its rows if it is plain and sorted.
  let sortedRows: SortedRows?

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
    isPlain = collection == nil && stages.isEmpty && rows.isWhole
    creationRows = isPlain ? rows.rows as? CreationRows : nil
    sortedRows = isPlain ? rows.rows as? SortedRows : nil
  }

  /// The view of a query without stages, of all objects of its class, whose rows are known.
  init(_ query: BoundQuery, _ creationRows: CreationRows) {
    self.query = query
    collection = nil
    stages = []
    rows = OrderedStage(creationRows)
    order = RowOrder(sort: SortOrder(keys: []), collection: nil)
    isPlain = true
    self.creationRows = creationRows
    sortedRows = nil
  }

  var count: Int { rows.count }

  /// Whether the first stage holds a row, which is to say that the predicate matched it at the view's
  /// version.
  func holds(_ row: Int) -> Bool {
    switch stages.first {
    case .ordered(let stage): stage.rows.contains(row)
    case .distinct(let stage): stage.rows.contains(row)
    case .filter(let stage): stage.passed.contains(row)
    case nil: rows.rows.contains(row)
    }
  }

  /// Applies a change of the rows to each stage in turn and returns that of the final rows.
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> RowChanges {
    var delta = delta
    for stage in stages {
      switch stage {
      case .ordered(let stage): delta = stage.apply(delta, reader)
      case .distinct(let stage): delta = stage.apply(delta, reader)
      case .filter(let stage): delta = stage.apply(delta, reader)
      }
    }
    return rows.changes(delta, reader)
  }
}
