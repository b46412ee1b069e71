/// The entries of integers that a write adds to one column's index, kept until they are put into
/// the tree in the order of their keys, which is several times faster than one by one as they come.
///
/// Entries are appended; looked at, they are first sorted, which costs nothing as long as they came
/// in order: so does a bulk of rising keys. 16 bytes an entry.
final class PendingIndex {
  struct Entry: Comparable {
    /// As in the key: the integer with its sign bit turned.
    let value: UInt64
    let number: UInt64

    @inline(__always)
    static func < (one: Entry, other: Entry) -> Bool {
      one.value != other.value ? one.value < other.value : one.number < other.number
    }
  }

  /// Entries beyond these are put into the tree early, to bound the memory of one transaction.
  static let limit = 1 << 20

  let column: ColumnID
  private(set) var entries: [Entry] = []
  private(set) var isSorted = true
  /// Whether the numbers came in order: then entries of one value are in order once sorted by it.
  private(set) var hasRisingNumbers = true
  private(set) var leastNumber = UInt64.max
  private(set) var greatestNumber: UInt64 = 0
  /// Whether a reader had them sorted: the next entry is then to find them gone to the tree, or
  /// whoever adds and reads in turn would have all of them sorted each time.
  private(set) var isDue = false
  /// No value of the column in the tree is greater; nil as long as nobody asked. None: `.some(nil)`.
  var ceiling: UInt64??

  init(_ column: ColumnID) { self.column = column }

  @inline(__always)
  func append(_ entry: Entry) {
    if let last = entries.last, entry < last { isSorted = false }
    if entry.number < greatestNumber { hasRisingNumbers = false }
    greatestNumber = max(greatestNumber, entry.number)
    leastNumber = min(leastNumber, entry.number)
    entries.append(entry)
    if entries.count >= Self.limit { isDue = true }
  }

  /// Whether an entry of an object may be here.
  func mayHold(_ number: Int) -> Bool {
    !entries.isEmpty && leastNumber <= UInt64(number) && UInt64(number) <= greatestNumber
  }

  /// The places of the entries whose values are in `values`. Sorts the entries: to be called before
  /// they are looked at.
  func places(of values: ClosedRange<UInt64>) -> Range<Int> {
    sort()
    let first = place { $0.value < values.lowerBound }
    return first..<max(first, place { $0.value <= values.upperBound })
  }

  /// The numbers under one value, in order.
  func numbers(under value: UInt64) -> [Int] {
    if isSorted, let last = entries.last, last.value < value { return [] }
    let places = places(of: value...value)
    return entries[places].map { Int($0.number) }
  }

  /// The lowest number under a value.
  @inline(__always)
  func first(under value: UInt64) -> Int? {
    if isSorted, let last = entries.last, last.value < value { return nil }
    let places = places(of: value...value)
    return places.isEmpty ? nil : Int(entries[places.lowerBound].number)
  }

  /// The number of entries at the head that satisfy `isBefore`, as none after them does.
  private func place(_ isBefore: (Entry) -> Bool) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func sort() {
    guard !isSorted else { return }
    if entries.count < 512 {
      entries.sort()
    } else {
      if !hasRisingNumbers { sortByDigits { $0.number } }
      sortByDigits { $0.value }
    }
    isSorted = true
    isDue = true
  }

  /// Sorts by one half of the entries and leaves equals in their order: a pass over all of them for
  /// each byte that is not the same in all, the lowest first.
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

  /// The entries are in the tree now.
  func forgetEntries() {
    if let ceiling, let last = entries.last { self.ceiling = max(ceiling ?? 0, last.value) }
    entries = []
    isSorted = true
    hasRisingNumbers = true
    leastNumber = .max
    greatestNumber = 0
    isDue = false
  }
}
