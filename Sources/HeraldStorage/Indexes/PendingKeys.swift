/// The entries that a write transaction adds to one column's index under keys other than integers',
/// kept until they are put into the tree in the order of their keys, or until the index is read where they may
/// matter.
///
/// 32 bytes per entry, and its key; 16 more once a key was searched for.
final class PendingKeys {
  struct Entry {
    /// Eight bytes of the key, as a number: those that are being compared.
    var rank: UInt64
    let start: Int
    let length: Int32
    /// The object's number.
    let number: Int
  }

  /// The numbers of entries, and of bytes of keys, above which they are flushed early, to limit a
  /// transaction's memory.
  static let limit = 1 << 18
  static let byteLimit = 1 << 24
  /// The length of a run of equal ranks up to which whole keys are compared.
  private static let shortRun = 16

  let column: ColumnID
  @exclusivity(unchecked) private(set) var entries: [Entry] = []
  @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
  @exclusivity(unchecked) private var smallestNumber = Int.max
  @exclusivity(unchecked) private var largestNumber = 0
  /// The hashes of the keys, from the first search for one on: a bulk insert searches for each new key.
  @exclusivity(unchecked) private var hashes: Set<Int>?

  init(_ column: ColumnID) { self.column = column }

  /// Whether the entries must be flushed before another one is added.
  var isFull: Bool { entries.count >= Self.limit || bytes.count >= Self.byteLimit }

  /// The memory of the entries and their keys, and of the hashes where keys were searched for.
  var byteCount: Int {
    entries.capacity * MemoryLayout<Entry>.stride + bytes.capacity
      + (hashes?.capacity ?? 0) * 2 * MemoryLayout<Int>.stride
  }

  /// Releases the memory that flushed entries have occupied.
  func releaseMemory() {
    guard entries.isEmpty else { return }
    entries = []
    bytes = []
    hashes = nil
  }

  func append(_ value: StoredValue, _ number: Int) {
    let start = bytes.count
    IndexKey.encode(column, value, into: &bytes)
    entries.append(
      Entry(rank: 0, start: start, length: Int32(bytes.count - start), number: number))
    smallestNumber = min(smallestNumber, number)
    largestNumber = max(largestNumber, number)
    if hashes != nil {
      let hash = bytes.withUnsafeBytes { Self.hash(UnsafeRawBufferPointer(rebasing: $0[start...])) }
      hashes?.insert(hash)
    }
  }

  /// Returns whether an entry may have a key.
  func mayHold(_ key: UnsafeRawBufferPointer) -> Bool {
    if entries.isEmpty { return false }
    if let hashes { return hashes.contains(Self.hash(key)) }
    let made = bytes.withUnsafeBytes { bytes in
      Set(entries.lazy.map { Self.hash(self.key($0, bytes)) })
    }
    hashes = made
    return made.contains(Self.hash(key))
  }

  private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: key)
    return hasher.finalize()
  }

  /// Returns whether an entry of an object may be here.
  func mayHold(_ number: Int) -> Bool {
    !entries.isEmpty && smallestNumber <= number && number <= largestNumber
  }

  /// Calls `body` with each key and number, in the order of keys, then of numbers, without
  /// duplicates, until it returns false. Removes all entries.
  func drain(_ body: (UnsafeRawBufferPointer, Int) -> Bool) {
    sort(0..<entries.count, from: IndexKey.prefixSize - 1)
    bytes.withUnsafeBytes { bytes in
      var last: Entry?
      for entry in entries {
        if let last, last.number == entry.number, order(last, entry, bytes) == 0 { continue }
        guard body(key(entry, bytes), entry.number) else { break }
        last = entry
      }
    }
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    hashes?.removeAll(keepingCapacity: true)
    smallestNumber = .max
    largestNumber = 0
  }

  // MARK: Sorting

  /// Sorts entries whose keys agree in all bytes before an offset: by the next eight bytes, then
  /// each run that agrees in these by the following ones.
  private func sort(_ run: Range<Int>, from offset: Int) {
    guard run.count > Self.shortRun else { return sortByComparing(run) }
    var isLonger = false
    bytes.withUnsafeBytes { bytes in
      for index in run {
        entries[index].rank = rank(entries[index], from: offset, bytes)
        if Int(entries[index].length) > offset + 8 { isLonger = true }
      }
    }
    sort(run) { $0.rank != $1.rank ? $0.rank < $1.rank : $0.number < $1.number }
    var start = run.lowerBound
    while start < run.upperBound {
      var end = start + 1
      while end < run.upperBound, entries[end].rank == entries[start].rank { end += 1 }
      // Keys that end here are padded with zeros, which a longer key may really contain.
      if end - start > 1 {
        if isLonger { sort(start..<end, from: offset + 8) } else { sortByComparing(start..<end) }
      }
      start = end
    }
  }

  private func sortByComparing(_ run: Range<Int>) {
    guard run.count > 1 else { return }
    bytes.withUnsafeBytes { bytes in
      sort(run) { one, other in
        let order = order(one, other, bytes)
        return order != 0 ? order < 0 : one.number < other.number
      }
    }
  }

  /// Sorts in place: most runs are too short to be worth a copy.
  private func sort(_ run: Range<Int>, by comesBefore: (Entry, Entry) -> Bool) {
    entries.withUnsafeMutableBufferPointer { entries in
      var slice = UnsafeMutableBufferPointer(rebasing: entries[run])
      slice.sort(by: comesBefore)
    }
  }

  private func rank(_ entry: Entry, from offset: Int, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let left = Int(entry.length) - offset
    if left >= 8 { return bytes.bigEndian(at: entry.start + offset, as: UInt64.self) }
    var rank: UInt64 = 0
    for index in 0..<8 {
      rank = rank << 8 | (index < left ? UInt64(bytes[entry.start + offset + index]) : 0)
    }
    return rank
  }

  private func key(_ entry: Entry, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + Int(entry.length)])
  }

  private func order(_ one: Entry, _ other: Entry, _ bytes: UnsafeRawBufferPointer) -> Int {
    key(one, bytes).order(to: key(other, bytes))
  }
}
