/// What a write transaction has changed, and what was there before, as long as that is little: for the journal.
///
/// Of a transaction that changes more, or that changes what is not noted here, nothing is kept: its commit
/// does not use the journal.
final class JournalCapture {
  /// A changed record; its key, and its whole record before, are ranges of `bytes`.
  private struct Record {
    let space: RecordSpace
    let key: Range<Int>
    let old: Range<Int>?
  }

  @exclusivity(unchecked) private(set) var isActive = false
  /// The state before the transaction.
  @exclusivity(unchecked) private(set) var base = StoreState()
  /// The state after it.
  @exclusivity(unchecked) var state = StoreState()
  @exclusivity(unchecked) private var records: [Record] = []
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private var entries = PackedWriter()
  @exclusivity(unchecked) private var entryCount = 0
  /// The number of entries that were removed from the beginning of the log.
  @exclusivity(unchecked) private var trimmedEntries = 0
  /// The log's entries of the transaction, with their keys and the versions of their trailers.
  @exclusivity(unchecked)
  private var logEntries: [(key: FixedKey, content: [UInt8], version: UInt32)] = []

  private static let recordLimit = 32
  private static let byteLimit = 1 << 16
  private static let entryLimit = 1 << 12

  /// Begins to note changes of a transaction that follows a state.
  func begin(after state: StoreState) {
    forget()
    isActive = true
    base = state
  }

  /// Ends noting: the transaction cannot use the journal.
  func giveUp() { isActive = false }

  func forget() {
    guard isActive || !bytes.isEmpty || entryCount + trimmedEntries > 0 || !logEntries.isEmpty
    else { return }
    isActive = false
    records.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    entries = PackedWriter()
    entryCount = 0
    trimmedEntries = 0
    if !logEntries.isEmpty { logEntries.removeAll(keepingCapacity: true) }
  }

  /// Notes that a record is about to be changed or removed; `old` is the whole record before, nil if there is none.
  func noteRecord(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, from old: UnsafeRawBufferPointer?
  ) {
    guard isActive, !isNoted(space, key) else { return }
    guard records.count < Self.recordLimit,
      bytes.count + key.count + (old?.count ?? 0) <= Self.byteLimit
    else { return giveUp() }
    let start = bytes.count
    bytes.append(contentsOf: key)
    let end = bytes.count
    if let old { bytes.append(contentsOf: old) }
    records.append(
      Record(space: space, key: start..<end, old: old == nil ? nil : end..<bytes.count))
  }

  private func isNoted(_ space: RecordSpace, _ key: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { bytes in
      records.contains {
        $0.space == space && $0.key.count == key.count && bytes[$0.key].elementsEqual(key)
      }
    }
  }

  /// Notes that an index entry or a reverse link was added or removed.
  func noteEntry(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer,
    isAdded: Bool
  ) {
    guard isActive else { return }
    entryCount += 1
    entries.entryChange(space, key, entry, isAdded: isAdded)
    if entries.bytes.count > Self.entryLimit { giveUp() }
  }

  /// Notes a new entry of the log, which the transaction does not change any more.
  func noteLogEntry(_ key: FixedKey, _ content: [UInt8], version: UInt32) {
    if isActive { logEntries.append((key, content, version)) }
  }

  /// Notes that the oldest entry of the log, with the given key, was removed.
  func noteTrimmedEntry(_ key: UnsafeRawBufferPointer) {
    guard isActive else { return }
    if let first = logEntries.first, first.key.withBytes({ $0.elementsEqual(key) }) {
      // Of an earlier version of the same transaction.
      logEntries.removeFirst()
    } else {
      trimmedEntries += 1
    }
  }

  /// Returns the journal's record of the changes, which are based on LMDB's transaction `number`; nil if it would be
  /// longer than `limit`. `read` returns a whole record as it is now.
  func record(
    after number: UInt64, limit: Int,
    _ read: (RecordSpace, UnsafeRawBufferPointer) -> UnsafeRawBufferPointer?
  ) -> JournalRecord? {
    guard isActive else { return nil }
    let limit = limit - JournalRecord.headerSize
    var changes = JournalChanges.Writer(state, trimmedEntries, entryCount, entries.bytes)
    let fits = bytes.withUnsafeBytes { bytes in
      for record in records {
        let key = UnsafeRawBufferPointer(rebasing: bytes[record.key])
        let old = record.old.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        guard changes.append(record.space, key, from: old, to: read(record.space, key)),
          changes.bytes.count <= limit
        else { return false }
      }
      for (key, content, version) in logEntries {
        key.withBytes { changes.append(newIn: .log, $0, content, version: version) }
      }
      return changes.bytes.count <= limit
    }
    guard fits else { return nil }
    return JournalRecord(
      base: number, from: base.fingerprint, to: state.fingerprint, body: changes.bytes)
  }
}
