extension TwoLevelBitset {
  /// The invariants of the set that do not hold.
  var violations: [String] {
    var members: [Int] = []
    var next = first(from: 0)
    while let member = next {
      members.append(member)
      next = first(from: member + 1)
    }
    var found: [String] = []
    if members.count != count { found.append("\(members.count) tokens, but the count is \(count)") }
    if !members.allSatisfy(contains) { found.append("a token is listed but not contained") }
    return found
  }
}
