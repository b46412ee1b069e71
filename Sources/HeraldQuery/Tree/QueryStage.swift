package import HeraldModel

/// What a clause after the condition of a query does with the rows that come from before it.
///
/// `QueryKeyword` has the clauses; here is what each does to rows, and what is said of it. How its rows are kept while
/// they are observed is in `ResultsBuilder`.
package enum QueryStage: Sendable {
  case sort(SortOrder)
  /// The first row of each combination of key values.
  case distinct(SortOrder)
  case limit(Int)
  /// All rows but the first.
  case offset(Int)
  /// The first rows of another order, in the order that they have.
  case sample(Int, SortOrder)
  /// A predicate on the output of the stages before it: of results of results.
  case filter(BoundPredicate)
}

extension QueryStage {
  /// Returns the rows that it passes on. O(rows), with a sort O(rows · log rows).
  func apply(to rows: [ObjectNumber], _ reader: any ObjectReader) -> [ObjectNumber] {
    switch self {
    case .sort(let order): order.sorted(rows, reader)
    case .distinct(let order): order.firstOfEquals(rows, reader)
    case .limit(let count): Array(rows.prefix(count))
    case .offset(let count): Array(rows.dropFirst(count))
    case .sample(let count, let order): order.first(count, ofRows: rows, reader)
    case .filter(let predicate):
      rows.filter { !reader.isInterrupted && predicate.matches($0, reader) }
    }
  }

  /// How many of a number of rows it passes on; nil where that depends on the rows.
  func count(of rows: Int) -> Int? {
    switch self {
    case .sort: rows
    case .limit(let count), .sample(let count, _): min(rows, count)
    case .offset(let count): max(0, rows - count)
    case .distinct, .filter: nil
    }
  }

  /// Whether it passes on all rows, in another order perhaps, so that a predicate can be evaluated before it.
  var keepsEveryRow: Bool {
    switch self {
    case .sort: true
    case .distinct, .limit, .offset, .sample, .filter: false
    }
  }

  /// The paths whose changes can change which rows it passes on, or their order.
  package var dependencies: [PropertyPath] {
    switch self {
    case .sort(let order), .distinct(let order): order.dependencies
    // A filter after other stages is re-evaluated together with the positions, stage by stage.
    case .filter(let predicate): predicate.dependencies
    case .limit, .offset, .sample: []
    }
  }

  /// The condition that the rows are filtered by; nil for other stages.
  var predicate: BoundPredicate? {
    if case .filter(let predicate) = self { predicate } else { nil }
  }

  /// The same stage in less memory, to be kept for long.
  var compacted: QueryStage { predicate.map { .filter($0.compacted) } ?? self }

  /// Whether a stage that was bound again passes on the rows alike.
  func isSame(as other: QueryStage) -> Bool {
    switch (self, other) {
    case (.filter(let predicate), .filter): !predicate.hasValuesOfStore
    case (.limit(let count), .limit(let otherCount)): count == otherCount
    case (.offset(let count), .offset(let otherCount)): count == otherCount
    case (.sort(let order), .sort), (.distinct(let order), .distinct): !order.hasValuesOfStore
    case (.sample(let count, _), .sample(let otherCount, _)): count == otherCount
    case (.filter, _), (.limit, _), (.offset, _), (.sort, _), (.distinct, _), (.sample, _): false
    }
  }

  /// The same stage with what an earlier binding of it has drawn at random.
  func drawn(as last: QueryStage) -> QueryStage {
    if case (.sample(let count, _), .sample(_, let order)) = (self, last) {
      return .sample(count, order)
    }
    return self
  }
}

// MARK: Explaining

extension QueryStage {
  /// Returns the step of a query that is explained, which `estimated` rows come to and `actual` ones leave.
  func step(estimated: Int, actual: Int, _ schema: Schema) -> QueryExplanation.Step {
    let (kind, text): (QueryExplanation.Kind, String) =
      switch self {
      case .sort(let order): (.sort, order.text(in: schema))
      case .distinct(let order): (.distinct, order.text(in: schema))
      case .limit(let count): (.limit, "\(count)")
      case .offset(let count): (.offset, "\(count)")
      case .sample(let count, _): (.limit, "\(count) at random")
      case .filter(let predicate): (.filter, predicate.condition.text)
      }
    return QueryExplanation.Step(
      kind: kind, text: text, estimated: count(of: estimated) ?? estimated, actual: actual)
  }

  /// What it makes of the rows of a view, in words; `text` returns that of a key.
  package func wording(_ text: (SortOrder.Key) -> String) -> String {
    switch self {
    case .sort(let order):
      let keys = order.keys.map { text($0) + ($0.isAscending ? "" : " descending") }
      return "sorted by \(keys.joined(separator: ", "))"
    case .distinct(let order):
      return "distinct by \(order.keys.map(text).joined(separator: ", "))"
    case .limit(let count): return "the first \(count)"
    case .offset(let count): return "without the first \(count)"
    case .sample(let count, _): return "\(count) at random"
    case .filter: return "of these, filtered"
    }
  }
}

extension BoundQuery {
  /// The same query with the samples of an earlier binding of it.
  func drawn(as last: BoundQuery) -> BoundQuery {
    if stages.count != last.stages.count { return self }
    return BoundQuery(
      classID: classID, predicate: predicate,
      stages: zip(stages, last.stages).map { $0.drawn(as: $1) }
    ).with(origin)
  }
}

extension SortOrder {
  /// Returns the first of each group of rows with equal keys.
  fileprivate func firstOfEquals(
    _ rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    if keys.count == 1 {
      var seen: Set<Value> = []
      return rows.filter { row in
        !reader.isInterrupted && seen.insert(keys[0].value(of: row, reader).groupKey).inserted
      }
    }
    var seen: Set<[Value]> = []
    return rows.filter { row in
      !reader.isInterrupted
        && seen.insert(keys.map { $0.value(of: row, reader).groupKey }).inserted
    }
  }

  /// An order of objects at random, the same for equal seeds.
  package static func shuffled(seed: UInt64) -> SortOrder {
    let object = PropertyPath(root: ClassID(0), steps: [])
    return SortOrder(keys: [Key(path: object, measure: .shuffled(seed: seed), isAscending: true)])
  }

  /// Returns the rows that are the first in this order, in that of `rows`.
  fileprivate func first(
    _ count: Int, ofRows rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    // A collection may have an object more than once: its first rows come first.
    var chosen: [ObjectNumber: Int] = [:]
    for row in sorted(rows, reader, prefix: count) { chosen[row, default: 0] += 1 }
    return rows.filter { row in
      guard let left = chosen[row] else { return false }
      chosen[row] = left > 1 ? left - 1 : nil
      return true
    }
  }

  /// Returns the keys as written in the language.
  func text(in schema: Schema) -> String {
    keys.map { $0.text(in: schema) + ($0.isAscending ? "" : " desc") }.joined(separator: ", ")
  }
}
