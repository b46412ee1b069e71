import HeraldQuery
import HeraldReplication

/// The rows of observed dogs as their observer knows them: each change set is replayed, and the result is compared with
/// the store's rows and their values.
final class ReplayedRows {
  private(set) var updates: [ChangeSet] = []
  /// The first difference between what the observer knows and the store.
  private(set) var difference: String?
  private var rows: [String] = []
  private var token: ObservationToken?

  /// Observes the dogs that a query matches, such as `age > 5 SORT(name)`.
  init(of store: DynamicStore, _ query: String? = nil) throws {
    token = try Self.results(of: store, query).observe { [unowned self] results, change in
      try apply(change, results)
    }
    _ = try store.endTurn()
  }

  static func results(of store: DynamicStore, _ query: String?) throws -> DynamicResults {
    guard let query else { return try store.objects("Dog") }
    let (tail, _) = try QueryParser.parseTail(Array("where \(query)".utf8), from: 0)
    return try store.results("Dog", tail, names: NoNames())
  }

  private func apply(_ change: DynamicCollectionChange, _ results: DynamicResults) throws {
    let wanted = try results.objects.map { dog in
      "\(dog.id) \(try dog.value("name")) \(try dog.value("age"))"
    }
    switch change {
    case .initial: rows = wanted
    case .update(let changes, _):
      updates.append(changes)
      for row in changes.deletions.reversed() { rows.remove(at: row) }
      for row in changes.insertions { rows.insert(wanted[row], at: row) }
      for row in changes.modificationsNew { rows[row] = wanted[row] }
    case .mapUpdate, .error: difference = difference ?? "\(change)"
    }
    if rows != wanted { difference = difference ?? "\(rows) instead of \(wanted)" }
  }
}
