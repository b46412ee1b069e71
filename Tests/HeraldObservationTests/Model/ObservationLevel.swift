import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport

@testable import TestModel

/// Sessions that are observers alone: they take the records of transactions on plain dictionaries.
final class ObservationLevel: ModelLevel {
  private(set) var version = 1
  private(set) var states: [Int: RecordedState] = [1: RecordedState(schema: Schema())]
  private(set) var records: [Int: CommitRecord] = [:]
  private(set) var projections: [ProjectionDefinition] = []
  /// The number of the next list element.
  var nextElement = 1
  var isWriting = false

  let abilities: Set<ModelAbility> = [.closes]

  func declare(_ schema: ModelSchema) -> [ClassID] {
    let declared = schema.declared
    projections = schema.projectionDefinitions
    states[version] = RecordedState(schema: declared)
    return declared.classes.map(\.id)
  }

  func open(
    _ name: String, isRemote: Bool, _ callBack: @escaping (ModelCall) -> ModelAnswer
  ) -> (link: any ModelLink, version: Int) {
    (ObservationSession(self, callBack), version)
  }

  /// The newest version.
  var state: RecordedState { states[version] ?? RecordedState(schema: Schema()) }

  /// Adds the version that a transaction makes, and returns its record.
  func commit(_ write: RecordingTransaction) -> CommitRecord {
    var record = write.record(version: version + 1)
    record.schemaChanged = write.state.schema != write.before.schema
    version += 1
    states[version] = write.state
    records[version] = record
    nextElement = write.elementCount
    return record
  }

  /// Keeps numbers that a transaction issued from being issued again.
  func rollBack(_ write: RecordingTransaction) {
    states[version]?.nextNumbers = write.state.nextNumbers
  }
}
