/// A piece table: runs of elements in order, in chunks of a few dozen. An operation at any index costs
/// O(√operations), an append O(1), whatever the length of the list.
struct PieceTable: Sendable {
  typealias Piece = ListDelta.Piece

  static let chunkLimit = 64

  private(set) var chunks: [[Piece]] = []
  /// The number of elements in each chunk.
  private(set) var counts: [Int] = []
  private(set) var count = 0

  /// Every piece, with adjacent runs joined.
  var pieces: [Piece] {
    var result: [Piece] = []
    for piece in chunks.joined() {
      if let last = result.last, last.isContinued(by: piece) {
        result[result.count - 1].count += piece.count
      } else {
        result.append(piece)
      }
    }
    return result
  }

  mutating func insert(_ piece: Piece, at index: Int) {
    precondition(index >= 0 && index <= count, "an insertion beyond the end of the list")
    guard piece.count > 0 else { return }
    count += piece.count
    guard !chunks.isEmpty else {
      chunks = [[piece]]
      counts = [piece.count]
      return
    }
    let (chunk, offset) = chunkEnding(atOrAfter: index, among: count - piece.count)
    counts[chunk] += piece.count
    Self.insert(piece, at: offset, into: &chunks[chunk])
    if chunks[chunk].count > Self.chunkLimit { split(chunk) }
  }

  /// Removes one element and returns it as a piece of its own.
  mutating func remove(at index: Int) -> Piece {
    let (chunk, slot, offset) = location(of: index)
    let piece = chunks[chunk][slot]
    count -= 1
    counts[chunk] -= 1
    var rest: [Piece] = []
    if offset > 0 { rest.append(piece.part(0, offset)) }
    if offset + 1 < piece.count {
      rest.append(piece.part(offset + 1, piece.count - offset - 1))
    }
    if rest.count == 2 && rest[0].isContinued(by: rest[1]) {
      rest = [piece.part(0, piece.count - 1)]
    }
    chunks[chunk].replaceSubrange(slot...slot, with: rest)
    if chunks[chunk].isEmpty {
      chunks.remove(at: chunk)
      counts.remove(at: chunk)
    } else {
      if rest.isEmpty { join(chunk, at: slot) }
      if chunks[chunk].count > Self.chunkLimit { split(chunk) }
    }
    return piece.part(offset, 1)
  }

  /// Returns the element at `index` as a piece of its own.
  func element(at index: Int) -> Piece {
    let (chunk, slot, offset) = location(of: index)
    return chunks[chunk][slot].part(offset, 1)
  }

  mutating func removeAll() {
    chunks = []
    counts = []
    count = 0
  }

  /// Returns the first chunk that ends at `index` or after it, and the offset of `index` in it.
  private func chunkEnding(atOrAfter index: Int, among total: Int) -> (chunk: Int, offset: Int) {
    if index == total { return (chunks.count - 1, counts[chunks.count - 1]) }
    var chunk = 0
    var offset = index
    while offset > counts[chunk] {
      offset -= counts[chunk]
      chunk += 1
    }
    return (chunk, offset)
  }

  private func location(of index: Int) -> (chunk: Int, slot: Int, offset: Int) {
    precondition(index >= 0 && index < count, "an index beyond the end of the list")
    var (chunk, offset) = chunkEnding(atOrAfter: index, among: count)
    if offset == counts[chunk] {
      chunk += 1
      offset = 0
    }
    var slot = 0
    while offset >= chunks[chunk][slot].count {
      offset -= chunks[chunk][slot].count
      slot += 1
    }
    return (chunk, slot, offset)
  }

  private static func insert(_ piece: Piece, at offset: Int, into chunk: inout [Piece]) {
    var slot = 0
    var rest = offset
    while slot < chunk.count && rest > chunk[slot].count {
      rest -= chunk[slot].count
      slot += 1
    }
    let host = chunk[slot]
    if host.source == .fresh && piece.source == .fresh {
      chunk[slot].count += piece.count
    } else if rest == host.count {
      if host.isContinued(by: piece) {
        chunk[slot].count += piece.count
      } else if slot + 1 < chunk.count && piece.isContinued(by: chunk[slot + 1]) {
        chunk[slot + 1] = piece.joined(with: chunk[slot + 1])
      } else {
        chunk.insert(piece, at: slot + 1)
      }
    } else if rest == 0 {
      if piece.isContinued(by: host) {
        chunk[slot] = piece.joined(with: host)
      } else {
        chunk.insert(piece, at: slot)
      }
    } else {
      let parts = [host.part(0, rest), piece, host.part(rest, host.count - rest)]
      chunk.replaceSubrange(slot...slot, with: parts)
    }
  }

  /// Joins the pieces on both sides of a removed one, where they are one run.
  private mutating func join(_ chunk: Int, at slot: Int) {
    guard slot > 0, slot < chunks[chunk].count,
      chunks[chunk][slot - 1].isContinued(by: chunks[chunk][slot])
    else { return }
    chunks[chunk][slot - 1].count += chunks[chunk].remove(at: slot).count
  }

  private mutating func split(_ chunk: Int) {
    let middle = chunks[chunk].count / 2
    let upper = Array(chunks[chunk][middle...])
    let upperCount = upper.reduce(0) { $0 + $1.count }
    chunks[chunk].removeSubrange(middle...)
    counts[chunk] -= upperCount
    chunks.insert(upper, at: chunk + 1)
    counts.insert(upperCount, at: chunk + 1)
  }
}

extension ListDelta.Piece {
  /// Whether the two pieces form one run.
  func isContinued(by next: Self) -> Bool {
    guard isMoved == next.isMoved else { return false }
    switch (source, next.source) {
    case (.fresh, .fresh): return true
    case (.old(let start), .old(let nextStart)): return start + count == nextStart
    case (.fresh, .old), (.old, .fresh): return false
    }
  }

  func joined(with next: Self) -> Self {
    Self(source: source, count: count + next.count, isMoved: isMoved)
  }

  /// Returns `length` elements from `offset` on.
  func part(_ offset: Int, _ length: Int) -> Self {
    switch source {
    case .fresh: Self(source: .fresh, count: length, isMoved: isMoved)
    case .old(let start): Self(source: .old(start + offset), count: length, isMoved: isMoved)
    }
  }
}
