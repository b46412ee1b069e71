import HeraldModel

/// The integer entries that a write transaction adds to one column's index, kept until they are put
/// into the tree in the order of their keys, which is several times faster than one by one.
///
/// Entries are appended, and sorted before they are read, which costs nothing if they arrived in
/// order, as in a bulk insert with ascending keys. 16 bytes per entry, and 16 more once a value was searched for
/// while they were not in order.
package final class PendingIndex {
  package struct Entry: Comparable {
    /// As in the key: the integer with its sign bit flipped.
    package let value: UInt64
    package let number: UInt64

    @inline(__always)
    package static func < (one: Entry, other: Entry) -> Bool {
      one.value != other.value ? one.value < other.value : one.number < other.number
    }
  }

  /// The number of entries above which they are flushed early, to limit a transaction's memory. What comes after that is
  /// put among these in the tree, which costs more than to append it.
  static let limit = 1 << 20
  /// The same while they are in order, as ascending keys are, which are appended in any case.
  static let sortedLimit = 1 << 16

  package let column: ColumnID
  @exclusivity(unchecked) package private(set) var entries: [Entry] = []
  @exclusivity(unchecked) private(set) var isSorted = true
  /// Whether the numbers arrived in order: then a stable sort by value leaves them in order.
  @exclusivity(unchecked) private(set) var hasAscendingNumbers = true
  @exclusivity(unchecked) private(set) var smallestNumber = UInt64.max
  @exclusivity(unchecked) private(set) var largestNumber: UInt64 = 0
  /// Whether the next entry must flush the others first. Set once they were sorted for a reader:
  /// alternating additions and reads would otherwise sort all entries each time.
  @exclusivity(unchecked) private(set) var isDue = false
  /// An upper bound of the column's values in the tree; nil until it is needed, `.some(nil)` if the
  /// tree has none.
  @exclusivity(unchecked) var ceiling: UInt64??
  /// The values, from the first search on while the entries were not in order: a bulk insert searches for each
  /// new key.
  @exclusivity(unchecked) private var values: Set<UInt64>?

  init(_ column: ColumnID) { self.column = column }

  @inline(__always)
  func append(_ entry: Entry) {
    if let last = entries.last, entry < last { isSorted = false }
    if entry.number < largestNumber { hasAscendingNumbers = false }
    largestNumber = max(largestNumber, entry.number)
    smallestNumber = min(smallestNumber, entry.number)
    entries.append(entry)
    values?.insert(entry.value)
    if entries.count >= (isSorted ? Self.sortedLimit : Self.limit) { isDue = true }
  }

  /// Inserts an entry at its position, unless it is there: the entries stay sorted. O(entries).
  func insert(_ entry: Entry) {
    largestNumber = max(largestNumber, entry.number)
    smallestNumber = min(smallestNumber, entry.number)
    guard let last = entries.last, !(last < entry) else { return entries.append(entry) }
    let position = entries.partitionPoint { $0 < entry }
    if entries[position] != entry { entries.insert(entry, at: position) }
  }

  /// The memory of the entries, and of the values where they were searched for.
  var byteCount: Int {
    (entries.capacity + (values?.capacity ?? 0)) * MemoryLayout<Entry>.stride
  }

  /// Returns whether an entry of an object may be here.
  func mayHold(_ number: Int) -> Bool {
    !entries.isEmpty && smallestNumber <= UInt64(number) && UInt64(number) <= largestNumber
  }

  /// Returns the range of the entries whose values are in `values`. Sorts the entries first: to be
  /// called before they are read.
  func range(of values: ClosedRange<UInt64>) -> Range<Int> {
    sort()
    let first = entries.partitionPoint { $0.value < values.lowerBound }
    return first..<max(first, entries.partitionPoint { $0.value <= values.upperBound })
  }

  /// Returns the numbers under one value, ascending.
  func numbers(under value: UInt64) -> [Int] {
    if isSorted, let last = entries.last, last.value < value { return [] }
    let range = range(of: value...value)
    return entries[range].map { Int($0.number) }
  }

  /// Returns the smallest number under a value.
  @inline(__always)
  func first(under value: UInt64) -> Int? {
    if isSorted, let last = entries.last, last.value < value { return nil }
    if !isSorted, !holds(value) { return nil }
    let range = range(of: value...value)
    return range.isEmpty ? nil : Int(entries[range.lowerBound].number)
  }

  /// Returns whether an entry has a value, without sorting the entries.
  @inline(never)
  private func holds(_ value: UInt64) -> Bool {
    if let values { return values.contains(value) }
    if entries.count < 32 { return entries.contains { $0.value == value } }
    let made = Set(entries.lazy.map(\.value))
    values = made
    return made.contains(value)
  }

  func sort() {
    guard !isSorted else { return }
    if entries.count < 512 {
      entries.sort()
    } else {
      if !hasAscendingNumbers { sortByDigits { $0.number } }
      sortByDigits { $0.value }
    }
    isSorted = true
    isDue = true
  }

  /// Sorts by one half of the entries, stably: a least significant digit radix sort, with a pass
  /// for each byte that differs between entries.
  @inline(__always)
  private func sortByDigits(of half: (Entry) -> UInt64) {
    let common = half(entries[0])
    let varying = entries.reduce(0) { $0 | (half($1) ^ common) }
    var sorted = entries
    for shift in stride(from: UInt64(0), to: 64, by: 8) where varying >> shift & 0xFF != 0 {
      withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { starts in
        starts.initialize(repeating: 0)
        for entry in entries { starts[Int(half(entry) >> shift & 0xFF)] += 1 }
        var total = 0
        for digit in 0..<256 {
          (starts[digit], total) = (total, total + starts[digit])
        }
        sorted.withUnsafeMutableBufferPointer { sorted in
          for entry in entries {
            let digit = Int(half(entry) >> shift & 0xFF)
            sorted[starts[digit]] = entry
            starts[digit] += 1
          }
        }
      }
      swap(&entries, &sorted)
    }
  }

  /// Drops the entries, once they are in the tree.
  func forgetEntries() {
    if let ceiling, let last = entries.last { self.ceiling = max(ceiling ?? 0, last.value) }
    entries = []
    values = nil
    isSorted = true
    hasAscendingNumbers = true
    smallestNumber = .max
    largestNumber = 0
    isDue = false
  }
}
