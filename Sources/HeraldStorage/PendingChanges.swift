/// What a write transaction has changed and not yet put into records.
///
/// Only the thread of its transaction touches it.
final class PendingChanges {
  struct BlockKey: Hashable {
    let column: ColumnID
    let block: Int
  }

  private struct Slot {
    var column: UInt64 = 0
    var block = -1
    var draft: BlockDraft?
  }

  /// Drafts beyond these are put into records early, to bound the memory of one transaction.
  static let draftLimit = 16384

  private(set) var drafts: [BlockKey: BlockDraft] = [:]
  /// The drafts last used, direct-mapped: filling a class comes back to the same few at once.
  private var slots: [Slot] = []
  var classes: [UInt32: PendingClass] = [:]
  private var lastClass: (id: UInt32, pending: PendingClass)?
  var lists: [ListID: PendingList] = [:]
  /// Elements of lists that are decoded; bounds memory as `draftLimit` does.
  var listElementCount = 0
  /// The properties with a column, of the classes of which objects were deleted.
  var columnsOfClass: [UInt32: Set<UInt32>] = [:]
  var logEntry: [UInt8]?

  @inline(__always) private static func slot(_ column: UInt64, _ block: Int) -> Int {
    (Int((column &* 0x9E37_79B9_7F4A_7C15) >> 40) &+ block) & 63
  }

  func draft(_ column: ColumnID, _ block: Int) -> BlockDraft? {
    guard !slots.isEmpty else { return nil }
    let index = Self.slot(column.packed, block)
    if slots[index].block == block && slots[index].column == column.packed {
      return slots[index].draft
    }
    guard let draft = drafts[BlockKey(column: column, block: block)] else { return nil }
    slots[index] = Slot(column: column.packed, block: block, draft: draft)
    return draft
  }

  func add(_ draft: BlockDraft, _ column: ColumnID, _ block: Int) {
    if slots.isEmpty { slots = [Slot](repeating: Slot(), count: 64) }
    drafts[BlockKey(column: column, block: block)] = draft
    slots[Self.slot(column.packed, block)] = Slot(
      column: column.packed, block: block, draft: draft)
    columnsOfClass[column.classID]?.insert(column.propertyID)
  }

  /// The drafts in the order of their keys.
  var orderedDrafts: [(key: BlockKey, draft: BlockDraft)] {
    drafts.map { (key: $0.key, draft: $0.value) }.sorted {
      ($0.key.column.packed, $0.key.block) < ($1.key.column.packed, $1.key.block)
    }
  }

  func forgetDrafts() {
    drafts.removeAll()
    slots.removeAll()
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
