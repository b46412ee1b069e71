/// The entries that a write adds to one column's index under keys that are no integers', kept until
/// they are put into the tree in the order of their keys, or until somebody reads the index.
///
/// 32 bytes an entry, and its key.
final class PendingKeys {
  struct Entry {
    /// Eight bytes of the key, as a number: those that are compared.
    var rank: UInt64
    let start: Int
    let length: Int32
    /// The object's.
    let number: Int
  }

  /// Entries, and bytes of keys, beyond these are put into the tree early, to bound the memory of
  /// one transaction.
  static let limit = 1 << 20
  static let byteLimit = 1 << 25
  /// Shorter runs of equal ranks are compared by their whole keys.
  private static let shortRun = 16

  let column: ColumnID
  private(set) var entries: [Entry] = []
  private(set) var bytes: [UInt8] = []
  private var leastNumber = Int.max
  private var greatestNumber = 0

  init(_ column: ColumnID) { self.column = column }

  /// Whether the entries are to go to the tree before another one comes.
  var isFull: Bool { entries.count >= Self.limit || bytes.count >= Self.byteLimit }

  func append(_ value: StoredValue, _ number: Int) {
    let start = bytes.count
    IndexKey.encode(column, value, into: &bytes)
    entries.append(
      Entry(rank: 0, start: start, length: Int32(bytes.count - start), number: number))
    leastNumber = min(leastNumber, number)
    greatestNumber = max(greatestNumber, number)
  }

  /// Whether an entry of an object may be here.
  func mayHold(_ number: Int) -> Bool {
    !entries.isEmpty && leastNumber <= number && number <= greatestNumber
  }

  /// Calls `body` with each key and number, in the order of keys, then of numbers, equal entries
  /// once, until it answers false. Afterwards there are none.
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
    leastNumber = .max
    greatestNumber = 0
  }

  // MARK: Sorting

  /// Sorts entries whose keys agree in all bytes before an offset: by the next eight, then each run
  /// that agrees in these by those that follow.
  private func sort(_ run: Range<Int>, from offset: Int) {
    guard run.count > Self.shortRun else { return sortByComparing(run) }
    var isLonger = false
    bytes.withUnsafeBytes { bytes in
      for place in run {
        entries[place].rank = rank(entries[place], from: offset, bytes)
        if Int(entries[place].length) > offset + 8 { isLonger = true }
      }
    }
    sort(run) { $0.rank != $1.rank ? $0.rank < $1.rank : $0.number < $1.number }
    var start = run.lowerBound
    while start < run.upperBound {
      var end = start + 1
      while end < run.upperBound, entries[end].rank == entries[start].rank { end += 1 }
      // What ended is filled up with zeros, which a longer key may have of its own.
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

  /// In its place: most runs are too short to be worth a copy.
  private func sort(_ run: Range<Int>, by comesBefore: (Entry, Entry) -> Bool) {
    entries.withUnsafeMutableBufferPointer { entries in
      var part = UnsafeMutableBufferPointer(rebasing: entries[run])
      part.sort(by: comesBefore)
    }
  }

  private func rank(_ entry: Entry, from offset: Int, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let left = Int(entry.length) - offset
    if left >= 8 { return bytes.bigEndian(at: entry.start + offset, as: UInt64.self) }
    var rank: UInt64 = 0
    for place in 0..<8 {
      rank = rank << 8 | (place < left ? UInt64(bytes[entry.start + offset + place]) : 0)
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
