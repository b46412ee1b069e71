/// Which records and entries a write transaction has changed, for other copies of the store.
///
/// The log, the state and settings of one copy of a store are not part of it.
package final class WriteCapture {
  package struct Record: Hashable {
    package let space: RecordSpace
    package let key: [UInt8]

    package init(space: RecordSpace, key: [UInt8]) {
      self.space = space
      self.key = key
    }
  }

  /// Where the content of each changed record before the version is in `contents`; nil if there was no record. The new
  /// contents are read at the end.
  package private(set) var records: [Record: Range<Int>?] = [:]
  package private(set) var contents: [UInt8] = []
  /// The changes of index entries and reverse links, in order and in their final form.
  package private(set) var entries = PackedWriter()
  package private(set) var entryCount = 0

  /// Notes that a record is about to be changed or removed; `old` is its content before, nil if there is none.
  func noteRecord(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, from old: UnsafeRawBufferPointer?
  ) {
    if space == .log || Self.isLocal(space, key) { return }
    let record = Record(space: space, key: [UInt8](key))
    guard records[record] == nil else { return }
    guard let old else {
      records[record] = .some(nil)
      return
    }
    let start = contents.count
    contents.append(contentsOf: old)
    records[record] = .some(start..<contents.count)
  }

  /// Returns the content of a record before the version, in the bytes of `contents`; nil if it was not changed.
  package func content(
    of record: Record, in contents: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer?? {
    records[record].map { range in
      range.map { UnsafeRawBufferPointer(rebasing: contents[$0]) }
    }
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
