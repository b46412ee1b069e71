extension BoundQuery {
  /// One query that asks what `later` asks of the rows of this one; nil where a condition would
  /// have to be asked after a limit or a distinct.
  package func followed(by later: BoundQuery) -> BoundQuery? {
    if later.predicate.isAlways {
      return BoundQuery(classID: classID, predicate: predicate, stages: stages + later.stages)
    }
    for stage in stages {
      switch stage {
      case .sort: break
      case .distinct, .limit: return nil
      }
    }
    return BoundQuery(
      classID: classID, predicate: predicate.and(later.predicate), stages: stages + later.stages)
  }
}

extension BoundPredicate {
  /// A predicate that asks both.
  func and(_ other: BoundPredicate) -> BoundPredicate {
    if isAlways { return other }
    return BoundPredicate(.all([condition, other.condition]), root: root ?? other.root)
  }
}
