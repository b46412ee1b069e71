extension PieceTable {
  /// The invariants of the table that do not hold. O(pieces).
  var violations: [String] {
    var found: [String] = []
    if chunks.count != counts.count { found.append("chunks and counts differ in number") }
    for (chunk, count) in zip(chunks, counts) {
      if chunk.isEmpty { found.append("an empty chunk") }
      if chunk.count > Self.chunkLimit { found.append("a chunk of \(chunk.count) pieces") }
      if chunk.contains(where: { $0.count <= 0 }) { found.append("an empty piece") }
      let sum = chunk.reduce(0) { $0 + $1.count }
      if sum != count { found.append("a chunk of \(sum) elements has a count of \(count)") }
    }
    let sum = counts.reduce(0, +)
    if sum != count { found.append("\(sum) elements, but the count is \(count)") }
    return found
  }
}
