/// What a write transaction has changed and not yet put into records.
///
/// `@unchecked Sendable`: it is in the hands of one transaction, whose thread alone touches it, or
/// waits in the environment behind its mutex for the next; never both.
final class PendingChanges: @unchecked Sendable {
  struct BlockKey: Hashable {
    let column: ColumnID
    let block: Int
  }

  struct Draft {
    let key: BlockKey
    let draft: BlockDraft
  }

  /// A draft lately used; `drafts` owns it.
  struct Slot {
    let column: UInt64
    let block: Int
    let kind: ColumnKind
    let words: DraftWords
    let draft: Unmanaged<BlockDraft>
  }

  /// Drafts beyond these are put into records early, to bound the memory of one transaction.
  static let draftLimit = 16384
  /// So are drafts that hold more bytes of strings and data than these.
  static let draftByteLimit = 1 << 26

  private(set) var drafts: [Draft] = []
  /// Bytes of strings and data put into drafts since these were last put into records.
  var draftBytes = 0
  /// Records of more than a page that were written are kept in memory until the commit.
  var largeRecords = WriteMemory()
  /// Where in `drafts` a block is; empty as long as there are so few that each is looked at.
  private var places: [BlockKey: Int] = [:]
  private static let fewDrafts = 16
  /// The drafts last used, direct-mapped: filling a class comes back to the same few at once.
  private let slots: UnsafeMutablePointer<Slot?>
  private static let slotCount = 64
  /// Blocks without a draft of which one value has changed.
  private(set) var patches: [BlockPatch] = []
  var classes: [UInt32: PendingClass] = [:]
  private var lastClass: (id: UInt32, pending: PendingClass)?
  var lists: [ListID: PendingList] = [:]
  /// Elements of lists that are decoded; bounds memory as `draftLimit` does.
  var listElementCount = 0
  /// The properties with a column, of the classes of which objects were deleted.
  var columnsOfClass: [UInt32: Set<UInt32>] = [:]
  var logEntry: [UInt8]?
  /// Whether objects were added.
  var hasCreated = false
  /// Whether objects or whole columns were deleted.
  var hasDeleted = false
  /// Whether the transaction may use what is kept for deleting.
  var isDeleting: Bool { hasDeleted && !hasCreated }
  /// By how much the records and entries written so far change the store's digest.
  var digest = StoreDigest()
  /// Of the columns to whose indexes integers were added.
  private(set) var indexes: [PendingIndex] = []
  /// Of the columns to whose indexes anything else was added.
  private(set) var keys: [PendingKeys] = []

  init() {
    slots = .allocate(capacity: Self.slotCount)
    slots.initialize(repeating: nil, count: Self.slotCount)
  }

  deinit {
    forgetPatches()
    slots.deallocate()
  }

  @inline(__always)
  private func place(_ column: UInt64, _ block: Int) -> UnsafeMutablePointer<Slot?> {
    let spread = Int((column &* 0x9E37_79B9_7F4A_7C15) >> 40)
    return slots + ((spread &+ block) & (Self.slotCount &- 1))
  }

  /// A draft lately used, without a count of references; nil says nothing.
  @inline(__always)
  func slot(_ column: ColumnID, _ block: Int) -> Slot? {
    let column = column.packed
    guard let slot = place(column, block).pointee, slot.block == block, slot.column == column
    else { return nil }
    return slot
  }

  func draft(_ column: ColumnID, _ block: Int) -> BlockDraft? {
    if let slot = slot(column, block) { return slot.draft.takeUnretainedValue() }
    guard let place = place(of: BlockKey(column: column, block: block)) else { return nil }
    let draft = drafts[place].draft
    remember(draft, column, block)
    return draft
  }

  private func place(of key: BlockKey) -> Int? {
    if drafts.count > Self.fewDrafts { return places[key] }
    return drafts.firstIndex { $0.key == key }
  }

  private func remember(_ draft: BlockDraft, _ column: ColumnID, _ block: Int) {
    place(column.packed, block).pointee = Slot(
      column: column.packed, block: block, kind: draft.kind, words: draft.words,
      draft: .passUnretained(draft))
  }

  func add(_ draft: BlockDraft, _ column: ColumnID, _ block: Int) {
    let key = BlockKey(column: column, block: block)
    drafts.append(Draft(key: key, draft: draft))
    if drafts.count > Self.fewDrafts {
      if places.isEmpty {
        for (place, draft) in drafts.enumerated() { places[draft.key] = place }
      } else {
        places[key] = drafts.count - 1
      }
    }
    remember(draft, column, block)
    columnsOfClass[column.classID]?.insert(column.propertyID)
  }

  /// Whether the drafts are to be put into records before another one is begun.
  var holdsTooMuch: Bool { drafts.count >= Self.draftLimit || draftBytes >= Self.draftByteLimit }

  /// The drafts in the order of their keys.
  var orderedDrafts: [Draft] {
    if drafts.count <= 1 { return drafts }
    return drafts.sorted {
      ($0.key.column.packed, $0.key.block) < ($1.key.column.packed, $1.key.block)
    }
  }

  func forgetDraft(_ column: ColumnID, _ block: Int) {
    let key = BlockKey(column: column, block: block)
    guard let place = place(of: key) else { return }
    if slot(column, block) != nil { self.place(column.packed, block).pointee = nil }
    let last = drafts.removeLast()
    places[key] = nil
    if place < drafts.count {
      drafts[place] = last
      places[last.key] = place
    }
    if drafts.count <= Self.fewDrafts { places = [:] }
  }

  func patch(_ column: ColumnID, _ block: Int) -> FlatBlock? {
    if patches.isEmpty { return nil }
    let key = BlockKey(column: column, block: block)
    return patches.first { $0.key == key }?.flat
  }

  func add(_ patch: BlockPatch) { patches.append(patch) }

  /// Whether there was one.
  @discardableResult
  func forgetPatch(_ column: ColumnID, _ block: Int) -> Bool {
    if patches.isEmpty { return false }
    let key = BlockKey(column: column, block: block)
    guard let place = patches.firstIndex(where: { $0.key == key }) else { return false }
    patches.remove(at: place).free()
    return true
  }

  func forgetPatches() {
    for patch in patches { patch.free() }
    patches.removeAll(keepingCapacity: true)
  }

  func forgetDrafts() {
    draftBytes = 0
    guard drafts.count > Self.fewDrafts else {
      for draft in drafts { place(draft.key.column.packed, draft.key.block).pointee = nil }
      return drafts.removeAll(keepingCapacity: true)
    }
    slots.update(repeating: nil, count: Self.slotCount)
    places = [:]
    drafts = []
  }

  /// As new, for another transaction.
  func forgetAll() {
    forgetDrafts()
    forgetPatches()
    classes = [:]
    lastClass = nil
    lists = [:]
    listElementCount = 0
    columnsOfClass = [:]
    logEntry = nil
    hasCreated = false
    hasDeleted = false
    digest = StoreDigest()
    largeRecords = WriteMemory()
    indexes.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  func index(_ column: ColumnID) -> PendingIndex? {
    let column = column.packed
    for index in indexes where index.column.packed == column { return index }
    return nil
  }

  func addedIndex(_ column: ColumnID) -> PendingIndex {
    let index = PendingIndex(column)
    indexes.append(index)
    return index
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

  /// The pending class, which `make` begins at its first use.
  func pendingClass(_ id: UInt32, make: () -> ClassRecord) -> PendingClass {
    if let lastClass, lastClass.id == id { return lastClass.pending }
    let pending = classes[id] ?? PendingClass(make())
    classes[id] = pending
    lastClass = (id, pending)
    return pending
  }
}
