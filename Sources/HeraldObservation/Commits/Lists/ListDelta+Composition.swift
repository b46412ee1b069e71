import HeraldModel

extension ListDelta {
  /// Returns this change followed by `later` as one. Values that change back do not cancel out, so an
  /// element replaced by another and back stays replaced. O(pieces of both).
  package func composed(with later: ListDelta) -> ListDelta {
    precondition(later.oldCount == newCount, "list changes are composed in order of commits")
    let between = IndexedPieces(pieces)
    var result = ListDelta(oldCount: oldCount)
    result.table.removeAll()
    for piece in later.pieces {
      switch piece.source {
      case .fresh: result.table.insert(piece, at: result.table.count)
      case .old(let start):
        between.forEachPart(of: start..<start + piece.count) { part in
          var part = part
          if part.source != .fresh { part.isMoved = part.isMoved || piece.isMoved }
          result.table.insert(part, at: result.table.count)
        }
      }
    }
    result.relinked = relinked.union(later.relinked)
    result.compose(taken: taken, later, between)
    result.compose(replaced: replaced, later, between)
    result.differs = differs || later.differs
    return result
  }

  private mutating func compose(
    taken earlier: [RemovedElement], _ later: ListDelta, _ between: IndexedPieces
  ) {
    taken = earlier
    for element in later.taken {
      guard case .old(let oldIndex) = between.element(at: element.oldIndex).source else { continue }
      taken.append(RemovedElement(oldIndex: oldIndex, value: element.value))
    }
  }

  private mutating func compose(
    replaced earlier: [Int: Value], _ later: ListDelta, _ between: IndexedPieces
  ) {
    // An element that was replaced and then removed had the value that the replacement recorded.
    for slot in taken.indices {
      if let first = earlier[taken[slot].oldIndex] { taken[slot].value = first }
    }
    replaced = earlier
    for (index, value) in later.replaced {
      guard case .old(let oldIndex) = between.element(at: index).source else { continue }
      if replaced[oldIndex] == nil { replaced[oldIndex] = value }
    }
    let kept = oldRanges
    replaced = replaced.filter { kept.containsSorted($0.key) }
  }

  /// The kept old elements, as ascending ranges of old indices.
  var oldRanges: [Range<Int>] {
    pieces.compactMap { piece -> Range<Int>? in
      guard case .old(let start) = piece.source else { return nil }
      return start..<start + piece.count
    }.sorted { $0.lowerBound < $1.lowerBound }
  }
}

/// Pieces with the start index of each.
struct IndexedPieces {
  private let pieces: [ListDelta.Piece]
  private let starts: [Int]

  init(_ pieces: [ListDelta.Piece]) {
    self.pieces = pieces
    var start = 0
    starts = pieces.map { piece in
      defer { start += piece.count }
      return start
    }
  }

  /// Returns the element at an index as a piece of its own. O(log pieces).
  func element(at index: Int) -> ListDelta.Piece {
    let slot = self.slot(of: index)
    return pieces[slot].part(index - starts[slot], 1)
  }

  /// Calls `body` with the parts of pieces that make up a range of indices, in order.
  func forEachPart(of range: Range<Int>, _ body: (ListDelta.Piece) -> Void) {
    var index = range.lowerBound
    var slot = self.slot(of: index)
    while index < range.upperBound {
      let offset = index - starts[slot]
      let length = min(pieces[slot].count - offset, range.upperBound - index)
      body(pieces[slot].part(offset, length))
      index += length
      slot += 1
    }
  }

  private func slot(of index: Int) -> Int { starts.partitionPoint { $0 <= index } - 1 }
}
