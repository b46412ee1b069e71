import HeraldModel

extension ListDelta {
  /// Returns the change as a change set. `modified` are rows of the new list, ascending, whose objects
  /// changed; rows that are fresh or moved are reported as such only.
  package func changeSet(modified: [Int] = []) -> ChangeSet {
    let pieces = self.pieces
    let stays = steady(among: pieces)
    var changes = ChangeSet()
    var newIndex = 0
    var next = 0
    for (slot, piece) in pieces.enumerated() {
      let range = newIndex..<newIndex + piece.count
      newIndex = range.upperBound
      if case .old(let start) = piece.source {
        if stays[slot] {
          let shift = start - range.lowerBound
          while next < modified.count && modified[next] < range.upperBound {
            changes.modificationsNew.append(modified[next])
            changes.modifications.append(modified[next] + shift)
            next += 1
          }
        } else {
          changes.insertions.append(contentsOf: range)
          addMove(from: start, to: range, &changes)
        }
      } else {
        changes.insertions.append(contentsOf: range)
      }
      while next < modified.count && modified[next] < range.upperBound { next += 1 }
    }
    changes.deletions.append(contentsOf: removedOld)
    changes.deletions.sort()
    changes.moves.sort { $0.old < $1.old }
    addReplaced(to: &changes, pieces, stays)
    return changes
  }

  /// Adds a deletion and an insertion for each element of a moved run; a move too, unless the element was
  /// replaced, since then no value moved.
  private func addMove(from start: Int, to range: Range<Int>, _ changes: inout ChangeSet) {
    for (offset, newIndex) in range.enumerated() {
      changes.deletions.append(start + offset)
      if replaced[start + offset] == nil {
        changes.moves.append(ChangeSet.Move(old: start + offset, new: newIndex))
      }
    }
  }

  private func addReplaced(to changes: inout ChangeSet, _ pieces: [Piece], _ stays: [Bool]) {
    guard !replaced.isEmpty else { return }
    var shifts: [(old: Range<Int>, shift: Int)] = []
    var newIndex = 0
    for (slot, piece) in pieces.enumerated() {
      if stays[slot], case .old(let start) = piece.source {
        shifts.append((start..<start + piece.count, newIndex - start))
      }
      newIndex += piece.count
    }
    let known = Set(changes.modifications)
    var pairs = Array(zip(changes.modifications, changes.modificationsNew))
    for oldIndex in replaced.keys where !known.contains(oldIndex) {
      let slot = shifts.partitionPoint { $0.old.upperBound <= oldIndex }
      guard slot < shifts.count, shifts[slot].old.contains(oldIndex) else { continue }
      pairs.append((oldIndex, oldIndex + shifts[slot].shift))
    }
    pairs.sort { $0.0 < $1.0 }
    changes.modifications = pairs.map(\.0)
    changes.modificationsNew = pairs.map(\.1)
  }

  /// The indices of removed old elements, ascending.
  private var removedOld: [Int] {
    var removed: [Int] = []
    var next = 0
    for range in oldRanges {
      removed.append(contentsOf: next..<range.lowerBound)
      next = range.upperBound
    }
    removed.append(contentsOf: next..<oldCount)
    return removed
  }

  /// Returns for each piece whether it is reported as staying: the largest number of elements that keep
  /// their order; among equals, those that no operation moved. Fresh pieces do not stay.
  private func steady(among pieces: [Piece]) -> [Bool] {
    var stays = [Bool](repeating: false, count: pieces.count)
    let slots = pieces.indices.filter { pieces[$0].source != .fresh }
    let starts = slots.map { slot -> Int in
      if case .old(let start) = pieces[slot].source { start } else { 0 }
    }
    if zip(starts, starts.dropFirst()).allSatisfy(<) {
      for slot in slots { stays[slot] = true }
      return stays
    }
    let weights = slots.map { slot in
      LongestIncreasingSubsequence.Weight(
        count: pieces[slot].count, preferred: pieces[slot].isMoved ? 0 : pieces[slot].count)
    }
    for index in LongestIncreasingSubsequence.heaviestIndices(of: starts, weights) {
      stays[slots[index]] = true
    }
    return stays
  }
}
