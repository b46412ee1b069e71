import HeraldModel

/// Increasing subsequences, which separate the rows that stay from the rows that moved.
package enum LongestIncreasingSubsequence {
  /// The weight of an entry: `count` decides, then `preferred`.
  struct Weight: Comparable {
    var count: Int
    var preferred: Int

    static func < (a: Weight, b: Weight) -> Bool {
      (a.count, a.preferred) < (b.count, b.preferred)
    }

    static func + (a: Weight, b: Weight) -> Weight {
      Weight(count: a.count + b.count, preferred: a.preferred + b.preferred)
    }
  }

  /// Returns the indices of the longest increasing subsequence of distinct `keys`, ascending; of several
  /// of that length, the one with the smallest indices. O(n log n).
  package static func indices(of keys: [Int]) -> [Int] {
    // The length of the longest increasing subsequence that begins at each index.
    var lengths = [Int](repeating: 1, count: keys.count)
    // The largest key with which a subsequence of each length can begin, so far: descending.
    var heads: [Int] = []
    for index in keys.indices.reversed() {
      let slot = heads.partitionPoint { $0 > keys[index] }
      if slot == heads.count { heads.append(keys[index]) } else { heads[slot] = keys[index] }
      lengths[index] = slot + 1
    }
    var wanted = heads.count
    var last = Int.min
    var result: [Int] = []
    for index in keys.indices where lengths[index] == wanted && keys[index] > last {
      result.append(index)
      last = keys[index]
      wanted -= 1
    }
    return result
  }

  /// Returns the indices of the heaviest increasing subsequence of distinct `keys`, ascending. O(n log n).
  static func heaviestIndices(of keys: [Int], _ weights: [Weight]) -> [Int] {
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    var ranks = [Int](repeating: 0, count: keys.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    var best = [Weight](repeating: Weight(count: 0, preferred: 0), count: keys.count)
    var previous = [Int](repeating: -1, count: keys.count)
    // A Fenwick tree over ranks: the end of the heaviest subsequence among the ranks of each entry.
    var tree = [Int](repeating: -1, count: keys.count + 1)
    var heaviest = -1
    for index in keys.indices {
      var rank = ranks[index]
      while rank > 0 {
        let end = tree[rank]
        if end >= 0 && (previous[index] < 0 || best[previous[index]] < best[end]) {
          previous[index] = end
        }
        rank &= rank - 1
      }
      best[index] = previous[index] < 0 ? weights[index] : best[previous[index]] + weights[index]
      rank = ranks[index] + 1
      while rank <= keys.count {
        if tree[rank] < 0 || best[tree[rank]] < best[index] { tree[rank] = index }
        rank += rank & -rank
      }
      if heaviest < 0 || best[heaviest] < best[index] { heaviest = index }
    }
    var result: [Int] = []
    while heaviest >= 0 {
      result.append(heaviest)
      heaviest = previous[heaviest]
    }
    return result.reversed()
  }
}
