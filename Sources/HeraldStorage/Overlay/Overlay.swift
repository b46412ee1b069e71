/// The newest version of a file whose last commits are in the journal alone: what these have changed since LMDB's
/// newest transaction. A checkpoint puts it into the pages.
final class Overlay: Sendable {
  /// The number of LMDB's newest transaction.
  let base: UInt64
  let state: StoreState
  let items: OverlayItems
  /// The number of commits.
  let count: Int

  /// The version that follows `previous`, or that transaction, with what a write has changed.
  init(_ previous: Overlay?, base: UInt64, _ state: StoreState, _ changed: OverlayItems) {
    self.base = base
    self.state = state
    var items = previous?.items ?? OverlayItems()
    items.merge(changed)
    self.items = items
    count = (previous?.count ?? 0) + 1
  }
}

/// What a write has changed, as long as that is little: it may become the next overlay.
final class OverlayDraft {
  @exclusivity(unchecked) private(set) var items = OverlayItems()
  /// The number of LMDB's newest transaction; nil until the write is being committed, and the gate is held.
  @exclusivity(unchecked) var base: UInt64?
  /// What was replaced: a caller may still read it.
  @exclusivity(unchecked) private var replaced: [OverlayItem] = []
  @exclusivity(unchecked) private var replacedBytes = 0
  /// The items with those of the version that the write began at; nil until they are needed.
  @exclusivity(unchecked) private var merged: OverlayItems?

  /// The largest number of items: the journal has no room for more.
  static let itemLimit = 256
  /// A longer record is not worth a copy, and has no form in the journal.
  static let largestRecord = 1 << 15
  private static let byteLimit = 1 << 18

  /// Whether there is room for so many bytes more of one record, or of entries.
  func hasRoom(for size: Int, items count: Int = 1) -> Bool {
    items.all.count + count <= Self.itemLimit
      && items.byteCount + replacedBytes + size <= Self.byteLimit
      && (count > 1 || size <= Self.largestRecord)
  }

  func put(_ item: OverlayItem) {
    if let old = items.put(item) {
      replaced.append(old)
      replacedBytes += old.byteCount
    }
    merged?.put(item)
  }

  /// Returns the items with those of the version that the write began at, which is always the same.
  func items(over overlay: OverlayItems?) -> OverlayItems {
    guard let overlay else { return items }
    if let merged { return merged }
    var items = overlay
    items.merge(self.items)
    merged = items
    return items
  }
}
