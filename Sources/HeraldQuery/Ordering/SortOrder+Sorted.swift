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
    let sorting = RowSorting(order: self, rows: rows, reader: reader)
    sorting.sort(prefix: min(prefix, rows.count))
    return sorting.result(prefix: prefix)
  }

  /// Returns the rows in this order with the ranks of their values of the first key, as `RankedKey` has them; nil in
  /// place of the ranks if the values have none, or if there are too few rows to need any.
  package func rankedRows(
    _ rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> (rows: [ObjectNumber], ranks: [UInt64]?) {
    guard rows.count > 1, let key = RankedKey(self, reader.schema) else {
      return (sorted(rows, reader), nil)
    }
    let sorting = RowSorting(order: self, rows: rows, reader: reader)
    sorting.sort(prefix: rows.count)
    return (sorting.result(prefix: rows.count), sorting.ranks(of: key))
  }
}

private final class RowSorting {
  private let order: SortOrder
  private let rows: [ObjectNumber]
  private let reader: any ObjectReader
  private let entries: UnsafeMutableBufferPointer<SortEntry>
  /// Memory for as many entries again, to move them.
  private let scratch: UnsafeMutableBufferPointer<SortEntry>
  /// The columns that were read so far.
  private var columns: [SortColumn?]
  private var prefix = Int.max

  init(order: SortOrder, rows: [ObjectNumber], reader: any ObjectReader) {
    self.order = order
    self.rows = rows
    self.reader = reader
    entries = .allocateInLargePages(capacity: rows.count)
    scratch = .allocateInLargePages(capacity: rows.count)
    for index in entries.indices {
      entries.initializeElement(at: index, to: SortEntry(rank: 0, slot: Int32(index)))
    }
    columns = order.keys.map { _ in nil }
  }

  deinit {
    entries.deallocate()
    scratch.deallocate()
  }

  func result(prefix: Int) -> [ObjectNumber] {
    let entries = entries.prefix(prefix)
    var sorted = [ObjectNumber](inLargePages: entries.count)
    rows.withUnsafeBufferPointer { rows in
      for entry in entries { sorted.append(rows[Int(entry.slot)]) }
    }
    return sorted
  }

  /// Returns the ranks of the sorted rows by the first key; nil after an interruption.
  func ranks(of key: RankedKey) -> [UInt64]? {
    let column = column(0)
    guard column.ranks.count == rows.count else { return nil }
    var ranks = [UInt64](inLargePages: entries.count)
    let mask: UInt64 = order.keys[0].isAscending ? 0 : .max
    if column.isExact, order.keys.count == 1, column.isNull == nil {
      for entry in entries { ranks.append(entry.rank) }
    } else {
      column.ranks.withUnsafeBufferPointer { columnRanks in
        for entry in entries {
          let isNull = column.isNull?[Int(entry.slot)] ?? false
          ranks.append(isNull ? key.rankOfNull : columnRanks[Int(entry.slot)] ^ mask)
        }
      }
    }
    return ranks
  }

  func sort(prefix: Int) {
    self.prefix = prefix
    sort(entries.indices, by: 0)
  }

