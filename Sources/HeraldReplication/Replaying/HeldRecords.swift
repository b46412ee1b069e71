import HeraldStorage

/// Blocks that replayed commits have changed, in memory, with the version of the last of them: each is written once,
/// when the last commit was replayed.
final class HeldRecords: HeldContents {
  /// The number of bytes above which the records are written.
  private static let limit = 16 << 20

  @exclusivity(unchecked) private var records: [PackedBlockKey: HeldRecord] = [:]
  /// The records that were used last, by some bits of their keys.
  @exclusivity(unchecked) private var recent: [HeldRecord?]
  @exclusivity(unchecked) private var size = 0
  /// That of the copy in which the last commit was made, after it.
  @exclusivity(unchecked) var digest: UInt32 = 0

  /// A power of two.
  private static let recentCount = 64

  init() { recent = Array(repeating: nil, count: Self.recentCount) }

  var isEmpty: Bool { records.isEmpty }
  var isFull: Bool { size > Self.limit }

  /// The records in the order of their keys.
  var inOrder: [HeldRecord] {
    records.values.sorted { ($0.key.column, $0.key.block) < ($1.key.column, $1.key.block) }
  }

  @inline(__always)
  private func slot(_ key: PackedBlockKey) -> Int {
    let mixed = key.column >> 27 ^ key.column &* 5 ^ UInt64(key.block)
    return Int(truncatingIfNeeded: mixed) & (Self.recentCount - 1)
  }

  func record(_ key: PackedBlockKey) -> HeldRecord? {
    let slot = slot(key)
    if let record = recent[slot], record.key == key { return record }
    guard let record = records[key] else { return nil }
    recent[slot] = record
    return record
  }

  func content(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    if records.isEmpty { return nil }
    return PackedBlockKey(key).flatMap { record($0) }?.content
  }

  /// Holds a record whose stored content is `content`, nil for a new one.
  func add(_ key: PackedBlockKey, _ content: UnsafeRawBufferPointer?) -> HeldRecord {
    let record = HeldRecord(key, content)
    records[key] = record
    recent[slot(key)] = record
    size += record.size
    return record
  }

  /// Makes a change of a record as the commit of a version. Errors: `Malformed` if it does not fit.
  func change(
    _ record: HeldRecord, _ form: ContentChange.Form, _ reader: inout PackedReader, version: Int
  ) throws(PackedReader.Malformed) {
    let before = record.size
    try record.change(form, &reader)
    record.version = version
    size += record.size - before
  }

  /// Replaces a record's content, as the commit of a version.
  func replace(_ record: HeldRecord, by content: UnsafeRawBufferPointer, version: Int) {
    let before = record.size
    record.replace(by: content)
    record.version = version
    size += record.size - before
  }

  /// Sets the rows of a block to the values that a reader has after their kind.
  func setRows(
    _ record: HeldRecord, _ numbers: Range<Int>, _ reader: inout PackedReader, version: Int
  ) throws(PackedReader.Malformed) {
    let before = record.size
    try record.setRows(numbers, &reader)
    record.version = version
    size += record.size - before
  }

  /// Sets the rows of a block to nil; returns false if it has no value any more.
  func clearRows(
    _ record: HeldRecord, _ numbers: Range<Int>, version: Int
  ) throws(PackedReader.Malformed) -> Bool {
    let before = record.size
    let hasValues = try record.clearRows(numbers)
    record.version = version
    size += record.size - before
    return hasValues
  }

  /// Returns whether there was such a record.
  func remove(_ key: PackedBlockKey) -> Bool {
    recent[slot(key)] = nil
    guard let record = records.removeValue(forKey: key) else { return false }
    size -= record.size
    return true
  }

  func removeAll() {
    for index in recent.indices { recent[index] = nil }
    records = [:]
    size = 0
  }
}
