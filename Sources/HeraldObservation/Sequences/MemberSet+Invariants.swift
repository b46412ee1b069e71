import HeraldModel

extension MemberSet {
  /// What is wrong with the set; empty where nothing is. O(blocks).
  var violations: [String] {
    var found: [String] = []
    let blockWords = blockSize / 64
    if words.count % blockWords != 0 { found.append("half a block") }
    if tree.placeCount != words.count / blockWords {
      found.append("\(tree.placeCount) counts for \(words.count) words")
    }
    var sum = 0
    for block in 0..<tree.placeCount {
      if tree.sum(before: block) != sum { found.append("block \(block) begins elsewhere") }
      for word in words[block * blockWords..<(block + 1) * blockWords] {
        sum += word.nonzeroBitCount
      }
    }
    if sum != count { found.append("\(sum) members are counted as \(count)") }
    return found
  }
}
