/// The addresses of blocks in the map: a direct-mapped cache, so that a repeated point read finds
/// its block without a search in the tree.
///
/// A pointer is valid as long as its transaction's snapshot, or, in a write transaction, until the
/// next record is written: then `forgetAll` must be called.
///
/// `@unchecked Sendable`: a cache is either used by one transaction, or kept in the environment's
/// pool behind its mutex; never both.
final class BlockCache: @unchecked Sendable {
  struct Entry {
    var column: UInt64 = 0
    var block: UInt32 = 0
    var generation: UInt32 = 0
    /// Nil if the store has no such block.
    var base: UnsafeRawPointer?
    var length = 0
  }

  private static let smallest = 512
  /// A mebibyte: the blocks of a few million values.
  private static let largest = 1 << 15
  /// A power of two.
  @exclusivity(unchecked) private var capacity = BlockCache.smallest
  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
  @exclusivity(unchecked) private var generation: UInt32 = 1
  /// The number of entries that were overwritten since the cache was last empty or grew.
  @exclusivity(unchecked) private var displaced = 0

  init() {
    entries = Self.allocate(capacity)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    entries.initialize(repeating: Entry(), count: capacity)
    return entries
  }

  deinit { entries.deallocate() }

  @inline(__always)
  private func slot(_ column: UInt64, _ block: Int) -> UnsafeMutablePointer<Entry> {
    let hash = Int((column &* 0x9E37_79B9_7F4A_7C15) >> 40)
    return entries + ((hash &+ block) & (capacity &- 1))
  }

  /// Returns the entry for a block, nil if it is not cached.
  @inline(__always)
  func find(_ column: UInt64, _ block: Int) -> UnsafeMutablePointer<Entry>? {
    let entry = slot(column, block)
    guard Int(entry.pointee.block) == block, entry.pointee.column == column,
      entry.pointee.generation == generation
    else { return nil }
    return entry
  }

  /// Adds an entry. Grows if entries overwrite each other often.
  func remember(_ column: UInt64, _ block: Int, _ bytes: UnsafeRawBufferPointer?) {
    let entry = slot(column, block)
    if entry.pointee.generation == generation {
      displaced += 1
      if displaced > capacity / 4 && capacity < Self.largest { grow() }
    }
    slot(column, block).pointee = Entry(
      column: column, block: UInt32(block), generation: generation, base: bytes?.baseAddress,
      length: bytes?.count ?? 0)
  }

  private func grow() {
    let old = UnsafeMutableBufferPointer(start: entries, count: capacity)
    defer { old.deallocate() }
    capacity *= 4
    displaced = 0
    entries = Self.allocate(capacity)
    for entry in old where entry.generation == generation {
      slot(entry.column, Int(entry.block)).pointee = entry
    }
  }

  func forget(_ column: UInt64, _ block: Int) {
    find(column, block)?.pointee.generation = 0
  }

  // MARK: Verified records

  /// A record that was verified: its address, and its trailer mixed with its key.
  ///
  /// An LMDB page keeps its records until it is rewritten, and then their trailers differ:
  /// together, the two identify the record in any transaction.
  private struct Intact {
    var address: UInt = 0
    var stamp: UInt64 = 0
  }

  @exclusivity(unchecked)
  private var intact = [Intact](repeating: Intact(), count: BlockCache.smallest)
  /// The number of entries that were overwritten since the table last grew.
  @exclusivity(unchecked) private var displacedIntact = 0

  @inline(__always)
  private static func stamp(_ record: UnsafeRawBufferPointer, _ key: FixedKey) -> UInt64 {
    let end = record.loadUnaligned(fromByteOffset: record.count - 8, as: UInt64.self)
    return end ^ key.mixed ^ UInt64(record.count)
  }

  @inline(__always)
  private func intactSlot(_ address: UInt) -> Int {
    Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 32) & (intact.count &- 1)
  }

  @inline(__always)
  func isIntact(_ record: UnsafeRawBufferPointer, _ key: FixedKey) -> Bool {
    let address = UInt(bitPattern: record.baseAddress)
    let entry = intact[intactSlot(address)]
    return entry.address == address && entry.stamp == Self.stamp(record, key)
  }

  func noteIntact(_ record: UnsafeRawBufferPointer, _ key: FixedKey) {
    let address = UInt(bitPattern: record.baseAddress)
    if intact[intactSlot(address)].address != 0 {
      displacedIntact += 1
      if displacedIntact > intact.count / 4 && intact.count < Self.largest {
        let old = intact
        intact = [Intact](repeating: Intact(), count: old.count * 4)
        displacedIntact = 0
        for entry in old where entry.address != 0 { intact[intactSlot(entry.address)] = entry }
      }
    }
    intact[intactSlot(address)] = Intact(address: address, stamp: Self.stamp(record, key))
  }

  /// Drops every entry. O(1), except once every 2^32 calls.
  func forgetAll() {
    displaced = 0
    generation &+= 1
    guard generation == 0 else { return }
    entries.update(repeating: Entry(), count: capacity)
    generation = 1
  }
}
