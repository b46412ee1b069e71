// Sorting by columns. The values of a key become ranks: 64 bits that order as the values do (for
// strings, the first eight bytes). Rows are sorted by rank; then every run of equal ranks by the rest
// of the values; then every run of equal values by the next key. The sort is stable.

package import HeraldModel

extension SortOrder {
  /// Returns the rows in this order; the sort is stable. With `prefix`, returns only that number of first
  /// rows, without sorting the others.
  package func sorted(
    _ rows: [ObjectNumber], _ reader: any ObjectReader, prefix: Int = .max
  ) -> [ObjectNumber] {
    guard rows.count > 1, prefix > 0 else { return Array(rows.prefix(prefix)) }
    let rows = top(prefix, of: rows, reader) ?? rows
    var sorting = RowSorting(order: self, rows: rows, reader: reader)
    sorting.sort(prefix: min(prefix, rows.count))
    return sorting.result(prefix: prefix)
  }
}

/// One row during the sort.
struct SortEntry {
  var rank: UInt64
  /// The row's index before the sort.
  var slot: Int32
}

private struct RowSorting {
  private let order: SortOrder
  private let rows: [ObjectNumber]
  private let reader: any ObjectReader
  private var entries: [SortEntry]
  /// The columns that were read so far.
  private var columns: [SortColumn?]
  private var prefix = Int.max

  init(order: SortOrder, rows: [ObjectNumber], reader: any ObjectReader) {
    self.order = order
    self.rows = rows
    self.reader = reader
    entries = rows.indices.map { SortEntry(rank: 0, slot: Int32($0)) }
    columns = order.keys.map { _ in nil }
  }

  func result(prefix: Int) -> [ObjectNumber] {
    entries.prefix(prefix).map { rows[Int($0.slot)] }
  }

  mutating func sort(prefix: Int) {
    self.prefix = prefix
    sort(entries.startIndex..<entries.endIndex, by: 0)
  }

  /// Sorts a run of entries that are equal by the keys before `key`; runs after the prefix stay
  /// unsorted.
  private mutating func sort(_ run: Range<Int>, by key: Int) {
    guard run.count > 1, key < order.keys.count, run.lowerBound < prefix, !reader.isInterrupted
    else { return }
    if key > 0, run.count <= 8 { return sortByComparing(run, from: key) }
    let column = column(key)
    // An interruption left the column incomplete; the result is discarded anyway.
    guard column.ranks.count == rows.count else { return }
    let isAscending = order.keys[key].isAscending
    let (nulls, values) = separateNulls(run, column, first: isAscending)
    for index in values {
      let rank = column.ranks[Int(entries[index].slot)]
      entries[index].rank = isAscending ? rank : ~rank
    }
    let sorted = sortByRank(values)
    if !column.isExact {
      refineRuns(sorted, column, by: key, offset: 8)
    } else if key + 1 < order.keys.count {
      var start = sorted.lowerBound
      while start < sorted.upperBound {
        let end = endOfRank(start, sorted.upperBound)
        sort(start..<end, by: key + 1)
        start = end
      }
    }
    sort(nulls, by: key + 1)
  }

  /// Sorts each run of entries with equal ranks, whose values have equal bytes before `offset`.
  private mutating func refineRuns(
    _ run: Range<Int>, _ column: SortColumn, by key: Int, offset: Int
  ) {
    var start = run.lowerBound
    while start < run.upperBound {
      let end = endOfRank(start, run.upperBound)
      if end - start > 1 { refine(start..<end, column, by: key, offset: offset) }
      start = end
    }
  }

  /// Sorts by the next eight bytes where the values are strings, or else by the values.
  private mutating func refine(
    _ run: Range<Int>, _ column: SortColumn, by key: Int, offset: Int
  ) {
    guard run.lowerBound < prefix, !reader.isInterrupted else { return }
    let isAscending = order.keys[key].isAscending
    // After some hundred equal bytes, more rounds cost more than they save.
    if run.count > 16, offset < 256, column.hasBytes(from: offset, entries[run]) {
      for index in run {
        let rank = column.rank(Int(entries[index].slot), from: offset)
        entries[index].rank = isAscending ? rank : ~rank
      }
      return refineRuns(sortByRank(run), column, by: key, offset: offset + 8)
    }
    sortByValue(run, column, isAscending: isAscending)
    guard key + 1 < order.keys.count else { return }
    var start = run.lowerBound
    while start < run.upperBound {
      let end = endOfValue(start, run.upperBound, column)
      sort(start..<end, by: key + 1)
      start = end
    }
  }

  private func endOfRank(_ start: Int, _ limit: Int) -> Int {
    let rank = entries[start].rank
    var end = start + 1
    while end < limit, entries[end].rank == rank { end += 1 }
    return end
  }

  private func endOfValue(_ start: Int, _ limit: Int, _ column: SortColumn) -> Int {
    let slot = Int(entries[start].slot)
    var end = start + 1
    while end < limit, column.order(slot, Int(entries[end].slot)) == 0 { end += 1 }
    return end
  }

  private mutating func column(_ key: Int) -> SortColumn {
    if let column = columns[key] { return column }
    let column = SortColumn(order.keys[key], rows, reader)
    columns[key] = column
    return column
  }

