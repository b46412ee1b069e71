/// A record as the commits that are in the journal alone have changed it, with its trailer.
///
/// `@unchecked Sendable`: its bytes are written before it is part of a version, and never after.
final class JournaledRecord: @unchecked Sendable {
  let space: RecordSpace
  let key: FixedKey
  let hash: UInt64
  let bytes: UnsafeMutableRawBufferPointer

  /// `size`: that of the content.
  init(_ space: RecordSpace, _ key: FixedKey, size: Int) {
    self.space = space
    self.key = key
    hash = Self.hash(space, key)
    bytes = .allocate(byteCount: size + RecordTrailer.size, alignment: 8)
  }

  deinit { bytes.deallocate() }

  static func hash(_ space: RecordSpace, _ key: FixedKey) -> UInt64 {
    (key.mixed ^ UInt64(space.rawValue)) &* 0x9E37_79B9_7F4A_7C15
  }

  var record: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

  /// The space of the content.
  var content: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: bytes[..<(bytes.count - RecordTrailer.size)])
  }

  @inline(__always)
  func isOf(_ space: RecordSpace, _ key: FixedKey, _ hash: UInt64) -> Bool {
    self.hash == hash && self.space == space && self.key == key
  }
}

/// Records by their keys: few, so that a linear search is fast.
struct JournaledRecords: Sendable {
  private(set) var all: [JournaledRecord] = []
  /// A bit of each record's hash: most searches end here.
  private var bits: UInt64 = 0

  @inline(__always)
  func find(_ space: RecordSpace, _ key: FixedKey) -> JournaledRecord? {
    let hash = JournaledRecord.hash(space, key)
    if bits & 1 << (hash >> 58) == 0 { return nil }
    return all.first { $0.isOf(space, key, hash) }
  }

  /// Adds a record, in place of the one with the same key.
  mutating func add(_ record: JournaledRecord) {
    bits |= 1 << (record.hash >> 58)
    let index = all.firstIndex { $0.isOf(record.space, record.key, record.hash) }
    if let index { all[index] = record } else { all.append(record) }
  }

}

/// Entries of the log, the newest one first: versions that follow one another share those before.
final class JournaledLog: Sendable {
  let newest: JournaledRecord
  let earlier: JournaledLog?

  init(_ newest: JournaledRecord, after earlier: JournaledLog?) {
    self.newest = newest
    self.earlier = earlier
  }
}

/// The newest version of a file whose last commits are in the journal alone: what these have changed since LMDB's
/// newest transaction.
///
/// They have replaced records of `columns`, `lists` or `meta`, and added entries to the log. A commit that does anything
/// else is one of LMDB's.
final class JournaledVersion: Sendable {
  /// The number of LMDB's newest transaction.
  let base: UInt64
  let state: StoreState
  /// Those of the other databases than the log.
  let records: JournaledRecords
  let log: JournaledLog?
  /// The number of commits.
  let count: Int

  init(
    _ previous: JournaledVersion?, base: UInt64, _ state: StoreState, _ changed: JournaledRecords
  ) {
    self.base = base
    self.state = state
    var records = previous?.records ?? JournaledRecords()
    var log = previous?.log
    for record in changed.all {
      switch record.space {
      case .log: log = JournaledLog(record, after: log)
      default: records.add(record)
      }
    }
    self.records = records
    self.log = log
    count = (previous?.count ?? 0) + 1
  }

  func find(_ space: RecordSpace, _ key: FixedKey) -> JournaledRecord? {
    if space != .log { return records.find(space, key) }
    var next = log
    while let entry = next, entry.newest.key != key { next = entry.earlier }
    return next?.newest
  }

  /// The entries of the log, oldest first.
  var logEntries: [JournaledRecord] {
    var (entries, next) = ([JournaledRecord](), log)
    while let entry = next {
      entries.append(entry.newest)
      next = entry.earlier
    }
    return entries.reversed()
  }
}

/// The records of a commit that may become one in the journal alone.
final class JournaledDraft {
  /// The number of LMDB's newest transaction.
  let base: UInt64
  @exclusivity(unchecked) var records = JournaledRecords()

  init(base: UInt64) { self.base = base }
}
