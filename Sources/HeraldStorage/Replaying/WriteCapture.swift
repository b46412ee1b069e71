/// Which records and entries a write transaction has changed, for `WriteTransaction.changes`.
///
/// The log, the state and settings of one copy of a store are not part of it.
final class WriteCapture {
  struct Record: Hashable {
    let space: RecordSpace
    let key: [UInt8]
  }

  /// The content of each changed record before the version; nil if there was none. The new contents are read at the end.
  private(set) var records: [Record: [UInt8]?] = [:]
  /// The changes of index entries and reverse links, in order and in their final form.
  private(set) var entries = PackedWriter()
  private(set) var entryCount = 0

  /// Notes that a record is about to be changed or removed; `old` is its content before, nil if there is none.
  func noteRecord(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, from old: UnsafeRawBufferPointer?
  ) {
    if space == .log || Self.isLocal(space, key) { return }
    let record = Record(space: space, key: [UInt8](key))
    if records[record] == nil { records[record] = .some(old.map { [UInt8]($0) }) }
  }

  func noteEntry(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer,
    isAdded: Bool
  ) {
    entryCount += 1
    entries.entryChange(space, key, entry, isAdded: isAdded)
  }

  /// The records of `meta` that are the same in every copy of a store.
  private static let shared: [[UInt8]] = [StorageSnapshot.metadataKey("schema")]

  private static func isLocal(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> Bool {
    space == .meta && !shared.contains { key.elementsEqual($0) }
  }
}
