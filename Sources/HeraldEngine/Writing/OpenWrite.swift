import HeraldModel
package import HeraldObservation
import HeraldQuery
package import HeraldStorage

/// An open write: its transaction, and what it has changed so far.
///
/// Its session has the writer lock, alone or over the commits of a group (`lock`). A statement changes one thing after the
/// other: meanwhile it may have objects that it is `deleting`, a nested collection that it changes (`nestedRoot`), and
/// notifications that it has `gathered`. While a schema change migrates objects, nothing is recorded (`isMigrating`).
package final class OpenWrite {
  /// What the session has of the writer lock.
  enum Lock {
    case held
    /// The write continues after the commits of a group, which are not stored yet.
    case heldInGroup(CommitGroup)
    /// The write was committed with others, and the next one has the lock.
    case passedOn
  }

  package let transaction: WriteTransaction
  @exclusivity(unchecked) package private(set) var reader: TransactionReader
  @exclusivity(unchecked) var lock = Lock.held
  let log = MutationLog()
  @exclusivity(unchecked) var schemaChange = SchemaChange()
  @exclusivity(unchecked) var stamps = StatementStamps()
  /// Whether any statement has changed anything: observing is possible only before that.
  @exclusivity(unchecked) var hasChanged = false
  /// The outcome of the write; nil until a handle of an object that it adds needs it.
  @exclusivity(unchecked) private var outcome: WriteOutcome?
  /// The objects that are being deleted: removing their owners' links must not delete them again.
  @exclusivity(unchecked) var deleting: Set<ObjectID> = []
  /// The property that contains the nested collection which is being changed: the links in the collection
  /// are its own.
  @exclusivity(unchecked) var nestedRoot: (column: Layout.Column, object: ObjectID)?
  /// The nested collections, of before the write, that a whole value replaced.
  @exclusivity(unchecked) var replaced: [AssignedPlace: ObjectID] = [:]
  /// The notifications collected until the current statement ends; nil if each is reported at once.
  @exclusivity(unchecked) var gathered: CollectedReports?
  /// What an undo reverts; nil for other writes.
  @exclusivity(unchecked) var reversal: CommitInfo.Reversal?
  /// Receives each assignment; nil if nobody can observe the write.
  private unowned let session: Session?
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

  /// The group over whose commits the write is; nil if it is alone.
  var group: CommitGroup? { if case .heldInGroup(let group) = lock { group } else { nil } }

  /// Whether objects are being migrated to another schema, which is not recorded as changes.
  package var isMigrating: Bool {
    get { log.isPaused }
    set { log.isPaused = newValue }
  }

  /// Whether the write, which has been committed, can begin again: nobody reads through it, and it has changed single
  /// values, or added objects, in place.
  func isReusable(over storage: StorageSnapshot) -> Bool {
    transaction.isReusable(over: storage)
      && log.isPlain && schemaChange.isNone && deleting.isEmpty && nestedRoot == nil
      && replaced.isEmpty && gathered == nil && reversal == nil
      && !reader.hasReferring && isKnownUniquelyReferenced(&reader)
  }

  /// Begins another write with the memory of a reusable one; returns false if that is not possible.
  func begin(over current: TransactionReader) throws(StorageError) -> Bool {
    guard reader.layout === current.layout, try transaction.begin(over: current.storage) else {
      return false
    }
    if !reader.keyLines.isEmpty { reader.keyLines = [] }
    if outcome != nil { outcome = nil }
    lock = .held
    log.restart()
    stamps = StatementStamps()
    hasChanged = false
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

  /// Replaces the schema, from the next statement on.
  func replaceLayout(with new: Layout) {
    schemaChange.replace(reader.layout, with: new)
    reader.layout = new
    hasChanged = true
  }

  /// Discards every change. The numbers that it used are not reused.
  func abandon(_ hub: StoreHub) {
    if schemaChange.isMade { hub.keep(schemaChange.numbers(with: reader.layout.schema)) }
    outcome?.rollBack()
    transaction.abort()
  }
}

extension OpenWrite {
  /// Returns the net effect of the write, with the values that deleted objects had in `before`.
  ///
  /// Throws `writeTooLarge` if these values need more than `limit` bytes of memory.
  func record(
    version: Int, before: any ObjectReader, limit: Int
  ) throws(HeraldError) -> CommitRecord {
    if !schemaChange.isMade, let change = log.singleChange {
      return CommitRecord(version: version, single: change)
    }
    var record = CommitRecord(
      version: version, schemaChanged: schemaChange.isMade, losses: schemaChange.losses)
    record.classes = netChanges(before: before)
    for classID in Array(record.classes.keys) {
      guard var change = record.classes.removeValue(forKey: classID) else { continue }
      let images = BeforeImages(of: classID, in: before)
      // In order, block by block: in the order of the dictionary almost every read would miss the cache.
      for number in change.deleted.keys.sorted() {
        let object = images.image(of: number)
        log.memory.add(object.memory)
        if log.memory.bytes > limit { throw .writeTooLarge(limit: limit) }
        change.deleted[number] = object
      }
      record.classes[classID] = change
    }
    if schemaChange.isMade { record.previous = previousSchema(before, &record) }
    return record
  }

  /// Reduces the mutation log to its net effect (observation 4.5).
  func netChanges(before: any ObjectReader) -> [ClassID: ClassChange] {
    NetChanges(self, before: before).classChanges()
  }
}
