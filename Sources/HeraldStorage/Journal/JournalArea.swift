internal import CLMDB
internal import Glibc

/// The part of each meta page that LMDB does not use, in which the journal's records are.
///
/// LMDB writes the first 152 bytes of a meta page. The records of the commits that follow transaction `n` are in
/// the page that `n` has written, from the second sector on, one after the other: while such a commit is synced, the
/// other page, which has the transaction before and the records that lead to `n`, stays as it is.
package enum JournalArea {
  /// The sector size of disks: a write of other sectors does not touch the meta page's fields.
  static let start = 512
  /// Smaller ones hold no commit.
  private static let smallestSize = 512

  /// The size of an area; 0 if pages are too small for one.
  package static func size(pageSize: Int) -> Int {
    pageSize - start >= smallestSize ? pageSize - start : 0
  }

  /// The offset in the file of the area for the commit that follows a transaction.
  package static func offset(after transaction: UInt64, pageSize: Int) -> Int {
    Int(transaction & 1) * pageSize + start
  }

  /// Overwrites the header of a record that follows a transaction, `skipped` bytes after the beginning of the area;
  /// returns whether that succeeded.
  static func erase(
    _ descriptor: Int32, after transaction: UInt64, skipping skipped: Int = 0, pageSize: Int
  ) -> Bool {
    let zeros = [UInt8](repeating: 0, count: JournalRecord.headerSize)
    return write(zeros, descriptor, offset(after: transaction, pageSize: pageSize) + skipped)
  }

  /// Writes bytes in one call, so that they are there as a whole or the record is incomplete; else sets `errno`.
  static func write(_ bytes: [UInt8], _ descriptor: Int32, _ offset: Int) -> Bool {
    while true {
      let count = pwrite(descriptor, bytes, bytes.count, off_t(offset))
      if count == bytes.count { return true }
      if count >= 0 { errno = EIO }
      if errno != EINTR { return false }
    }
  }

  /// Lets the disk begin to write bytes, while the caller does something else before it syncs them. An error is that of
  /// the sync.
  static func beginWriting(_ descriptor: Int32, _ bytes: Range<Int>) {
    herald_begin_writing(descriptor, off_t(bytes.lowerBound), off_t(bytes.count))
  }

  /// Some disks write a page sooner than a thread wakes up.
  private static let nanosecondsOfWriting: Int64 = 60_000

  /// Waits until the disk has written the bytes, without giving up the processor; returns false if it takes long.
  static func awaitWriting(_ descriptor: Int32, _ bytes: Range<Int>) -> Bool {
    herald_await_writing(
      descriptor, UInt64(bytes.lowerBound), UInt64(bytes.count), nanosecondsOfWriting) == 0
  }
}

extension PageFile {
  /// Returns the journal's record of the commit that follows a meta page's; nil if there is none.
  package func journalRecord(after meta: Meta) -> JournalRecord? {
    journalRecords(after: meta).first
  }

  /// Returns the journal's records of the commits that follow a meta page's, in order.
  package func journalRecords(after meta: Meta) -> [JournalRecord] {
    let length = JournalArea.size(pageSize: meta.pageSize)
    let start = JournalArea.offset(after: meta.transaction, pageSize: meta.pageSize)
    guard length > 0, start + length <= size else { return [] }
    // A copy, which no process changes while it is verified.
    let area = [UInt8](UnsafeRawBufferPointer(start: base + start, count: length))
    var records: [JournalRecord] = []
    area.withUnsafeBytes { area in
      var offset = 0
      while let record = JournalRecord(in: UnsafeRawBufferPointer(rebasing: area[offset...])),
        record.base == meta.transaction, records.last.map({ $0.to == record.from }) ?? true
      {
        records.append(record)
        offset += record.size
      }
    }
    guard let first = records.first, let state = PageSearch(self, meta).state,
      state.transaction == first.base, state.fingerprint == first.from
    else { return [] }
    return records
  }
}
