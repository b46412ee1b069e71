/// A Fenwick tree of counts. Changing a count, the sum before an index and the index of a position each
/// cost O(log n).
struct CountTree: Sendable {
  /// Entry i − 1 holds the sum of the last (i & −i) counts up to index i − 1.
  private var sums: [UInt32] = []

  init() {}

  /// O(n).
  init(_ counts: some Collection<Int>) {
    sums = counts.map(UInt32.init)
    for index in sums.indices {
      let next = index | (index + 1)
      if next < sums.count { sums[next] += sums[index] }
    }
  }

  var entryCount: Int { sums.count }

  mutating func append(_ count: Int) {
    let index = sums.count
    var sum = count
    // Adds the entries whose ranges lie within the range of the new one.
    var part = index
    let lower = (index + 1) & index
    while part > lower {
      sum += Int(sums[part - 1])
      part &= part - 1
    }
    sums.append(UInt32(sum))
  }

  mutating func add(_ difference: Int, at start: Int) {
    var index = start
    while index < sums.count {
      sums[index] = UInt32(Int(sums[index]) + difference)
      index |= index + 1
    }
  }

  /// Returns the sum of the counts before an index.
  func sum(before index: Int) -> Int {
    var sum = 0
    var end = index
    while end > 0 {
      sum += Int(sums[end - 1])
      end &= end - 1
    }
    return sum
  }

  /// Returns the index whose count covers `position`, and the offset of the position within it.
  func find(_ position: Int) -> (index: Int, offset: Int) {
    var index = 0
    var rest = position
    var step = sums.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount)
    while step > 0 {
      let end = index + step
      if end <= sums.count && Int(sums[end - 1]) <= rest {
        index = end
        rest -= Int(sums[end - 1])
      }
      step >>= 1
    }
    return (index, rest)
  }
}
