import HeraldEngine
import HeraldMaintenance
import HeraldModel
import HeraldObservation

/// The numbers of objects that an open transaction has changed so far.
package struct UncommittedChanges: Hashable, Sendable {
  package var inserted = 0
  package var modified = 0
  package var deleted = 0
  /// Whether classes, projections or defined queries were declared, altered or dropped.
  package var isSchemaChanged = false
}

extension DynamicStore {
  /// What the open transaction of this session has changed so far, of declared classes; nil without one.
  package var uncommittedChanges: UncommittedChanges? {
    guard let changes = session.openChanges else { return nil }
    var found = UncommittedChanges()
    found.isSchemaChanged = session.hasChangedSchema
    for (classID, change) in changes where schema.classSchema(classID)?.isDeclared ?? true {
      found.inserted += change.created.count
      found.deleted += change.deleted.count
      found.modified += Set(change.properties.values.flatMap(\.objects)).count
    }
    return found
  }

  /// The id and the name of the other process that is writing to the store now; nil if it is not known.
  package var writingProcess: (id: Int, name: String)? { session.writingProcess }
}

extension PropertyDelta {
  fileprivate var objects: [ObjectNumber] {
    switch self {
    case .values(let values): Array(values.keys)
    case .lists(let lists): Array(lists.keys)
    case .sets(let sets): Array(sets.keys)
    case .maps(let maps): Array(maps.keys)
    }
  }
}
