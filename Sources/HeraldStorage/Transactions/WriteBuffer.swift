/// The changes of a write transaction that are not yet written to records.
///
/// `@unchecked Sendable`: it is either used by one transaction, on that transaction's thread, or
/// kept for the next one behind the environment's mutex; never both.
final class WriteBuffer: @unchecked Sendable {
  struct BlockKey: Hashable {
    let column: ColumnID
    let block: Int
  }

  struct Draft {
    let key: BlockKey
    let draft: BlockDraft
  }

  /// A recently used draft; `drafts` owns it.
  struct Slot {
    let column: UInt64
    let block: Int
    let kind: ColumnKind
    let words: DraftWords
    let draft: Unmanaged<BlockDraft>
  }

  /// The number of drafts above which they are written early, to bound the memory of a transaction.
  static let draftLimit = 16384
  /// The same for drafts of blocks without a record: new objects fill them one after the other, so that they
  /// are rarely changed again.
  static let newDraftLimit = 2048
  /// The bytes of strings and data in drafts above which they are written early.
  static let draftByteLimit = 1 << 24

  @exclusivity(unchecked) private(set) var drafts: [Draft] = []
  /// The number of drafts of blocks without a record.
  @exclusivity(unchecked) private var newDrafts = 0
  /// Bytes of strings and data put into drafts since the last time that these were written.
  @exclusivity(unchecked) var draftBytes = 0
  @exclusivity(unchecked) var dirtyPages = DirtyPages()
  /// The memory of written records of more than a page, which is used until the commit, or until they are
  /// spilled.
  @exclusivity(unchecked) var largeRecords = WriteMemory()
  /// The index in `drafts` of each block; empty while there are so few that a linear search is faster.
  @exclusivity(unchecked) private var draftIndexes: [BlockKey: Int] = [:]
  private static let fewDrafts = 16
  /// The drafts used last, direct-mapped: filling a class uses the same few repeatedly.
  private let slots: UnsafeMutablePointer<Slot?>
  private static let slotCount = 64
  /// The blocks without a draft in which one value has changed.
  @exclusivity(unchecked) private(set) var patches: [BlockPatch] = []
  @exclusivity(unchecked) var classes: [UInt32: PendingClass] = [:]
  /// The class used last; `classes` owns it.
  @exclusivity(unchecked) private var lastClass: (id: UInt32, pending: Unmanaged<PendingClass>)?
  /// The class that a committed transaction used last.
  @exclusivity(unchecked)
  private var kept: (version: Int, id: UInt32, pending: PendingClass)?
  @exclusivity(unchecked) var lists: [ListID: PendingList] = [:]
  /// The number of decoded list elements; limits memory as `draftLimit` does.
  @exclusivity(unchecked) var listElementCount = 0
  /// The properties with a column, per class of which objects were deleted.
  @exclusivity(unchecked) var columnsOfClass: [UInt32: Set<UInt32>] = [:]
  /// What has changed, if another copy of the store is to replay it.
  @exclusivity(unchecked) var capture: WriteCapture?
  /// What the write has read and changed before it got a transaction of LMDB's.
  @exclusivity(unchecked) private var beforeTransaction: StorageSnapshot.Loan?
  /// The commits that this write began, whose versions are not durable yet.
  @exclusivity(unchecked) var group: SharedWrite?
  /// What is not yet in its records.
  @exclusivity(unchecked) var held: (any HeldContents)?
  @exclusivity(unchecked) var logEntry: [UInt8]?
  @exclusivity(unchecked) var logLimits = LogLimits()
  /// The size of the log with that entry, once it is there.
  @exclusivity(unchecked) var loggedBytes: Int?
  /// Whether the commit only changes settings, and makes no version.
  @exclusivity(unchecked) var keepsVersion = false
  /// Whether a record was written.
  @exclusivity(unchecked) var hasPut = false
  /// Whether anything was written, or deleted.
  @exclusivity(unchecked) var hasWritten = false
  /// Whether objects were added.
  @exclusivity(unchecked) var hasCreated = false
  /// Whether objects or whole columns were deleted.
  @exclusivity(unchecked) var hasDeleted = false
  /// Whether the transaction may use the caches for deletion.
  var isDeleting: Bool { hasDeleted && !hasCreated }
  /// The change of the store's digest by the records and entries written so far.
  @exclusivity(unchecked) var digest = StoreDigest()
  /// One per column to whose index integers were added.
  @exclusivity(unchecked) private(set) var indexes: [PendingIndex] = []
  /// The same by column: to find one retains nothing.
  @exclusivity(unchecked)
  private var indexesByColumn: [(column: UInt64, index: Unmanaged<PendingIndex>)] = []
  /// One per column to whose index other keys were added.
  @exclusivity(unchecked) private(set) var keys: [PendingKeys] = []
  /// The number of entries added to any of them.
  @exclusivity(unchecked) private var indexEntries = 0

