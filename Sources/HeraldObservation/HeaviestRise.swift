/// The heaviest ascending subsequence, by which the smallest set of moved rows is found.
enum HeaviestRise {
  /// How much an entry counts: by `count`, among equals by `preferred`.
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

  /// The indices, ascending, of the heaviest ascending subsequence of distinct `keys`.
  /// O(n log n).
  static func indices(of keys: [Int], _ weights: [Weight]) -> [Int] {
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    var ranks = [Int](repeating: 0, count: keys.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    var best = [Weight](repeating: Weight(count: 0, preferred: 0), count: keys.count)
    var previous = [Int](repeating: -1, count: keys.count)
    // Entry r of the tree answers for the ranks of its span: the end of the heaviest chain there.
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
