package import HeraldModel
import HeraldObservation

/// A commit with the versions before and after it, which its values are read from.
package struct CommitVersions {
  /// What became of an object.
  package enum Change {
    case inserted
    /// The properties that differ, in the order of their declaration.
    case modified([PropertySchema])
    /// A change of the class added, dropped or converted these properties: their names before or after it.
    case altered([String])
    case deleted
  }

  /// The change of one object.
  package struct ObjectChange {
    package let classSchema: ClassSchema
    package let object: ObjectID
    package let change: Change
  }

  package let summary: CommitSummary
  /// The version before the commit, frozen.
  package let before: DynamicStore
  /// The version that it made, frozen.
  package let after: DynamicStore
  private let record: CommitRecord

  init(
    _ summary: CommitSummary, _ record: CommitRecord, before: DynamicStore, after: DynamicStore
  ) {
    self.summary = summary
    self.record = record
    self.before = before
    self.after = after
  }

  /// The changes by class in the order of declaration, of each class the inserted, the modified and the deleted
  /// objects by number.
  package var changes: [ObjectChange] {
    var changes: [ObjectChange] = []
    for (classSchema, change) in record.orderedClasses(after.schema, before.schema) {
      func note(_ number: ObjectNumber, _ change: Change) {
        changes.append(
          ObjectChange(
            classSchema: classSchema, object: ObjectID(classSchema.id, number), change: change))
      }
      for number in change.created.numbers { note(number, .inserted) }
      // What a change of the class did to its properties is among the alterations.
      let previous = before.schema.classSchema(classSchema.id) ?? classSchema
      for (number, properties) in change.modifications.sorted(by: { $0.key < $1.key }) {
        let modified = classSchema.properties.filter {
          properties.contains($0.id) && previous.has($0)
        }
        if !modified.isEmpty { note(number, .modified(modified)) }
      }
      for number in change.deleted.keys.sorted() { note(number, .deleted) }
    }
    return changes
  }

  /// The class of an object that was deleted, as it was.
  package func previous(_ change: ObjectChange) -> ClassSchema {
    before.schema.classSchema(change.object.classID) ?? change.classSchema
  }

  /// How a list of an object changed, by rows; nil for other properties and objects.
  package func listChange(_ property: PropertyID, of object: ObjectID) -> ChangeSet? {
    record.classes[object.classID]?[property].lists[object.number]?.changeSet()
  }
}
