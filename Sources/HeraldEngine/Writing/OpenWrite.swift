import HeraldModel
package import HeraldObservation
import HeraldQuery
package import HeraldStorage

/// An open write: its transaction and the log of its changes so far.
package final class OpenWrite {
  package let transaction: WriteTransaction
  @exclusivity(unchecked) package private(set) var reader: TransactionReader
  /// The recorded part of the mutation log.
  @exclusivity(unchecked) private var recorded: [ClassID: ClassChange] = [:]
  /// A change of a single value that is not recorded yet: mostly the only one of a write.
  @exclusivity(unchecked) private var only: (object: ObjectID, property: PropertyID, old: Value)?
  /// The estimated memory of the mutations.
  @exclusivity(unchecked) var memory = WriteMemory()
  /// Objects created with consecutive numbers that are not recorded yet: mostly all of a write's.
  @exclusivity(unchecked) private var run: (classID: ClassID, numbers: ClosedRange<ObjectNumber>)?
  @exclusivity(unchecked) private(set) var isSchemaChanged = false
  /// The numbers used by the write's earlier schemas, which the current one may lack.
  @exclusivity(unchecked) private var earlierNumbers = SchemaNumbers()
  /// The outcome of the write; nil until a handle of an object that it adds needs it.
  @exclusivity(unchecked) private var outcome: WriteOutcome?
  /// The classes and properties that were dropped or have another type.
  @exclusivity(unchecked) var losses = SchemaLosses()
  /// Whether objects are being migrated to another schema, which is not recorded as changes.
  @exclusivity(unchecked) package var isMigrating = false
  /// The objects that are being deleted: removing their owners' links must not delete them again.
  @exclusivity(unchecked) var deleting: Set<ObjectID> = []
  /// The property that contains the nested collection which is being changed: the links in the collection
  /// are its own.
  @exclusivity(unchecked) var nestedRoot: (column: Layout.Column, object: ObjectID)?
  /// The nested collections, of before the write, that a whole value replaced.
  @exclusivity(unchecked) var replaced: [AssignedPlace: ObjectID] = [:]
  /// For properties of type `any`: how many more links to each object they have than before the write.
  @exclusivity(unchecked) var linkBalance: [ObjectID: [PropertyID: [ObjectID: Int]]] = [:]
  /// The notifications collected until the current statement ends; nil if each is reported at once.
  @exclusivity(unchecked) var gathered: CollectedReports?
  /// Receives each assignment; nil if nobody can observe the write.
  private unowned let session: Session?
  /// What an undo reverts; nil for other writes.
  @exclusivity(unchecked) var reversal: CommitInfo.Reversal?
  /// Whether a value was changed twice, so that it may equal the original.
  @exclusivity(unchecked) private(set) var mayBeSetBack = false
  /// Whether any statement has changed anything: observing is possible only before that.
  @exclusivity(unchecked) var hasChanged = false
  /// The last statement, as numbered by the session.
  @exclusivity(unchecked) var lastStatement = 0
  /// The last statement that may have changed more than single values without links.
  @exclusivity(unchecked) var lastChange = 0
  /// The last statements that assigned properties of single values without links.
  @exclusivity(unchecked) private var lastAssignments = LastAssignments()

  /// The group that the write has joined, until it is committed or continues alone.
  @exclusivity(unchecked) var group: CommitGroup?
  /// Whether the session has the writer lock.
  @exclusivity(unchecked) var hasWriterLock = true

  /// Whose observers of properties the write notifies.
  let observatory: Observatory

  package init(
    _ transaction: consuming WriteTransaction, layout: Layout, _ observatory: Observatory,
    of session: Session? = nil
  ) {
    self.observatory = observatory
    self.session = session
    reader = TransactionReader(transaction.snapshot, layout: layout)
    self.transaction = transaction
  }

  /// Whether the write, which has been committed, can begin again: nobody reads through it, and it has changed single
  /// values, or added objects, in place.
  func isReusable(over storage: StorageSnapshot) -> Bool {
    transaction.isReusable(over: storage)
      && recorded.isEmpty && !isSchemaChanged && losses.isEmpty && !isMigrating
      && deleting.isEmpty && nestedRoot == nil
      && replaced.isEmpty && linkBalance.isEmpty && gathered == nil && reversal == nil
      && !reader.hasReferring && isKnownUniquelyReferenced(&reader)
  }

  /// Begins another write with the memory of a reusable one; returns false if that is not possible.
  func begin(over current: TransactionReader) throws(StorageError) -> Bool {
    guard reader.layout === current.layout, try transaction.begin(over: current.storage) else {
      return false
    }
    if !reader.keyLines.isEmpty { reader.keyLines = [] }
    only = nil
    run = nil
    if outcome != nil { outcome = nil }
    memory = WriteMemory()
    mayBeSetBack = false
    hasChanged = false
    lastStatement = 0
    lastChange = 0
    lastAssignments = LastAssignments()
    return true
  }

  /// The outcome of the write, for the handles of objects that it adds.
  var fate: WriteOutcome {
    if let outcome { return outcome }
    let new = WriteOutcome()
    outcome = new
    return new
  }

  /// Notifies the session of an assignment.
  func report(_ object: ObjectID, _ assignment: Assignment) {
    if !isMigrating { session?.note(object, assignment) }
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
      lastAssignments.note(column.property, of: classID, lastStatement)
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
          let statement = lastAssignments.last(property, of: step.classID)
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
    outcome?.rollBack()
    transaction.abort()
  }

  /// What the write changed so far, already in the form of the record: old values are those from before the write.
  var mutations: [ClassID: ClassChange] {
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
    noteCreated(object.classID, object.number...object.number)
  }

  func noteCreated(_ classID: ClassID, _ numbers: ClosedRange<ObjectNumber>) {
    if let run, run.classID == classID, run.numbers.upperBound + 1 == numbers.lowerBound {
      self.run = (run.classID, run.numbers.lowerBound...numbers.upperBound)
    } else {
      noteRun()
      run = (classID, numbers)
    }
  }

  /// Returns whether the write has created an object, so that its changes need not be recorded.
  func isCreated(_ object: ObjectID) -> Bool {
    if isMigrating { return true }
    if let run, run.classID == object.classID, run.numbers.contains(object.number) { return true }
    if recorded.isEmpty { return false }
    return recorded[object.classID]?.created.contains(object.number) ?? false
  }

  /// Records the previous value of an old object's property, unless an earlier one is recorded already.
  func noteOld(_ old: Value, _ property: PropertyID, _ object: ObjectID) {
    if run == nil, recorded.isEmpty {
      guard let only else {
        only = (object, property, old)
        return memory.add(old.memoryOfRecord)
      }
      if only.object == object, only.property == property {
        mayBeSetBack = true
        return
      }
    }
    noteRun()
    if recorded[object.classID, default: ClassChange()].note(old, property, of: object.number) {
      memory.add(old.memoryOfRecord)
    } else {
      mayBeSetBack = true
    }
  }

  private func noteRun() {
    if let (object, property, old) = only {
      only = nil
      _ = recorded[object.classID, default: ClassChange()].note(old, property, of: object.number)
    }
    guard let run else { return }
    self.run = nil
    recorded[run.classID, default: ClassChange()].created.insert(contentsOf: run.numbers)
  }

  /// The change of a write that has changed one value, once, or that only added objects; nil for others.
  var singleChange: SingleChange? {
    guard recorded.isEmpty, linkBalance.isEmpty, !isSchemaChanged else { return nil }
    switch (only, run) {
    case (let only?, nil):
      guard !mayBeSetBack,
        reader.layout.column(only.property, of: only.object.classID)?.isAny != true
      else { return nil }
      return SingleChange(
        only.object.classID, .value(only.property, only.object.number, old: only.old))
    case (nil, let run?): return SingleChange(run.classID, .created(run.numbers))
    case (nil, nil), (_?, _?): return nil
    }
  }
}