  init() {
    slots = .allocate(capacity: Self.slotCount)
    slots.initialize(repeating: nil, count: Self.slotCount)
  }

  deinit {
    forgetPatches()
    slots.deallocate()
  }

  @inline(__always)
  private func slotPointer(_ column: UInt64, _ block: Int) -> UnsafeMutablePointer<Slot?> {
    let hash = Int((column &* 0x9E37_79B9_7F4A_7C15) >> 40)
    return slots + ((hash &+ block) & (Self.slotCount &- 1))
  }

  /// Returns a recently used draft, without retaining it; nil does not mean that there is none.
  @inline(__always)
  func slot(_ column: ColumnID, _ block: Int) -> Slot? {
    let column = column.packed
    guard let slot = slotPointer(column, block).pointee, slot.block == block, slot.column == column
    else { return nil }
    return slot
  }

  func draft(_ column: ColumnID, _ block: Int) -> BlockDraft? {
    if let slot = slot(column, block) { return slot.draft.takeUnretainedValue() }
    guard let index = index(of: BlockKey(column: column, block: block)) else { return nil }
    let draft = drafts[index].draft
    remember(draft, column, block)
    return draft
  }

  private func index(of key: BlockKey) -> Int? {
    if drafts.count > Self.fewDrafts { return draftIndexes[key] }
    return drafts.firstIndex { $0.key == key }
  }

  private func remember(_ draft: BlockDraft, _ column: ColumnID, _ block: Int) {
    slotPointer(column.packed, block).pointee = Slot(
      column: column.packed, block: block, kind: draft.kind, words: draft.words,
      draft: .passUnretained(draft))
  }

  func add(_ draft: BlockDraft, _ column: ColumnID, _ block: Int, isNew: Bool) {
    if isNew { newDrafts += 1 }
    let key = BlockKey(column: column, block: block)
    drafts.append(Draft(key: key, draft: draft))
    if drafts.count > Self.fewDrafts {
      if draftIndexes.isEmpty {
        for (index, draft) in drafts.enumerated() { draftIndexes[draft.key] = index }
      } else {
        draftIndexes[key] = drafts.count - 1
      }
    }
    remember(draft, column, block)
    if !columnsOfClass.isEmpty { columnsOfClass[column.classID]?.insert(column.propertyID) }
  }

  /// Whether the drafts must be written to records before another one is begun.
  var isOverLimit: Bool {
    drafts.count >= Self.draftLimit || newDrafts >= Self.newDraftLimit
      || draftBytes >= Self.draftByteLimit
  }

  /// The drafts in the order of their keys.
  var orderedDrafts: [Draft] {
    if drafts.count <= 1 { return drafts }
    return drafts.sorted {
      ($0.key.column.packed, $0.key.block) < ($1.key.column.packed, $1.key.block)
    }
  }

  func forgetDraft(_ column: ColumnID, _ block: Int) {
    let key = BlockKey(column: column, block: block)
    guard let index = index(of: key) else { return }
    if slot(column, block) != nil { slotPointer(column.packed, block).pointee = nil }
    let last = drafts.removeLast()
    draftIndexes[key] = nil
    if index < drafts.count {
      drafts[index] = last
      draftIndexes[last.key] = index
    }
    if drafts.count <= Self.fewDrafts { draftIndexes = [:] }
  }

  func patch(_ column: ColumnID, _ block: Int) -> FlatBlock? {
    if patches.isEmpty { return nil }
    let key = BlockKey(column: column, block: block)
    guard let index = patches.firstIndex(where: { $0.key == key }) else { return nil }
    return patches[index].flat
  }

  func add(_ patch: BlockPatch) { patches.append(patch) }

  /// Returns whether there was one.
  @discardableResult
  func forgetPatch(_ column: ColumnID, _ block: Int) -> Bool {
    if patches.isEmpty { return false }
    let key = BlockKey(column: column, block: block)
    guard let index = patches.firstIndex(where: { $0.key == key }) else { return false }
    patches.remove(at: index).free()
    return true
  }

  func forgetPatches() {
    if patches.isEmpty { return }
    for patch in patches { patch.free() }
    patches.removeAll(keepingCapacity: true)
  }

  func forgetDrafts() {
    draftBytes = 0
    newDrafts = 0
    if drafts.isEmpty { return }
    guard drafts.count > Self.fewDrafts else {
      for draft in drafts { slotPointer(draft.key.column.packed, draft.key.block).pointee = nil }
      return drafts.removeAll(keepingCapacity: true)
    }
    slots.update(repeating: nil, count: Self.slotCount)
    draftIndexes = [:]
    drafts = []
  }

