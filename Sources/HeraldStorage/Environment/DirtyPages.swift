internal import CLMDB
internal import Glibc
internal import Synchronization

/// The pages that a write transaction has changed. LMDB keeps them in memory until the commit, unless they are
/// spilled: written to the file before.
///
/// A spilled page is one that no version uses, so no other transaction reads it, and if the commit never comes it
/// is free as before. LMDB spills by itself only above half a gigabyte.
struct DirtyPages {
  /// LMDB's count of the pages that it may still keep; nil if pages need not be spilled, or if this LMDB has
  /// another layout.
  private let room: UnsafeMutablePointer<UInt32>?
  /// The number of pages above which they are spilled. It grows with what the transaction changes again and again,
  /// which would otherwise be written each time.
  private var limit: Int
  private let largestLimit: Int
  /// The number of the file's pages at the last spill.
  private var pagesOfFile: Int
  /// The pages of long records but the first of each: LMDB counts a record's pages as one.
  private var furtherPages = 0
  private(set) var isSpilled = false

  /// 16 MiB.
  static let defaultLimit = 1 << 12
  /// The limit grows to so many times itself.
  static let growth = 4
  /// The roots of trees and the pages of cursors are never spilled.
  private static let smallestLimit = 16
  /// At this room LMDB spills before any change of a record.
  private static let smallestRoom: UInt32 = 6

  /// No pages.
  init() {
    room = nil
    (limit, largestLimit, pagesOfFile) = (.max, .max, 0)
  }

  init(of transaction: OpaquePointer, in file: OpenFile, limit: Int) {
    let isWrittenThroughMap = file.options.isWrittenThroughMap
    room = isWrittenThroughMap ? nil : TransactionFields.room(of: transaction, in: file.handle)
    self.limit = limit
    largestLimit = limit * Self.growth
    pagesOfFile = TransactionFields.pages(of: transaction, in: file.handle) ?? 0
  }

  /// Returns whether pages should be spilled before a record of `size` bytes is written.
  @inline(__always)
  func isDue(for size: Int) -> Bool {
    guard let room else { return false }
    let kept = Int(TransactionFields.fullRoom &- room.pointee)
    return kept &+ furtherPages &+ size / WriteMemory.pageSize > limit
      && (kept > Self.smallestLimit || furtherPages > 0)
  }

  @inline(__always)
  mutating func noteRecord(_ size: Int) {
    furtherPages = furtherPages &+ size / WriteMemory.pageSize
  }

  /// Spills all pages but those that are needed next. `pages`: the number of the file's pages; `change`: any change
  /// of a record, whose result, LMDB's code, it returns.
  mutating func spill(pages: Int, during change: () -> Int32) -> Int32 {
    guard let room, room.pointee > Self.smallestRoom else { return 0 }
    let kept = Int(TransactionFields.fullRoom - room.pointee) + furtherPages
    if pages - pagesOfFile < kept / 2 { limit = min(2 * limit, largestLimit) }
    pagesOfFile = pages
    let withheld = room.pointee - Self.smallestRoom
    room.pointee = Self.smallestRoom
    let code = change()
    room.pointee += withheld
    furtherPages = 0
    isSpilled = true
    return code
  }
}

extension StorageSnapshot {
  /// Spills pages if too many have changed. Must come before each change of a record in LMDB's transaction.
  @inline(__always)
  func makeRoom(for size: Int = 0) throws(StorageError) {
    let code = spillIfDue(for: size)
    if code != 0 { try written(code) }
    pending?.dirtyPages.noteRecord(size)
  }

  /// Like `makeRoom`, and returns LMDB's code.
  @inline(__always)
  func spillIfDue(for size: Int = 0) -> Int32 {
    guard let pending, pending.dirtyPages.isDue(for: size) else { return 0 }
    return spill(pending)
  }

  /// Spills while the state record is written as it is, which each commit replaces anyway.
  @inline(never)
  private func spill(_ pending: WriteBuffer) -> Int32 {
    var value = MDB_val()
    var code = FixedKey.state.withValue { mdb_get(transaction, databases.meta, &$0, &value) }
    guard code == 0 else { return code }
    var record = [UInt8](UnsafeRawBufferPointer(value))
    let pages = TransactionFields.pages(of: transaction, in: file.handle) ?? 0
    code = pending.dirtyPages.spill(pages: pages) {
      record.withUnsafeMutableBytes { record in
        var value = MDB_val(UnsafeRawBufferPointer(record))
        return FixedKey.state.withValue { mdb_put(transaction, databases.meta, &$0, &value, 0) }
      }
    }
    pending.largeRecords = WriteMemory()
    cache.forgetAll()
    // The pages that the transaction has read, among them those that it spilled before.
    file.releaseMemory()
    return code == EIO && file.isDiskFull ? ENOSPC : code
  }
}

extension StorageEnvironment {
  /// The number of changed pages above which a write transaction spills.
  package var dirtyPageLimit: Int {
    get {
      let largest = writeLimit / WriteMemory.pageSize / DirtyPages.growth
      return min(spillLimit.load(ordering: .relaxed), largest)
    }
    set { spillLimit.store(newValue, ordering: .relaxed) }
  }
}