/// The last statement that assigned each of some properties: the latest one in place, since a write mostly
/// assigns one property, or the same ones again and again.
private struct LastAssignments {
  private var latest: (classID: ClassID, property: PropertyID, statement: Int)?
  private var others: [ClassID: [PropertyID: Int]] = [:]

  var isEmpty: Bool { latest == nil }

  mutating func note(_ property: PropertyID, of classID: ClassID, _ statement: Int) {
    if let latest, latest.property != property || latest.classID != classID {
      others[latest.classID, default: [:]][latest.property] = latest.statement
    }
    latest = (classID, property, statement)
  }

  func last(_ property: PropertyID, of classID: ClassID) -> Int? {
    if let latest, latest.property == property, latest.classID == classID {
      return latest.statement
    }
    return others[classID]?[property]
  }
}

extension OpenWrite {
  /// Returns the net effect of the write, with the values that deleted objects had in `before`.
  ///
  /// Throws `writeTooLarge` if these values need more than `limit` bytes of memory.
  func record(
    version: Int, before: any ObjectReader, limit: Int
  ) throws(HeraldError) -> CommitRecord {
    if let singleChange { return CommitRecord(version: version, single: singleChange) }
    var record = CommitRecord(version: version, schemaChanged: isSchemaChanged, losses: losses)
    record.classes = netChanges(before: before)
    for classID in Array(record.classes.keys) {
      guard var change = record.classes.removeValue(forKey: classID) else { continue }
      let images = BeforeImages(of: classID, in: before)
      // In order, block by block: in the order of the dictionary almost every read would miss the cache.
      for number in change.deleted.keys.sorted() {
        let object = images.image(of: number)
        memory.add(object.memory)
        if memory.bytes > limit { throw .writeTooLarge(limit: limit) }
        change.deleted[number] = object
      }
      record.classes[classID] = change
    }
    if isSchemaChanged { record.previous = previousSchema(before, &record) }
    return record
  }

  /// Reduces the mutation log to its net effect (observation 4.5).
  func netChanges(before: any ObjectReader) -> [ClassID: ClassChange] {
    NetChanges(self, before: before).classChanges()
  }
}
