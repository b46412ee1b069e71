import HeraldModel
import HeraldQuery

extension LiveResults {
  /// What keeps an object out of the rows, which it is none of. O(stages · log rows).
  func absence(of object: ObjectID, _ reader: any ObjectReader) -> AbsentRow.Absence {
    guard reader.exists(object) else { return .deleted }
    let rows = view.collection.map { $0.rows(of: object.number) } ?? [object.number]
    // Of several rows of an object the one that comes furthest.
    return rows.map(view.obstacle).max { $0.stage < $1.stage }?.absence ?? .notInCollection
  }
}

extension ResultsView {
  /// The stage that does not pass a row on, which the observer does not see.
  fileprivate func obstacle(to row: Int) -> (stage: Int, absence: AbsentRow.Absence) {
    guard holds(row) else { return (-1, .notMatching) }
    for (place, stage) in stages.enumerated() {
      switch stage {
      case .ordered(let stage):
        if stage.position(of: row) == nil { return (place, .beyondLimit) }
      case .distinct(let stage):
        if !stage.passed.contains(row) { return (place, .notDistinct) }
      case .filter(let stage):
        if !stage.passed.contains(row) { return (place, .notMatching) }
      }
    }
    return (stages.count, .beyondLimit)
  }
}
