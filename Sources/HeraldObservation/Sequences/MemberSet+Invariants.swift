import HeraldModel

extension MemberSet {
  /// The invariants of the set that do not hold. O(blocks).
  var violations: [String] {
    var found: [String] = []
    let blockWords = blockSize / 64
    if !few.isEmpty {
      if !words.isEmpty { found.append("the members are an array and a bitset") }
      if few.count > Self.sparseLimit { found.append("an array of \(few.count) members") }
      if zip(few, few.dropFirst()).contains(where: { $0 >= $1 }) {
        found.append("the members are out of order")
      }
    }
    if words.count % blockWords != 0 { found.append("the last block is incomplete") }
    if tree.entryCount != words.count / blockWords {
      found.append("\(tree.entryCount) counts for \(words.count) words")
    }
    var sum = few.count
    for block in 0..<tree.entryCount {
      if tree.sum(before: block) != sum { found.append("the sum before block \(block) is wrong") }
      for word in words[block * blockWords..<(block + 1) * blockWords] {
        sum += word.nonzeroBitCount
      }
    }
    if sum != count { found.append("\(sum) members, but the count is \(count)") }
    return found
  }
}
