/// Returns the element of `names` nearest to a mistyped name, for "did you mean": at most a third of
/// its letters, or one, wrong, missing, extra or swapped. Of several, the first.
public func nearestName(to name: String, in names: some Sequence<String>) -> String? {
  let wanted = Array(name.lowercased().unicodeScalars)
  var best: (name: String, distance: Int)?
  for candidate in names {
    let letters = Array(candidate.lowercased().unicodeScalars)
    let limit = max(1, max(wanted.count, letters.count) / 3)
    let distance = editDistance(wanted, letters)
    if distance <= limit && distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.name
}

/// The end of a message about a name that is not known; empty without a near one.
package func suggestion(_ nearest: String?) -> String {
  nearest.map { "; did you mean '\($0)'?" } ?? ""
}

/// Damerau–Levenshtein distance with adjacent transpositions (optimal string alignment).
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
