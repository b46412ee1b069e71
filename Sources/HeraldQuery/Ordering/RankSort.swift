/// One row during a sort.
struct SortEntry {
  var rank: UInt64
  /// The row's index before the sort.
  var slot: Int32
}

/// A stable sort of entries by rank, from the highest bits in which they differ: what is left is sorted where the
/// processor's caches hold it.
///
/// `@unchecked Sendable`: the parts that several threads sort do not overlap.
struct RankSort: @unchecked Sendable {
  private typealias Entries = UnsafeMutablePointer<SortEntry>

  private let entries: UnsafeMutablePointer<SortEntry>
  /// Memory for as many entries again.
  private let scratch: UnsafeMutablePointer<SortEntry>
  private let count: Int

  /// From this number on several threads sort.
  private static let manyEntries = 1 << 15
  /// Up to this number entries are inserted one by one.
  private static let fewEntries = 32

  init(
    _ entries: UnsafeMutablePointer<SortEntry>, scratch: UnsafeMutablePointer<SortEntry>,
    count: Int
  ) {
    self.entries = entries
    self.scratch = scratch
    self.count = count
  }

  /// Sorts the entries, whose order must be that of their slots. If the reader is interrupted, their order is
  /// undefined.
  func sort(_ reader: any ObjectReader) {
    guard count >= Self.manyEntries else { return sort() }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << 10) { buffer in
      nonisolated(unsafe) let ends = buffer
      guard Self.partition(entries, scratch, count, bits: 10, ends) else { return }
      reader.concurrently(ends.count) { index in
        let start = index == 0 ? 0 : ends[index - 1]
        Self.sort(scratch + start, entries + start, ends[index] - start, isMoving: true)
      }
    }
  }

  /// The same on this thread.
  func sort() { Self.sort(entries, scratch, count, isMoving: false) }

  /// Sorts the entries in `source`, and moves them to `other` if `isMoving`.
  private static func sort(_ source: Entries, _ other: Entries, _ count: Int, isMoving: Bool) {
    if count <= fewEntries {
      insert(source, count)
      if isMoving { other.update(from: source, count: count) }
      return
    }
    // About eight entries in each part.
    let bits = min(8, max(4, count.bitWidth - count.leadingZeroBitCount - 3))
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << bits) { ends in
      guard partition(source, other, count, bits: bits, ends) else {
        if isMoving { other.update(from: source, count: count) }
        return
      }
      var start = 0
      for end in ends where end > start {
        sort(other + start, source + start, end - start, isMoving: !isMoving)
        start = end
      }
    }
  }

  /// Moves the entries in `source` to `target`, in as many parts as `ends` has, ascending by rank; returns false, and
  /// moves none, if all ranks are equal.
  private static func partition(
    _ source: Entries, _ target: Entries, _ count: Int, bits: Int,
    _ ends: UnsafeMutableBufferPointer<Int>
  ) -> Bool {
    var (low, high) = (UInt64.max, UInt64.min)
    for index in 0..<count {
      let rank = source[index].rank
      low = min(low, rank)
      high = max(high, rank)
    }
    if low == high { return false }
    let shift = UInt64(max(0, (high - low).bitWidth - (high - low).leadingZeroBitCount - bits))
    ends.initialize(repeating: 0)
    let ends = ends.baseAddress.unsafelyUnwrapped
    for index in 0..<count { ends[Int((source[index].rank &- low) &>> shift)] &+= 1 }
    var total = 0
    for part in 0..<(1 << bits) { (ends[part], total) = (total, total + ends[part]) }
    for index in 0..<count {
      let entry = source[index]
      let part = ends + Int((entry.rank &- low) &>> shift)
      target[part.pointee] = entry
      part.pointee &+= 1
    }
    return true
  }

  private static func insert(_ entries: Entries, _ count: Int) {
    for index in 1..<max(count, 1) {
      let entry = entries[index]
      var target = index
      while target > 0, entries[target - 1].rank > entry.rank {
        entries[target] = entries[target - 1]
        target -= 1
      }
      entries[target] = entry
    }
  }
}
