import HeraldModel

/// The rows of a query at the start of a path: `(Dog where age > 3).@count`. They are the same for every object
/// under evaluation.
final class QueriedRows: Sendable {
  /// A path to the collection that the query reads; nil for all objects of its class.
  let source: OperandPath?
  let query: BoundQuery
  /// The only row that is meant; nil for all.
  let position: OperandPath.ListPosition?

  init(
    _ query: BoundQuery, of source: OperandPath?, at position: OperandPath.ListPosition? = nil
  ) {
    self.query = query
    self.source = source
    self.position = position
  }

  func at(_ position: OperandPath.ListPosition) -> QueriedRows {
    QueriedRows(query, of: source, at: position)
  }

  /// Whether they are all that the query finds of its class.
  var isOfClass: Bool { source == nil && position == nil }

  /// Adds what the collection depends on that the query reads.
  func collectSource(into found: inout [StoredRead.Dependency]) {
    source?.collectReads(into: &found)
  }

  /// Runs the query.
  func numbers(_ reader: any ObjectReader) -> [ObjectNumber] {
    let rows = allNumbers(reader)
    switch position {
    case nil: return rows
    case .index(let index): return rows.indices.contains(index) ? [rows[index]] : []
    case .last: return rows.suffix(1)
    }
  }

  func count(_ reader: any ObjectReader) -> Int {
    isOfClass ? query.count(reader) : numbers(reader).count
  }

  private func allNumbers(_ reader: any ObjectReader) -> [ObjectNumber] {
    guard let source else { return query.rows(reader) }
    var objects: [ObjectNumber] = []
    let scope = EvaluationScope(reader: reader, root: ObjectID(ClassID(0), 0))
    _ = source.forEachValue(scope) { value in
      if case .link(let object) = value { objects.append(object.number) }
      return !reader.isInterrupted
    }
    return query.rows(among: objects, reader)
  }
}
