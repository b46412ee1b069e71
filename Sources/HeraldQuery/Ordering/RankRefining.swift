/// Sorts entries that are sorted by one rank by further ranks of their rows, on several threads.
///
/// `@unchecked Sendable`: the parts that several threads sort do not overlap, and nothing else changes meanwhile.
struct RankRefining: @unchecked Sendable {
  /// The ranks of all rows by slot, the same order for all: those of a descending key are inverted by `mask`.
  struct Level {
    let ranks: [UInt64]
    let mask: UInt64

    @inline(__always) func rank(_ slot: Int32) -> UInt64 {
      ranks.withUnsafeBufferPointer { $0[Int(slot)] } ^ mask
    }
  }

  let entries: UnsafeMutablePointer<SortEntry>
  /// Memory for as many entries again.
  let scratch: UnsafeMutablePointer<SortEntry>
  /// Exact ranks of no nil values, the most significant first.
  let levels: [Level]

  /// Up to this number entries are inserted one by one.
  private static let fewEntries = 12
  /// How many entries a thread sorts at once.
  private static let entriesOfPart = 1 << 14

  /// Sorts each run of equal ranks. If the reader is interrupted, their order is undefined.
  func refine(_ entries: Range<Int>, _ reader: any ObjectReader) {
    var parts: [Range<Int>] = []
    var start = entries.lowerBound
    while start < entries.upperBound {
      let end = endOfRun(
        min(start + Self.entriesOfPart, entries.upperBound) - 1, entries.upperBound)
      parts.append(start..<end)
      start = end
    }
    let all = parts
    reader.concurrently(all.count) { part in refineRuns(all[part], at: 0) }
  }

  /// Returns the end of the run of equal ranks that has an entry.
  private func endOfRun(_ index: Int, _ limit: Int) -> Int {
    let rank = entries[index].rank
    var end = index + 1
    while end < limit, entries[end].rank == rank { end += 1 }
    return end
  }

  private func refineRuns(_ run: Range<Int>, at level: Int) {
    var start = run.lowerBound
    while start < run.upperBound {
      let end = endOfRun(start, run.upperBound)
      if end - start > 1 { sort(start..<end, by: level) }
      start = end
    }
  }

  /// Sorts entries that are equal by the levels before.
  private func sort(_ run: Range<Int>, by level: Int) {
    if run.count <= Self.fewEntries { return insert(run, from: level) }
    for index in run { entries[index].rank = levels[level].rank(entries[index].slot) }
    RankSort(entries + run.lowerBound, scratch: scratch + run.lowerBound, count: run.count).sort()
    if level + 1 < levels.count { refineRuns(run, at: level + 1) }
  }

  private func insert(_ run: Range<Int>, from level: Int) {
    for index in run.dropFirst() {
      let entry = entries[index]
      var target = index
      while target > run.lowerBound, comesBefore(entry.slot, entries[target - 1].slot, level) {
        entries[target] = entries[target - 1]
        target -= 1
      }
      entries[target] = entry
    }
  }

  private func comesBefore(_ slot: Int32, _ other: Int32, _ level: Int) -> Bool {
    for level in levels[level...] {
      let (rank, otherRank) = (level.rank(slot), level.rank(other))
      if rank != otherRank { return rank < otherRank }
    }
    return false
  }
}
