/// Counts with fast sums: a Fenwick tree. Changing a count, the sum before a place and the place of
/// a position each cost O(log n).
struct CountTree: Sendable {
  /// Entry i − 1 holds the sum of the counts in the span of i that ends at place i − 1.
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

  var placeCount: Int { sums.count }

  mutating func append(_ count: Int) {
    let index = sums.count
    var sum = count
    // The spans that end just before this one and lie within it.
    var part = index
    let lower = (index + 1) & index
    while part > lower {
      sum += Int(sums[part - 1])
      part &= part - 1
    }
    sums.append(UInt32(sum))
  }

  mutating func add(_ difference: Int, at place: Int) {
    var index = place
    while index < sums.count {
      sums[index] = UInt32(Int(sums[index]) + difference)
      index |= index + 1
    }
  }

  /// The sum of the counts before `place`.
  func sum(before place: Int) -> Int {
    var sum = 0
    var end = place
    while end > 0 {
      sum += Int(sums[end - 1])
      end &= end - 1
    }
    return sum
  }

  /// The place whose count covers `position`, and how far into it the position is.
  func find(_ position: Int) -> (place: Int, offset: Int) {
    var place = 0
    var rest = position
    var step = sums.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount)
    while step > 0 {
      let end = place + step
      if end <= sums.count && Int(sums[end - 1]) <= rest {
        place = end
        rest -= Int(sums[end - 1])
      }
      step >>= 1
    }
    return (place, rest)
  }
}
