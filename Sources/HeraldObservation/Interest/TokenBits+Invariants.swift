extension TokenBits {
  /// What is wrong with the set; empty where nothing is.
  var violations: [String] {
    var members: [Int] = []
    var next = first(from: 0)
    while let member = next {
      members.append(member)
      next = first(from: member + 1)
    }
    var found: [String] = []
    if members.count != count { found.append("\(members.count) tokens are counted as \(count)") }
    if !members.allSatisfy(contains) { found.append("a token is listed and not contained") }
    return found
  }
}
