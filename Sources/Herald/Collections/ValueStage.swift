import HeraldEngine
import HeraldModel
import HeraldQuery

/// What is done with the values of a collection.
enum ValueStage {
  case sorted(isAscending: Bool)
  /// Each value once.
  case distinct
  /// Those that match, of a store.
  case matching(ElementQuery)

  /// Returns the places of the values that there are, in their order. The core is that of a store's collection.
  func order(_ values: [Value], _ core: StoreCore?) -> [Int] {
    switch self {
    case .sorted(let isAscending):
      return values.indices.sorted { a, b in
        let order = Value.order(values[a], values[b])
        return order == 0 ? a < b : (order < 0) == isAscending
      }
    case .distinct:
      var seen: Set<Value> = []
      return values.indices.filter { seen.insert(values[$0]).inserted }
    case .matching(let query): return core.map { query.rows(values, $0.session.reader) } ?? []
    }
  }
}

extension [ValueStage] {
  func values(_ values: [Value], _ core: StoreCore?) -> [Value] {
    reduce(values) { values, stage in stage.order(values, core).map { values[$0] } }
  }
}
