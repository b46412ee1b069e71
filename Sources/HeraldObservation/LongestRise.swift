/// The longest ascending subsequence whose indices are the lowest: which of several rows that
/// changed places are told as staying.
enum LongestRise {
  /// Ascending. The keys must be distinct. O(n log n).
  static func indices(of keys: [Int]) -> [Int] {
    // For each index the length of the longest ascending run that begins there.
    var lengths = [Int](repeating: 1, count: keys.count)
    // The greatest key with which a run of each length can begin, so far: descending.
    var heads: [Int] = []
    for index in keys.indices.reversed() {
      let place = heads.lowerBound { $0 > keys[index] }
      if place == heads.count { heads.append(keys[index]) } else { heads[place] = keys[index] }
      lengths[index] = place + 1
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
}
