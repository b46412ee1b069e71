import HeraldModel
import HeraldQuery

/// Builds the stages of a results view: each from the rows that the part of the query before it
/// leaves.
struct ResultsBuilder {
  private let query: BoundQuery
  private let reader: any ObjectReader
  private var stages: [ResultsView.Stage] = []
  private(set) var sort = SortOrder(keys: [])
  /// What the stages so far leave, by creation.
  private var members: MemberSet
  /// The last stage with a limit, and whether it still gives the order.
  private var window: OrderedStage?

  init(_ query: BoundQuery, _ reader: any ObjectReader) {
    self.query = query
    self.reader = reader
    members = MemberSet(query.members(reader))
  }

  mutating func add(_ stage: QueryStage) {
    switch stage {
    case .sort(let order):
      // A later sort decides first; the order before it breaks its ties.
      sort = SortOrder(keys: order.keys + sort.keys)
      settleWindow()
    case .distinct(let paths):
      settleWindow()
      let keys = SortOrder(
        keys: paths.map { SortOrder.Key(path: $0, isAscending: true) })
      let numbers = members.sorted(by: SortOrder(keys: keys.keys + sort.keys), reader)
      let distinct = DistinctStage(numbers, keys: keys, order: sort, reader)
      members = distinct.passed
      stages.append(.distinct(distinct))
    case .limit(let limit):
      settleWindow()
      let stage = OrderedStage(orderedRows(), limit: max(0, limit))
      members = MemberSet()
      for position in 0..<stage.count { members.insert(stage.rows.number(at: position)) }
      window = stage
    }
  }

  /// The stages, and the one whose rows are seen.
  mutating func finish() -> (stages: [ResultsView.Stage], last: OrderedStage) {
    (stages, window ?? OrderedStage(orderedRows()))
  }

  private mutating func settleWindow() {
    guard let stage = window else { return }
    stages.append(.ordered(stage))
    window = nil
  }

  private func orderedRows() -> any RowSequence {
    sort.keys.isEmpty
      ? CreationRows(members) : SortedRows(members.sorted(by: sort, reader), by: sort)
  }
}

extension MemberSet {
  /// The members in order, ties by creation. O(n log n).
  func sorted(by sort: SortOrder, _ reader: any ObjectReader) -> [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    numbers.reserveCapacity(count)
    forEachMember { numbers.append($0) }
    return sort.sorted(numbers, reader)
  }
}