  /// Sorts a run of entries that are equal by the keys before `key`; runs after the prefix stay
  /// unsorted.
  private func sort(_ run: Range<Int>, by key: Int) {
    guard run.count > 1, key < order.keys.count, run.lowerBound < prefix, !reader.isInterrupted
    else { return }
    if key > 0, run.count <= 8 { return sortByComparing(run, from: key) }
    let column = column(key)
    // An interruption left the column incomplete; the result is discarded anyway.
    guard column.ranks.count == rows.count else { return }
    let isAscending = order.keys[key].isAscending
    let (nulls, values) = separateNulls(run, column, first: isAscending)
    take(column.ranks, of: values, isAscending)
    let sorted = sortByRank(values)
    if let refining = refining(sorted, column, by: key) {
      refining.refine(sorted, reader)
    } else if !column.isExact {
      refineRuns(sorted, column, by: key, depth: 1)
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

  /// From this number of entries on several threads sort by the further keys.
  private static let manyEntries = 100_000

  /// What sorts a run by all that follows the first ranks of a key, if there are many entries and exact ranks.
  private func refining(_ run: Range<Int>, _ column: SortColumn, by key: Int) -> RankRefining? {
    guard run.count >= Self.manyEntries, prefix >= rows.count, hasEqualRanks(run),
      let base = entries.baseAddress, let scratch = scratch.baseAddress
    else { return nil }
    var levels: [RankRefining.Level] = []
    for next in order.keys.indices[key...] {
      let column = next == key ? column : self.column(next)
      let mask: UInt64 = order.keys[next].isAscending ? 0 : .max
      if next > key {
        guard column.isNull == nil, column.ranks.count == rows.count else { return nil }
        levels.append(RankRefining.Level(ranks: column.ranks, mask: mask))
      }
      if column.isExact { continue }
      guard let further = column.ranks(at: 1), further.isExact, further.ranks.count == rows.count
      else { return nil }
      levels.append(RankRefining.Level(ranks: further.ranks, mask: mask))
    }
    return levels.isEmpty ? nil : RankRefining(entries: base, scratch: scratch, levels: levels)
  }

  private func hasEqualRanks(_ run: Range<Int>) -> Bool {
    run.dropFirst().contains { entries[$0 - 1].rank == entries[$0].rank }
  }

  /// Gives the entries of a run the ranks of their rows.
  private func take(_ ranks: [UInt64], of run: Range<Int>, _ isAscending: Bool) {
    let mask: UInt64 = isAscending ? 0 : .max
    ranks.withUnsafeBufferPointer { ranks in
      for index in run { entries[index].rank = ranks[Int(entries[index].slot)] ^ mask }
    }
  }

  /// Sorts each run of entries with equal ranks, whose values are equal but for what follows `depth` ranks.
  private func refineRuns(_ run: Range<Int>, _ column: SortColumn, by key: Int, depth: Int) {
    var start = run.lowerBound
    while start < run.upperBound {
      let end = endOfRank(start, run.upperBound)
      if end - start > 1 { refine(start..<end, column, by: key, depth: depth) }
      start = end
    }
  }

  /// Sorts by the next rank of the values, or else by the values.
  private func refine(_ run: Range<Int>, _ column: SortColumn, by key: Int, depth: Int) {
    guard run.lowerBound < prefix, !reader.isInterrupted else { return }
    let isAscending = order.keys[key].isAscending
    if let ranks = column.ranks(at: depth) {
      guard ranks.ranks.count == rows.count else { return }
      take(ranks.ranks, of: run, isAscending)
      let sorted = sortByRank(run)
      if !ranks.isExact { return refineRuns(sorted, column, by: key, depth: depth + 1) }
      guard key + 1 < order.keys.count else { return }
      var start = sorted.lowerBound
      while start < sorted.upperBound {
        let end = endOfRank(start, sorted.upperBound)
        sort(start..<end, by: key + 1)
        start = end
      }
      return
    }
    // After some hundred equal bytes, more rounds cost more than they save.
    if run.count > 16, depth < 32, column.hasBytes(from: 8 * depth, entries[run]) {
      for index in run {
        let rank = column.rank(Int(entries[index].slot), from: 8 * depth)
        entries[index].rank = isAscending ? rank : ~rank
      }
      return refineRuns(sortByRank(run), column, by: key, depth: depth + 1)
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

  private func column(_ key: Int) -> SortColumn {
    if let column = columns[key] { return column }
    let column = SortColumn(order.keys[key], rows, reader)
    columns[key] = column
    return column
  }

  private func sortByComparing(_ run: Range<Int>, from key: Int) {
    let rest = SortOrder(keys: Array(order.keys[key...]))
    entries.sort(run) { a, b in
      let order = rest.compare(rows[Int(a.slot)], rows[Int(b.slot)], reader)
      return order == 0 ? a.slot < b.slot : order < 0
    }
  }

  private func sortByValue(_ run: Range<Int>, _ column: SortColumn, isAscending: Bool) {
    if endOfValue(run.lowerBound, run.upperBound, column) == run.upperBound { return }
    entries.sort(run) { a, b in
      if reader.isInterrupted { return a.slot < b.slot }
      let order = column.order(Int(a.slot), Int(b.slot))
      return order == 0 ? a.slot < b.slot : (order < 0) == isAscending
    }
  }

  /// Partitions the entries stably, the nil ones before or after the others.
  private func separateNulls(
    _ run: Range<Int>, _ column: SortColumn, first: Bool
  ) -> (nulls: Range<Int>, values: Range<Int>) {
    guard let isNull = column.isNull else { return (run.lowerBound..<run.lowerBound, run) }
    let count = partition(run) { isNull[Int($0.slot)] == first }
    let middle = run.lowerBound + count
    let parts = (run.lowerBound..<middle, middle..<run.upperBound)
    return first ? (parts.0, parts.1) : (parts.1, parts.0)
  }

  /// Moves the entries for which `isFirst` holds before the others, stably; returns their number.
  private func partition(_ run: Range<Int>, _ isFirst: (SortEntry) -> Bool) -> Int {
    var (next, others) = (run.lowerBound, 0)
    for index in run {
      let entry = entries[index]
      if isFirst(entry) {
        entries[next] = entry
        next += 1
      } else {
        scratch.initializeElement(at: others, to: entry)
        others += 1
      }
    }
    for index in 0..<others { entries[next + index] = scratch[index] }
    return next - run.lowerBound
  }

  /// Sorts by rank, then by slot; returns the sorted part of the run. If the prefix ends early in the
  /// run, the other entries are only moved after it.
  private func sortByRank(_ run: Range<Int>) -> Range<Int> {
    guard prefix > run.lowerBound else { return run.lowerBound..<run.lowerBound }
    let wanted = prefix - run.lowerBound
    var sorted = run
    if wanted < run.count / 4 {
      let threshold = entries[run].map(\.rank).selected(wanted - 1)
      sorted = run.lowerBound..<run.lowerBound + partition(run) { $0.rank <= threshold }
    }
    guard let base = entries.baseAddress, let scratch = scratch.baseAddress else { return sorted }
    RankSort(base + sorted.lowerBound, scratch: scratch, count: sorted.count).sort(reader)
    return sorted
  }
}

extension UnsafeMutableBufferPointer<SortEntry> {
  /// Sorts a slice in place.
  fileprivate func sort(_ run: Range<Int>, by comesBefore: (SortEntry, SortEntry) -> Bool) {
    guard run.count <= 16 else {
      var part = UnsafeMutableBufferPointer(rebasing: self[run])
      return part.sort(by: comesBefore)
    }
    for index in run.dropFirst() {
      let entry = self[index]
      var target = index
      while target > run.lowerBound, comesBefore(entry, self[target - 1]) {
        self[target] = self[target - 1]
        target -= 1
      }
      self[target] = entry
    }
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
