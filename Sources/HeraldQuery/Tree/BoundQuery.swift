package import HeraldModel

/// A question that is bound to a schema: which objects, in what order.
///
/// The rows are the objects of `classID` that match `predicate`, in order of creation, then each
/// stage applied to what the one before it left.
package struct BoundQuery: Sendable {
  package let classID: ClassID
  package let predicate: BoundPredicate
  package let stages: [QueryStage]

  package init(classID: ClassID, predicate: BoundPredicate = .always, stages: [QueryStage] = []) {
    self.classID = classID
    self.predicate = predicate
    self.stages = stages
  }
}

extension BoundQuery {
  /// The paths whose changes can change the order of the rows, or which of equals is kept.
  package var keyDependencies: [PropertyPath] {
    stages.flatMap { stage -> [PropertyPath] in
      switch stage {
      case .sort(let order): order.dependencies
      case .distinct(let paths): paths
      // Its truth is judged anew as places are, stage by stage.
      case .filter(let predicate): predicate.dependencies
      case .limit: []
      }
    }
  }

  /// Every path whose changes can change the rows.
  package var dependencies: [PropertyPath] { predicate.dependencies + keyDependencies }
}

package enum QueryStage: Sendable {
  case sort(SortOrder)
  case distinct([PropertyPath])
  case limit(Int)
  /// A condition on what the stages before left: of results of results.
  case filter(BoundPredicate)
}

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
