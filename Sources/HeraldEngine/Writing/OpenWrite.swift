import HeraldModel
import HeraldObservation
import HeraldStorage

/// An open write: its transaction and the log of its changes so far.
final class OpenWrite {
  let transaction: WriteTransaction
  let reader: TransactionReader
  /// The recorded part of the mutation log.
  private var recorded: [ClassID: ClassChange] = [:]
  /// The estimated memory of the log.
  var memory = WriteMemory()
  /// Objects created with consecutive numbers that are not in the log yet: mostly all of a write's.
  private var run: (classID: ClassID, numbers: ClosedRange<ObjectNumber>)?
  private(set) var isSchemaChanged = false
  /// The numbers used by the write's earlier schemas, which the current one may lack.
  private var earlierNumbers = SchemaNumbers()
  /// The outcome of the write, for the handles of objects that it adds.
  let fate = WriteOutcome()
  /// The classes and properties that were dropped or have another type.
  var losses = SchemaLosses()
  /// Whether objects are being migrated to another schema, which is not recorded as changes.
  var isMigrating = false
  /// The objects that are being deleted: removing their owners' links must not delete them again.
  var deleting: Set<ObjectID> = []
  /// The property that contains the nested collection which is being changed: the links in the collection
  /// are its own.
  var nestedRoot: (column: Layout.Column, object: ObjectID)?
  /// The nested collections, of before the write, that a whole value replaced.
  var replaced: [AssignedPlace: ObjectID] = [:]
  /// For properties of type `any`: how many more links to each object they have than before the write.
  var linkBalance: [ObjectID: [PropertyID: [ObjectID: Int]]] = [:]
  /// The notifications collected until the current statement ends; nil if each is reported at once.
  var gathered: CollectedReports?
  /// The handler of each assignment.
  var listener: Listener?
  /// What the commit takes back; nil for other writes.
  var reversal: CommitInfo.Reversal?
  /// Whether any statement has changed anything: observing is possible only before that.
  var hasChanged = false
  /// The last statement, as numbered by the session.
  var lastStatement = 0
  /// The last statement that may have changed more than single values without links.
  var lastChange = 0
  /// The last statement that assigned each property of single values without links.
  private var lastAssignments: [ClassID: [PropertyID: Int]] = [:]

  /// Tells whether anybody observes properties.
  let observatory: Observatory

  init(
    _ transaction: consuming WriteTransaction, layout: Layout, _ observatory: Observatory
  ) {
    self.observatory = observatory
    reader = TransactionReader(transaction.snapshot, layout: layout)
    self.transaction = transaction
  }

  /// Takes another schema, which applies from the next statement on.
  func take(_ layout: Layout) {
    if !layout.extendsPrevious { earlierNumbers.formUnion(reader.layout.schema) }
    reader.layout = layout
    isSchemaChanged = true
    hasChanged = true
  }

  /// Notes that the present statement assigns a property.
  func noteAssignment(_ column: Layout.Column, _ classID: ClassID) {
    if column.isSingle, !column.element.mayHoldLinks {
      lastAssignments[classID, default: [:]][column.property] = lastStatement
    } else {
      lastChange = lastStatement
    }
  }

  /// The last statement that may concern a read of paths; 0 for none.
  func lastStatement(concerning paths: [PropertyPath]) -> Int {
    // Paths over links in values of any type are complete only up to a limit.
    if paths.count > 64 { return lastStatement }
    var last = lastChange
    if lastAssignments.isEmpty { return last }
    for path in paths {
      for step in path.steps {
        guard case .property(let property) = step.kind,
          let statement = lastAssignments[step.classID]?[property]
        else { continue }
        last = max(last, statement)
      }
    }
    return last
  }

  /// Discards every change. The numbers that it used are not reused.
  func abandon(_ hub: StoreHub) {
    if isSchemaChanged {
      var numbers = earlierNumbers
      numbers.formUnion(reader.layout.schema)
      hub.keep(numbers)
    }
    fate.rollBack()
    transaction.abort()
  }

  /// The mutation log, already in the form of the record: old values are those from before the write.
  var log: [ClassID: ClassChange] {
    get {
      noteRun()
      return recorded
    }
    _modify {
      noteRun()
      yield &recorded
    }
  }

  func noteCreated(_ object: ObjectID) {
    if let run, run.classID == object.classID, run.numbers.upperBound + 1 == object.number {
      self.run = (run.classID, run.numbers.lowerBound...object.number)
    } else {
      noteRun()
      run = (object.classID, object.number...object.number)
    }
  }

  /// Returns whether the write has created an object, so that its changes need not be recorded.
  func isCreated(_ object: ObjectID) -> Bool {
    if isMigrating { return true }
    if let run, run.classID == object.classID, run.numbers.contains(object.number) { return true }
    return recorded[object.classID]?.created.contains(object.number) ?? false
  }

  /// Records the previous value of an old object's property, unless an earlier one is recorded already.
  func noteOld(_ old: Value, _ property: PropertyID, _ object: ObjectID) {
    noteRun()
    if recorded[object.classID, default: ClassChange()].note(old, property, of: object.number) {
      memory.add(old.memoryOfRecord)
    }
  }

  private func noteRun() {
    guard let run else { return }
    self.run = nil
    recorded[run.classID, default: ClassChange()].created.insert(contentsOf: run.numbers)
  }
}