  private mutating func sortByComparing(_ run: Range<Int>, from key: Int) {
    let rest = SortOrder(keys: Array(order.keys[key...]))
    let (rows, reader) = (rows, reader)
    entries.sort(run) { a, b in
      let order = rest.compare(rows[Int(a.slot)], rows[Int(b.slot)], reader)
      return order == 0 ? a.slot < b.slot : order < 0
    }
  }

  private mutating func sortByValue(
    _ run: Range<Int>, _ column: SortColumn, isAscending: Bool
  ) {
    if endOfValue(run.lowerBound, run.upperBound, column) == run.upperBound { return }
    let reader = reader
    entries.sort(run) { a, b in
      if reader.isInterrupted { return a.slot < b.slot }
      let order = column.order(Int(a.slot), Int(b.slot))
      return order == 0 ? a.slot < b.slot : (order < 0) == isAscending
    }
  }

  /// Partitions the entries stably, the nil ones before or after the others.
  private mutating func separateNulls(
    _ run: Range<Int>, _ column: SortColumn, first: Bool
  ) -> (nulls: Range<Int>, values: Range<Int>) {
    guard let isNull = column.isNull else { return (run.lowerBound..<run.lowerBound, run) }
    let nulls = entries[run].filter { isNull[Int($0.slot)] }
    let values = entries[run].filter { !isNull[Int($0.slot)] }
    entries.replaceSubrange(run, with: first ? nulls + values : values + nulls)
    let middle = run.lowerBound + (first ? nulls.count : values.count)
    let parts = (run.lowerBound..<middle, middle..<run.upperBound)
    return first ? (parts.0, parts.1) : (parts.1, parts.0)
  }

  /// Sorts by rank, then by slot; returns the sorted part of the run. If the prefix ends early in the
  /// run, the other entries are only moved after it.
  private mutating func sortByRank(_ run: Range<Int>) -> Range<Int> {
    guard prefix > run.lowerBound else { return run.lowerBound..<run.lowerBound }
    let wanted = prefix - run.lowerBound
    guard wanted < run.count / 4 else {
      entries.sortByRank(run)
      return run
    }
    let threshold = entries[run].map(\.rank).selected(wanted - 1)
    let kept = entries[run].filter { $0.rank <= threshold }
    let others = entries[run].filter { $0.rank > threshold }
    entries.replaceSubrange(run, with: kept + others)
    let sorted = run.lowerBound..<run.lowerBound + kept.count
    entries.sortByRank(sorted)
    return sorted
  }
}

extension [SortEntry] {
  /// Sorts a slice of the array in place: most slices are too short to be worth a copy.
  mutating func sort(_ run: Range<Int>, by comesBefore: (SortEntry, SortEntry) -> Bool) {
    withUnsafeMutableBufferPointer { buffer in
      guard run.count <= 16 else {
        var part = UnsafeMutableBufferPointer(rebasing: buffer[run])
        return part.sort(by: comesBefore)
      }
      for index in run.dropFirst() {
        let entry = buffer[index]
        var target = index
        while target > run.lowerBound, comesBefore(entry, buffer[target - 1]) {
          buffer[target] = buffer[target - 1]
          target -= 1
        }
        buffer[target] = entry
      }
    }
  }

  /// Sorts entries stably by rank; their order must be that of their slots.
  ///
  /// A radix sort from the lowest byte, which skips bytes that are equal in all ranks.
  mutating func sortByRank(_ run: Range<Int>) {
    guard run.count > 256 else {
      return sort(run) { $0.rank == $1.rank ? $0.slot < $1.slot : $0.rank < $1.rank }
    }
    var differing: UInt64 = 0
    let first = self[run.lowerBound].rank
    for index in run { differing |= self[index].rank ^ first }
    var source = Array(self[run])
    var target = source
    for shift in stride(from: UInt64(0), to: 64, by: 8) where differing >> shift & 0xFF != 0 {
      var offsets = [Int](repeating: 0, count: 256)
      for entry in source { offsets[Int(entry.rank >> shift & 0xFF)] += 1 }
      var total = 0
      for byte in 0..<256 { (offsets[byte], total) = (total, total + offsets[byte]) }
      for entry in source {
        let byte = Int(entry.rank >> shift & 0xFF)
        target[offsets[byte]] = entry
        offsets[byte] += 1
      }
      swap(&source, &target)
    }
    replaceSubrange(run, with: source)
  }
}

extension [UInt64] {
  /// Returns the element that would be at an index if the array were sorted (quickselect). O(n) on
  /// average.
  consuming func selected(_ index: Int) -> UInt64 {
    var low = 0
    var high = count - 1
    while low < high {
      let pivot = Swift.max(
        Swift.min(self[low], self[high]),
        Swift.min(Swift.max(self[low], self[high]), self[(low + high) / 2]))
      var (left, right) = (low, high)
      while left <= right {
        while self[left] < pivot { left += 1 }
        while self[right] > pivot { right -= 1 }
        if left <= right {
          swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if index <= right { high = right } else if index >= left { low = left } else { break }
    }
    return self[index]
  }
}
