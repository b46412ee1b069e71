package import HeraldModel

/// A query bound to a schema: which objects, in what order.
///
/// The rows are the objects of `classID` that match `predicate`, in order of creation, passed through
/// the stages one after the other.
package struct BoundQuery: Sendable {
  package let classID: ClassID
  package let predicate: BoundPredicate
  package let stages: [QueryStage]
  /// How it is bound again at another version; nil for a query that reads nothing but its rows.
  let origin: QueryOrigin?

  package init(classID: ClassID, predicate: BoundPredicate = .always, stages: [QueryStage] = []) {
    self.classID = classID
    self.predicate = predicate
    self.stages = stages
    origin = nil
  }

  private init(_ query: BoundQuery, _ origin: QueryOrigin?) {
    classID = query.classID
    predicate = query.predicate
    stages = query.stages
    self.origin = origin
  }

  /// The same query with its origin.
  func with(_ origin: QueryOrigin?) -> BoundQuery { BoundQuery(self, origin) }
}

extension BoundQuery {
  /// The same query in less memory, to be kept for long. O(the size of the query).
  package var compacted: BoundQuery {
    BoundQuery(
      classID: classID, predicate: predicate.compacted,
      stages: stages.map(\.compacted)
    ).with(origin)
  }

  /// The paths whose changes can change the order of the rows, or which row `distinct` keeps.
  package var keyDependencies: [PropertyPath] { stages.flatMap(\.dependencies) }

  /// The orders of its sorts, the first one first.
  package var sortOrders: [SortOrder] {
    stages.compactMap { if case .sort(let order) = $0 { order } else { nil } }
  }

  /// Every path whose changes can change the rows.
  package var dependencies: [PropertyPath] { predicate.dependencies + keyDependencies }

  /// Whether its conditions, orders or numbers of rows have values that binding read from the store.
  package var hasValuesOfStore: Bool {
    !reads.isEmpty || predicate.hasValuesOfStore
      || stages.contains { $0.predicate?.hasValuesOfStore ?? false }
      || sortOrders.contains(where: \.hasValuesOfStore)
  }
}

extension BoundQuery {
  /// Returns one query equal to `later` applied to the rows of this one.
  package func followed(by later: BoundQuery) -> BoundQuery {
    let query = joined(with: later)
    if origin == nil, later.origin == nil { return query }
    return query.with(QueryOrigin(self, followedBy: later))
  }

  private func joined(with later: BoundQuery) -> BoundQuery {
    if later.predicate.isAlways {
      return BoundQuery(classID: classID, predicate: predicate, stages: stages + later.stages)
    }
    if keepsEveryRow {
      return BoundQuery(
        classID: classID, predicate: predicate.and(later.predicate), stages: stages + later.stages)
    }
    return BoundQuery(
      classID: classID, predicate: predicate,
      stages: stages + [.filter(later.predicate)] + later.stages)
  }

  /// Whether the stages only reorder, so that a predicate can be evaluated before them.
  var keepsEveryRow: Bool { stages.allSatisfy(\.keepsEveryRow) }
}

extension BoundPredicate {
  /// Returns the conjunction of both predicates.
  func and(_ other: BoundPredicate) -> BoundPredicate {
    if isAlways { return other }
    return BoundPredicate(
      .all([condition, other.condition]), root: root ?? other.root,
      hasValuesOfStore: hasValuesOfStore || other.hasValuesOfStore)
  }
}
