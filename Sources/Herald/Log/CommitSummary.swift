import HeraldEngine
public import HeraldModel
import HeraldObservation

/// A commit, as the log lists it.
public struct CommitSummary: Hashable, Sendable {
  /// How many objects of a class a commit changed.
  public struct ClassCounts: Hashable, Sendable {
    /// The name of the class.
    public let className: String
    /// The number of objects that the commit added.
    public let inserted: Int
    /// The number of objects of which it changed a property.
    public let modified: Int
    /// The number of objects that it deleted.
    public let deleted: Int
  }

  /// The version that the commit made.
  public let version: Int
  /// When it was made, by the clock of the machine.
  public let time: Timestamp
  /// What `write(message:)` said about it.
  public let message: String?
  /// The name of the session that wrote.
  public let session: String
  /// The number of its process.
  public let process: Int
  /// The classes of which it changed objects, in the order of their declaration.
  public let classes: [ClassCounts]
  /// Whether it changed classes.
  public let isSchemaChange: Bool
  /// The version that it undid or, for a redo, the undo that it took back.
  public let reverts: Int?
  /// The size of its record in the log, in bytes; of a store in memory, an estimate.
  public let size: Int
}

extension DynamicStore {
  /// The summary of a commit whose classes `schema` has, or `previous`, the schema before it.
  func summary(_ commit: LoggedCommit, _ schema: Schema, _ previous: Schema) -> CommitSummary {
    let record = commit.record
    let counts = record.orderedClasses(schema, previous).map { classSchema, change in
      CommitSummary.ClassCounts(
        className: classSchema.name, inserted: change.created.count,
        modified: change.modifiedNumbers.count, deleted: change.deleted.count)
    }
    return CommitSummary(
      version: record.lastVersion, time: commit.info.time, message: commit.info.message,
      session: commit.info.session, process: commit.info.process, classes: counts,
      isSchemaChange: record.schemaChanged, reverts: commit.info.reversal?.version,
      size: session.loggedSize(record.lastVersion))
  }
}

extension CommitRecord {
  /// The changes of the classes, in the order of `schema`; classes that only `previous` has are last.
  func orderedClasses(_ schema: Schema, _ previous: Schema) -> [(ClassSchema, ClassChange)] {
    let order = schema.classes + previous.classes.filter { schema.classSchema($0.id) == nil }
    return order.compactMap { classSchema in classes[classSchema.id].map { (classSchema, $0) } }
  }
}

extension ClassChange {
  /// The objects of which a property differs, ascending.
  var modifiedNumbers: [ObjectNumber] { modifications.keys.sorted() }

  /// The properties that differ, by object.
  var modifications: [ObjectNumber: Set<PropertyID>] {
    var found: [ObjectNumber: Set<PropertyID>] = [:]
    for (property, delta) in properties {
      delta.forEachNumber { number in
        if delta.differs(number) { found[number, default: []].insert(property) }
      }
    }
    return found
  }
}

extension PropertyDelta {
  fileprivate func differs(_ number: ObjectNumber) -> Bool {
    if case .lists(let lists) = self { lists[number]?.differs ?? false } else { true }
  }
}
