import Herald

/// The rows that an observer received, against the rows of the store (rule 4.2).
final class RowMirror {
  let name: String
  private(set) var faults: [String] = []
  private(set) var updates = 0
  private var token: ObservationToken?
  private var rows: [Value] = []
  private var keys: [String] = []
  private let read: () throws -> (rows: [Value], keys: [String])

  /// Of the rows of a class, as it is typed.
  convenience init(of query: String, _ store: DynamicStore) throws {
    let words = query.split(separator: " ", maxSplits: 1)
    let tail = try TwoProcessKennel.tail(words.count > 1 ? String(words[1]) : "")
    try self.init(query, of: store.results(String(words[0]), tail, names: NoNames()))
  }

  init(_ name: String, of results: DynamicResults) throws {
    self.name = name
    read = { (try results.objects.map { .link($0.id) }, []) }
    token = try results.observe { [unowned self] _, change in try receive(change) }
  }

  init(of collection: LiveCollection) throws {
    name = collection.property.name
    read = { (collection.values, collection.keys) }
    token = try collection.observe { [unowned self] _, change in try receive(change) }
  }

  /// Whether the received changes lead to the rows of the store.
  var isComplete: Bool { get throws { try read() == (rows, keys) } }

  private func receive(_ change: DynamicCollectionChange) throws {
    let now = try read()
    defer { (rows, keys) = now }
    switch change {
    case .initial(let count): if count != now.rows.count { faults.append("initial \(count)") }
    case .error(let error): faults.append("\(error)")
    case .mapUpdate(let changes, _):
      updates += 1
      let kept = Set(keys).subtracting(changes.deletions)
      if kept.union(changes.insertions).sorted() != now.keys { faults.append("\(changes)") }
    case .update(let changes, _):
      updates += 1
      for row in changes.deletions.reversed() { rows.remove(at: row) }
      for row in changes.insertions { rows.insert(now.rows[row], at: row) }
      for row in changes.modificationsNew where row < rows.count { rows[row] = now.rows[row] }
      if rows != now.rows { faults.append("\(changes) leads to \(rows), not to \(now.rows)") }
    }
  }
}
