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

  /// The query, as it was bound last.
  private(set) var query: BoundQuery
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

  /// Returns the change of the rows of the first stage where the query, bound again, has another predicate; `delta` is
  /// that of the elements of the collection, if there is one.
  ///
  /// - Parameter rekeyed: the rows whose sort or distinct values may have changed.
  func exchange(
    _ query: BoundQuery, _ delta: RowDelta, rekeyed: Set<Int>, _ reader: any ObjectReader
  ) -> RowDelta {
    self.query = query
    let members = ResultsBuilder.members(of: query, collection, reader)
    let replaced = rekeyed.union(delta.displaced)
    var exchanged = RowDelta(displaced: delta.displaced)
    forEachHeld { row in
      if !members.contains(row) || replaced.contains(row) { exchanged.removed.append(row) }
    }
    members.forEachMember { row in
      if !holds(row) || replaced.contains(row) { exchanged.added.append(row) }
    }
    return exchanged
  }

  /// Calls `body` with the rows that the first stage holds.
  private func forEachHeld(_ body: (Int) -> Void) {
    let held: any RowSequence
    switch stages.first {
    case .filter(let stage): return stage.passed.forEachMember(body)
    case .ordered(let stage): held = stage.rows
    case .distinct(let stage): held = stage.rows
    case nil: held = rows.rows
    }
    for position in 0..<held.count { body(held.number(at: position)) }
  }

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

extension ResultsView {
  /// Returns how the rows differ from those of a view of the same elements, at an earlier version.
  ///
  /// - Parameter replaced: The rows whose sort values may have changed; all others kept their order, unless a sort has values
  ///   of the store.
  func changes(from old: ResultsView, replaced: Set<Int>) -> RowChanges {
    let areAllReplaced = query.sortOrders.contains(where: \.hasValuesOfStore)
    func isReplaced(_ row: RowChanges.Row) -> Bool {
      areAllReplaced || replaced.contains(row.number)
    }
    func placed(_ view: ResultsView) -> [RowChanges.Row] {
      (0..<view.count).map {
        RowChanges.Row(number: view.rows.number(at: $0), position: $0)
      }
    }
    let (before, after) = (placed(old), placed(self))
    let (oldNumbers, newNumbers) = (Set(before.map(\.number)), Set(after.map(\.number)))
    return RowChanges(
      removed: before.filter { !newNumbers.contains($0.number) || isReplaced($0) },
      added: after.filter { !oldNumbers.contains($0.number) || isReplaced($0) })
  }
}
