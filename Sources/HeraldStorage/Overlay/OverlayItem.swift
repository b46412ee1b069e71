import HeraldModel

/// What a version has in place of a record of LMDB's newest transaction, or beside its index entries and reverse links.
///
/// `@unchecked Sendable`: its bytes are written before it is part of a version, and never after.
final class OverlayItem: @unchecked Sendable {
  enum Change { case written, deleted, added, removed }

  let space: RecordSpace
  let change: Change
  /// The record with its trailer, or the entry; behind it the key.
  private let bytes: UnsafeMutableRawBufferPointer
  private let valueSize: Int
  /// The bit of the key in `OverlayItems.filter`.
  let bit: Int

  private init(_ space: RecordSpace, _ change: Change, _ key: UnsafeRawBufferPointer, size: Int) {
    self.space = space
    self.change = change
    valueSize = size
    bytes = .allocate(byteCount: size + key.count, alignment: 8)
    UnsafeMutableRawBufferPointer(rebasing: bytes[size...]).copyMemory(from: key)
    bit = Self.bit(space, FixedKey(beginning: key))
  }

  /// A record, whose content of `size` bytes and trailer are to be written.
  convenience init(_ space: RecordSpace, _ key: UnsafeRawBufferPointer, size: Int) {
    self.init(space, .written, key, size: size + RecordTrailer.size)
  }

  /// A record that is deleted.
  convenience init(deleted key: UnsafeRawBufferPointer, _ space: RecordSpace) {
    self.init(space, .deleted, key, size: 0)
  }

  /// An entry that is added or removed.
  convenience init(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer,
    isAdded: Bool
  ) {
    self.init(space, isAdded ? .added : .removed, key, size: entry.count)
    bytes.copyMemory(from: entry)
  }

  deinit { bytes.deallocate() }

  /// The same for all keys that begin with the same 24 bytes.
  static func bit(_ space: RecordSpace, _ key: FixedKey) -> Int {
    Int(((key.mixed ^ UInt64(space.rawValue)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }

  var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[valueSize...]) }

  var byteCount: Int { bytes.count }

  /// The space of a record's content.
  var target: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: bytes[..<(valueSize - RecordTrailer.size)])
  }

  /// The record with its trailer, or the entry, as LMDB has it; nil if there is none in the version.
  var record: UnsafeRawBufferPointer? {
    switch change {
    case .written, .added: value
    case .deleted, .removed: nil
    }
  }

  /// The same of a record without its trailer.
  var content: UnsafeRawBufferPointer? { change == .written ? value.withoutTrailer : record }

  /// The entry, also if it is removed; of a record the same as `record`.
  var value: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<valueSize]) }

  private var isEntry: Bool { space.entrySize != nil }

  /// Whether it is the store's state, which depends on the transaction that writes it.
  var isState: Bool { space == .meta && FixedKey(key) == .state }

  /// Negative if this one comes before the records or entries with a key, positive if it comes after them.
  @inline(__always)
  func order(to space: RecordSpace, _ key: UnsafeRawBufferPointer) -> Int {
    self.space == space
      ? self.key.order(to: key) : Int(self.space.rawValue) - Int(space.rawValue)
  }

  /// The same of one of LMDB's, whose value decides among entries.
  @inline(__always)
  func order(
    to space: RecordSpace, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> Int {
    let order = order(to: space, key)
    return order != 0 || !isEntry ? order : self.value.order(to: value)
  }

  func order(to other: OverlayItem) -> Int { order(to: other.space, other.key, other.value) }
}

/// The items of a version, or of a write, in the order of their keys: few.
struct OverlayItems: Sendable {
  private(set) var all: [OverlayItem] = []
  /// A bit of each key: most searches end here.
  private var filter = SIMD4<UInt64>.zero
  /// Whether there are entries among them.
  private(set) var hasEntries = false
  private(set) var byteCount = 0

  /// An upper bound of the bytes of the pages that a transaction with all items writes.
  var pageBytes: Int { byteCount + all.count * WriteMemory.pageSize }

  /// Returns what there is for a record.
  @inline(__always)
  func find(_ space: RecordSpace, _ key: FixedKey) -> OverlayItem? {
    guard mayHave(OverlayItem.bit(space, key)) else { return nil }
    return key.withBytes { search(space, $0) }
  }

  func find(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> OverlayItem? {
    guard mayHave(OverlayItem.bit(space, FixedKey(beginning: key))) else { return nil }
    return search(space, key)
  }

  @inline(__always)
  private func mayHave(_ bit: Int) -> Bool { filter[bit >> 6] >> UInt64(bit & 63) & 1 != 0 }

  private func search(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> OverlayItem? {
    let position = all.partitionPoint { $0.order(to: space, key) < 0 }
    guard position < all.count, all[position].order(to: space, key) == 0 else { return nil }
    return all[position]
  }

  /// Returns the entries that are added or removed under a key.
  func entries(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> ArraySlice<OverlayItem> {
    guard hasEntries, mayHave(OverlayItem.bit(space, FixedKey(beginning: key))) else { return [] }
    let first = all.partitionPoint { $0.order(to: space, key) < 0 }
    return all[first...].prefix { $0.order(to: space, key) == 0 }
  }

  /// Returns what there is in a database from a key on, in order.
  func items(_ space: RecordSpace, from key: UnsafeRawBufferPointer?) -> ArraySlice<OverlayItem> {
    let start = UnsafeRawBufferPointer(start: nil, count: 0)
    let first = all.partitionPoint { $0.order(to: space, key ?? start) < 0 }
    return all[first...].prefix { $0.space == space }
  }

  /// Puts an item in the place of the one of the same record. An entry that is added after it was removed, or removed
  /// after it was added, is as in the transaction. Returns the item that it replaces.
  @discardableResult
  mutating func put(_ item: OverlayItem) -> OverlayItem? {
    let position = all.partitionPoint { $0.order(to: item) < 0 }
    guard position < all.count, all[position].order(to: item) == 0 else {
      all.insert(item, at: position)
      filter[item.bit >> 6] |= 1 << UInt64(item.bit & 63)
      hasEntries = hasEntries || item.space.entrySize != nil
      byteCount += item.byteCount
      return nil
    }
    let old = all[position]
    byteCount -= old.byteCount
    if item.space.entrySize != nil, old.change != item.change {
      all.remove(at: position)
    } else {
      all[position] = item
      byteCount += item.byteCount
    }
    return old
  }

  /// Adds what a later write has changed.
  mutating func merge(_ later: OverlayItems) {
    if all.isEmpty {
      self = later
    } else {
      for item in later.all { put(item) }
    }
  }
}
