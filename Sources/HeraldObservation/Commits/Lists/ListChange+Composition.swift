import HeraldModel

extension ListChange {
  /// This change and then `later`, as one: the values are not compared end to end, so an element
  /// replaced by another and back stays replaced. O(pieces of both).
  package func composed(with later: ListChange) -> ListChange {
    precondition(later.oldCount == newCount, "list changes that do not follow one another")
    let between = PlacedPieces(pieces)
    var result = ListChange(oldCount: oldCount)
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
    taken earlier: [TakenElement], _ later: ListChange, _ between: PlacedPieces
  ) {
    taken = earlier
    for element in later.taken {
      guard case .old(let oldIndex) = between.element(at: element.oldIndex).source else { continue }
      taken.append(TakenElement(oldIndex: oldIndex, value: element.value))
    }
  }

  private mutating func compose(
    replaced earlier: [Int: Value], _ later: ListChange, _ between: PlacedPieces
  ) {
    // What one commit replaced and another took had its first value before the first of them.
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

  /// The old elements that are left, as ascending ranges of old indices.
  var oldRanges: [Range<Int>] {
    pieces.compactMap { piece -> Range<Int>? in
      guard case .old(let start) = piece.source else { return nil }
      return start..<start + piece.count
    }.sorted { $0.lowerBound < $1.lowerBound }
  }
}

/// Pieces with the index at which each begins.
struct PlacedPieces {
  private let pieces: [ListChange.Piece]
  private let starts: [Int]

  init(_ pieces: [ListChange.Piece]) {
    self.pieces = pieces
    var place = 0
    starts = pieces.map { piece in
      defer { place += piece.count }
      return place
    }
  }

  /// The element at an index, as a piece of its own. O(log pieces).
  func element(at index: Int) -> ListChange.Piece {
    let slot = self.slot(of: index)
    return pieces[slot].part(index - starts[slot], 1)
  }

  /// Where each part of a range of indices came from, in order.
  func forEachPart(of range: Range<Int>, _ body: (ListChange.Piece) -> Void) {
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

  private func slot(of index: Int) -> Int { starts.lowerBound { $0 <= index } - 1 }
}
