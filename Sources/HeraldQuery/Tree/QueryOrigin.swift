package import HeraldModel

/// How a query is bound again at another version, where what it reads besides its rows may be another: an object by its
/// key, or a value that is the same for every row.
final class QueryOrigin: Sendable {
  private enum Form: Sendable {
    /// Clauses, in the names of the schema that they were bound to: a property that was renamed since is the same.
    case clauses(QueryTail?, ClassID, Schema, ProjectionDefinition?, NamedAnswers)
    /// The rows of a query that match another one.
    case followed(BoundQuery, by: BoundQuery)
    /// The members of groups, of which what the groups read is followed with them.
    case grouped(BoundQuery, by: BoundGrouping)
  }

  private let form: Form
  /// What was read, in order.
  let reads: [StoredRead]

  init(
    _ tail: QueryTail?, root: ClassID, schema: Schema, projection: ProjectionDefinition?,
    _ answers: NamedAnswers, _ reads: [StoredRead]
  ) {
    form = .clauses(tail, root, schema, projection, answers)
    self.reads = reads
  }

  init(_ query: BoundQuery, followedBy later: BoundQuery) {
    form = .followed(query, by: later)
    reads = query.reads + later.reads
  }

  fileprivate init(_ query: BoundQuery, groupedBy grouping: BoundGrouping) {
    form = .grouped(query, by: grouping)
    reads = query.reads + grouping.reads
  }

  fileprivate func query(
    _ reader: any ObjectReader, _ known: [Int: Value]
  ) throws(QueryError) -> BoundQuery {
    switch form {
    case .clauses(let tail, let root, let schema, let projection, let answers):
      let notes = BindingNotes(answers)
      notes.known = known
      let names = KnownNames(answers: answers, schema: schema, reader: reader)
      let query = try BoundQuery.bind(
        tail, root: root, schema: schema, names: names, reader: reader, projection: projection,
        notes: notes)
      return query.with(
        QueryOrigin(
          tail, root: root, schema: schema, projection: projection, notes.answers, notes.reads))
    case .followed(let query, by: let later):
      let ofLater = known.after(query.reads)
      return try query.bound(at: reader, known).followed(by: later.bound(at: reader, ofLater))
    case .grouped(let query, by: let grouping):
      let ofGroups = known.after(query.reads)
      return try query.bound(at: reader, known).grouped(by: grouping.bound(at: reader, ofGroups))
    }
  }
}

extension [Int: Value] {
  /// The values of the reads that follow some others, by their place among themselves.
  func after(_ reads: [StoredRead]) -> [Int: Value] {
    if isEmpty { return self }
    return Dictionary(
      uniqueKeysWithValues: filter { $0.key >= reads.count }.map {
        ($0.key - reads.count, $0.value)
      })
  }
}

extension BoundQuery {
  /// What it reads besides its rows, in order; none for most queries.
  package var reads: [StoredRead] { origin?.reads ?? [] }

  /// Returns the query with what it reads at a version; itself if it reads nothing but its rows. Errors: those of binding
  /// it, if what it reads does not fit any more.
  ///
  /// - Parameter known: the values of some of its reads, by their place in order.
  package func bound(
    at reader: any ObjectReader, _ known: [Int: Value] = [:]
  ) throws(QueryError) -> BoundQuery {
    try origin?.query(reader, known).drawn(as: self) ?? self
  }

  /// The same; if it cannot be bound any more, as it was bound last.
  package func atPresent(_ reader: any ObjectReader) -> BoundQuery {
    (try? bound(at: reader)) ?? self
  }

  /// Returns the query with what groups of its rows read, to be followed with what it reads itself.
  package func grouped(by grouping: BoundGrouping) -> BoundQuery {
    grouping.reads.isEmpty ? self : with(QueryOrigin(self, groupedBy: grouping))
  }

  /// Whether two bindings of a query differ in the conditions on its objects alone, and pass on the rows alike.
  package func hasSameStages(as other: BoundQuery) -> Bool {
    // A later condition that always holds is no stage.
    if stages.count != other.stages.count { return false }
    return zip(stages, other.stages).allSatisfy { $0.isSame(as: $1) }
  }
}