  /// Keeps the class that the commit of a version used last, so that the next one need not read its record. To be
  /// called before the changes are reset.
  func keepClass(at version: Int) {
    guard let lastClass, case let pending = lastClass.pending.takeUnretainedValue(),
      !pending.isDropped
    else { return }
    pending.noteCommitted()
    kept = (version, lastClass.id, pending)
  }

  /// Keeps what the write has read and changed so far until it ends.
  func keep(_ loan: StorageSnapshot.Loan) { beforeTransaction = loan }

  /// Resets the changes of a version that is complete, so that only settings can follow.
  func beginSettings() {
    logEntry = nil
    loggedBytes = nil
    keepsVersion = true
  }

  /// Resets the changes for another transaction.
  func forgetAll() {
    forgetDrafts()
    forgetPatches()
    if !classes.isEmpty { classes.removeAll(keepingCapacity: classes.count < 16) }
    lastClass = nil
    if !lists.isEmpty { lists = [:] }
    listElementCount = 0
    if !columnsOfClass.isEmpty { columnsOfClass = [:] }
    capture = nil
    held = nil
    beforeTransaction = nil
    group?.leaveGate()
    group = nil
    logEntry = nil
    loggedBytes = nil
    keepsVersion = false
    hasPut = false
    hasWritten = false
    hasCreated = false
    hasDeleted = false
    digest = StoreDigest()
    largeRecords = WriteMemory()
    dirtyPages = DirtyPages()
    if !indexes.isEmpty {
      indexesByColumn.removeAll(keepingCapacity: true)
      indexes.removeAll(keepingCapacity: true)
    }
    if !keys.isEmpty { keys.removeAll(keepingCapacity: true) }
  }

  func index(_ column: ColumnID) -> PendingIndex? { indexReference(column)?.takeUnretainedValue() }

  /// Returns the same without retaining it: it lives as long as the changes.
  @inline(__always)
  func indexReference(_ column: ColumnID) -> Unmanaged<PendingIndex>? {
    let column = column.packed
    for known in indexesByColumn where known.column == column { return known.index }
    return nil
  }

  func addedIndex(_ column: ColumnID) -> Unmanaged<PendingIndex> {
    let index = PendingIndex(column)
    indexes.append(index)
    indexesByColumn.append((column.packed, .passUnretained(index)))
    return .passUnretained(index)
  }

  /// The pending entries in the order of their columns.
  var orderedIndexes: [PendingIndex] {
    indexes.count < 2 ? indexes : indexes.sorted { $0.column.packed < $1.column.packed }
  }

  var orderedKeys: [PendingKeys] {
    keys.count < 2 ? keys : keys.sorted { $0.column.packed < $1.column.packed }
  }

  func keys(_ column: ColumnID) -> PendingKeys? {
    for keys in keys where keys.column == column { return keys }
    return nil
  }

  func addedKeys(_ column: ColumnID) -> PendingKeys {
    let added = PendingKeys(column)
    keys.append(added)
    return added
  }

  /// Counts an entry that was added to an index; returns whether the memory of all of them is to be checked, which
  /// costs more than the entry.
  @inline(__always)
  func noteIndexEntry() -> Bool {
    indexEntries &+= 1
    return indexEntries & 0xFFF == 0
  }

  /// The bytes that the pending entries of all indexes occupy.
  var indexByteCount: Int {
    indexes.reduce(0) { $0 + $1.byteCount } + keys.reduce(0) { $0 + $1.byteCount }
  }

  /// The bytes above which entries are flushed early, so that a transaction's memory does not grow with the number of
  /// indexes.
  static let indexByteLimit = 1 << 25

  /// Returns the pending class, which `make` creates on first use, without retaining it: it lives as long as the changes.
  /// `version`: the one at which the transaction began.
  @inline(__always)
  func pendingClass(
    _ id: UInt32, _ version: @autoclosure () -> Int, make: () -> ClassRecord
  ) -> Unmanaged<PendingClass> {
    if let lastClass, lastClass.id == id { return lastClass.pending }
    let pending = classes[id] ?? keptClass(id, version()) ?? PendingClass(make())
    classes[id] = pending
    lastClass = (id, .passUnretained(pending))
    return .passUnretained(pending)
  }

  private func keptClass(_ id: UInt32, _ version: Int) -> PendingClass? {
    guard let kept, kept.id == id else { return nil }
    self.kept = nil
    return kept.version == version ? kept.pending : nil
  }
}
