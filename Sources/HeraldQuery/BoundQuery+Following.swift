extension BoundQuery {
  /// One query that asks what `later` asks of the rows of this one.
  package func followed(by later: BoundQuery) -> BoundQuery {
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

  /// Whether the stages only order: a condition may then as well be asked before them.
  private var keepsEveryRow: Bool {
    stages.allSatisfy { stage in
      switch stage {
      case .sort: true
      case .distinct, .limit, .filter: false
      }
    }
  }
}

extension BoundPredicate {
  /// A predicate that asks both.
  func and(_ other: BoundPredicate) -> BoundPredicate {
    if isAlways { return other }
    return BoundPredicate(.all([condition, other.condition]), root: root ?? other.root)
  }
}
