import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport

@testable import TestModel

/// Random commits of one session: what each did, and all states.
struct CommitHistory {
  let level = ObservationLevel()
  let run: ModelRun
  /// The version before the first of the commits.
  let first: Int

  init(seed: UInt64, commits: Int) throws {
    run = try ModelRun(seed: seed, level: level, sessions: 1)
    while level.version < 15 { try run.write(run.sessions[0]) }
    first = level.version
    while level.version < first + commits { try run.write(run.sessions[0]) }
  }

  var last: Int { level.version }
  var schema: Schema { state(last).schema }

  func state(_ version: Int) -> RecordedState {
    level.states[version] ?? RecordedState(schema: Schema())
  }

  /// The records of some versions.
  func records(_ versions: ClosedRange<Int>) -> [CommitRecord] {
    versions.compactMap { level.records[$0] }
  }

  /// The objects that gained or lost a link in some of these versions, through each property that leads
  /// to them.
  func targets(_ versions: ClosedRange<Int>, through origin: ClassID, _ property: PropertyID)
    -> Set<
      ObjectID
    >
  {
    var targets: Set<ObjectID> = []
    for link in versions.flatMap({ run.commits[$0]?.links ?? [] })
    where run.schema.ids[link.type] == origin && link.property + 1 == Int(property.rawValue) {
      targets.insert(link.target)
    }
    return targets
  }
}
