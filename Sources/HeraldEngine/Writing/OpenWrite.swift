import HeraldModel
import HeraldObservation
import HeraldStorage

/// A write under way: its transaction and the log of what it has changed so far.
final class OpenWrite {
  let reader: TransactionReader<WriteTransaction>
  /// What was noted of the mutation log.
  private var noted: [ClassID: ClassChange] = [:]
  /// What that takes, by estimate.
  var memory = WriteMemory()
  /// Objects created one after another that are still to be noted: mostly all of a write's.
  private var run: (classID: ClassID, numbers: ClosedRange<ObjectNumber>)?
  private(set) var isSchemaChanged = false
  /// Those that the classes had given out which a later schema of the write lacks.
  private var formerNumbers = SchemaNumbers()
  /// For the handles of objects that the write adds.
  let fate = WriteFate()
  /// What alters and drops took away.
  var losses = SchemaLosses()
  /// Objects are being brought to another schema, which is noted of none of them.
  var isMigrating = false
  /// Objects whose deletion is under way: their owners' links go without deleting them again.
  var deleting: Set<ObjectID> = []
  /// What the assignment under way does inside the value; nil for a whole new one.
  var inside: [InsideOperation]?
  /// What is to be told when the statement under way is done; nil where each is told at once.
  var gathered: GatheredTellings?
  /// Told of each assignment as it is done.
  var listener: Listener?
  /// Whether any statement has changed anything: observing is possible only before that.
  var hasChanged = false

  /// Says whether anybody would hear of assignments.
  let observatory: Observatory

  init(
    _ transaction: consuming WriteTransaction, layout: Layout, _ observatory: Observatory
  ) {
    self.observatory = observatory
    reader = TransactionReader(transaction, layout: layout)
  }

  /// Takes another schema, which holds from the next statement on.
  func take(_ layout: Layout) {
    if !layout.extendsPrevious { formerNumbers.formUnion(reader.layout.schema) }
    reader.layout = layout
    isSchemaChanged = true
    hasChanged = true
  }

  /// Forgets every change. The numbers that were given out are not given again.
  func abandon(_ hub: StoreHub) {
    if isSchemaChanged {
      var numbers = formerNumbers
      numbers.formUnion(reader.layout.schema)
      hub.keep(numbers)
    }
    fate.rollBack()
    reader.transaction.abort()
  }

  /// The mutation log, already in the form of the record: old values are those before the write.
  var log: [ClassID: ClassChange] {
    get {
      noteRun()
      return noted
    }
    _modify {
      noteRun()
      yield &noted
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

  /// Whether nothing needs to be noted of an object.
  func isCreated(_ object: ObjectID) -> Bool {
    if isMigrating { return true }
    if let run, run.classID == object.classID, run.numbers.contains(object.number) { return true }
    return noted[object.classID]?.created.contains(object.number) ?? false
  }

  /// Notes the value that a property of an old object had, unless one before it was noted already.
  func noteOld(_ old: Value, _ property: PropertyID, _ object: ObjectID) {
    noteRun()
    let number = object.number
    if noted[object.classID]?.columns[property]?[number] != nil { return }
    memory.add(old.memoryOfRecord)
    noted[object.classID, default: ClassChange()].columns[property, default: [:]][number] = old
  }

  private func noteRun() {
    guard let run else { return }
    self.run = nil
    noted[run.classID, default: ClassChange()].created.insert(contentsOf: run.numbers)
  }
}
