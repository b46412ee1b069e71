import HeraldModel
import HeraldQuery

/// Builds the stages of a results view, each from the rows that the stage before it passes.
struct ResultsBuilder {
  private let query: BoundQuery
  private let reader: any ObjectReader
  private var stages: [ResultsView.Stage] = []
  private(set) var order: RowOrder
  /// The rows that the stages so far pass, by number.
  private var members: MemberSet
  /// The last stage with a limit or an offset, until another stage follows it.
  private var window: OrderedStage?

  init(_ query: BoundQuery, of collection: CollectionRows?, _ reader: any ObjectReader) {
    self.query = query
    self.reader = reader
    order = RowOrder(sort: SortOrder(keys: []), collection: collection)
    members = Self.members(of: query, collection, reader)
  }

  /// Returns the rows that match the predicate of a query.
  static func members(
    of query: BoundQuery, _ collection: CollectionRows?, _ reader: any ObjectReader
  ) -> MemberSet {
    collection.map { $0.members(query.predicate, reader) } ?? MemberSet(query.members(reader))
  }

  mutating func add(_ stage: QueryStage) {
    switch stage {
    case .sort(let sort):
      // A later sort takes precedence; the order before it breaks ties.
      order = order.by(sort.keys + order.sort.keys)
      settleWindow()
    case .distinct(let firsts):
      settleWindow()
      let keys = order.by(firsts.keys)
      let numbers = order.by(keys.sort.keys + order.sort.keys).sorted(members, reader)
      let distinct = DistinctStage(numbers, keys: keys, order: order, reader)
      members = distinct.passed
      stages.append(.distinct(distinct))
    case .filter(let predicate):
      settleWindow()
      let filter = FilterStage(members, predicate, order: order, reader)
      members = filter.passed
      stages.append(.filter(filter))
    case .limit(let limit): add(OrderedStage(orderedRowsOfWindow(), limit: max(0, limit)))
    case .offset(let offset): add(OrderedStage(orderedRowsOfWindow(), offset: max(0, offset)))
    case .sample(let count, let shuffled):
      settleWindow()
      let (kept, ordered) = (order, order.by(shuffled.keys))
      order = ordered
      add(OrderedStage(orderedRows(), limit: count))
      order = kept
      // Its rows are in another order than what it passes on.
      settleWindow()
    }
  }

  private mutating func orderedRowsOfWindow() -> any RowSequence {
    settleWindow()
    return orderedRows()
  }

  private mutating func add(_ stage: OrderedStage) {
    members = MemberSet()
    for position in 0..<stage.count { members.insert(stage.number(at: position)) }
    window = stage
  }

  /// Returns all stages but the last, and the last, whose rows the observer sees.
  mutating func finish() -> (stages: [ResultsView.Stage], last: OrderedStage) {
    (stages, window ?? OrderedStage(orderedRows()))
  }

  private mutating func settleWindow() {
    guard let stage = window else { return }
    stages.append(.ordered(stage))
    window = nil
  }

  private func orderedRows() -> any RowSequence {
    order.sort.keys.isEmpty && order.collection == nil
      ? CreationRows(members) : SortedRows(order.sorted(members, reader), by: order, reader)
  }
}

extension CollectionRows {
  /// Returns the elements that match a predicate. O(n).
  fileprivate func members(
    _ predicate: BoundPredicate, _ reader: any ObjectReader
  ) -> MemberSet {
    var members = MemberSet()
    rows.forEachNumber { row in
      if !reader.isInterrupted, isMember(row, predicate, reader) { members.insert(row) }
    }
    return members
  }

  /// Whether an element is an object that matches a predicate.
  func isMember(_ row: Int, _ predicate: BoundPredicate, _ reader: any ObjectReader) -> Bool {
    let object = object(of: row)
    return object > 0 && predicate.matches(object, reader)
  }
}
