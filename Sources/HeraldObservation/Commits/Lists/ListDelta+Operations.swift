package import HeraldModel

extension ListDelta {
  /// Records the insertion of `count` elements at `index`. O(1) at the end.
  package mutating func insert(at index: Int, count: Int = 1) {
    table.insert(Piece(source: .fresh, count: count), at: index)
  }

  /// Records the insertion of these elements at `index`, in order.
  package mutating func insert(_ values: [Value], at index: Int) {
    insert(at: index, count: values.count)
    for value in values { count(linksOf: value, 1) }
  }

  /// Records the removal of the element at `index`, whose value is `old`.
  package mutating func remove(at index: Int, old: Value) {
    forget(table.remove(at: index), value: old)
    count(linksOf: old, -1)
  }

  /// Records that `new` replaces `old` at `index`. Restoring the value that the element had in the
  /// beginning is no change.
  package mutating func replace(at index: Int, old: Value, new: Value) {
    count(linksOf: old, -1)
    count(linksOf: new, 1)
    guard case .old(let oldIndex) = table.element(at: index).source else { return }
    if let first = replaced[oldIndex] {
      if first == new { replaced[oldIndex] = nil }
    } else if old != new {
      replaced[oldIndex] = old
    }
  }

  /// Records that the nested collection at `index`, to which `value` refers, may have changed.
  package mutating func touch(at index: Int, _ value: Value) {
    guard let oldIndex = oldIndex(at: index), replaced[oldIndex] == nil else { return }
    replaced[oldIndex] = value
  }

  /// Returns the old index of an element; nil for a fresh one.
  package func oldIndex(at index: Int) -> Int? {
    if case .old(let oldIndex) = table.element(at: index).source { oldIndex } else { nil }
  }

  /// Returns the index of an old element; nil for a removed one. O(pieces).
  package func newIndex(ofOld oldIndex: Int) -> Int? {
    var newIndex = 0
    for piece in pieces {
      if case .old(let start) = piece.source, start..<start + piece.count ~= oldIndex {
        return newIndex + oldIndex - start
      }
      newIndex += piece.count
    }
    return nil
  }

  /// Records the move of the element at `from`; `to` is its index after the move.
  package mutating func move(from: Int, to: Int) {
    guard from != to else { return }
    var piece = table.remove(at: from)
    if case .old = piece.source { piece.isMoved = true }
    table.insert(piece, at: to)
  }

  /// Records the removal of every element. `old` returns the values of the list just before; it may
  /// return none for a list of plain values.
  package mutating func clear(old: () -> [Value]) {
    let values = old()
    if values.count == newCount {
      var index = 0
      for piece in pieces {
        for offset in 0..<piece.count {
          forget(piece.part(offset, 1), value: values[index + offset])
        }
        index += piece.count
      }
      for value in values { count(linksOf: value, -1) }
    }
    replaced = [:]
    table.removeAll()
  }

  /// Records the removal of every element of a list of plain values.
  package mutating func removeAll() { clear { [] } }

  private mutating func forget(_ element: Piece, value: Value) {
    guard case .old(let oldIndex) = element.source else { return }
    let first = replaced.removeValue(forKey: oldIndex) ?? value
    taken.append(RemovedElement(oldIndex: oldIndex, value: first))
  }

  private mutating func count(linksOf value: Value, _ change: Int) {
    value.forEachLink { target in
      let balance = linkBalance[target, default: 0] + change
      linkBalance[target] = balance == 0 ? nil : balance
    }
  }

  /// Completes the change of one commit: computes `relinked` and `differs`, comparing only elements that
  /// are not at their old index. `old` and `new` return the elements by index, before and after.
  package mutating func settle(old: (Int) -> Value, new: (Int) -> Value) {
    relinked = Set(linkBalance.keys)
    linkBalance = [:]
    differs = newCount != oldCount || isDifferent(old, new)
  }

  private func isDifferent(_ old: (Int) -> Value, _ new: (Int) -> Value) -> Bool {
    var newIndex = 0
    var inPlace: [Range<Int>] = []
    for piece in pieces {
      let range = newIndex..<newIndex + piece.count
      if piece.source == .old(newIndex) {
        inPlace.append(range)
      } else if range.contains(where: { old($0) != new($0) }) {
        return true
      }
      newIndex = range.upperBound
    }
    return replaced.keys.contains { index in inPlace.containsSorted(index) }
  }
}

extension [Range<Int>] {
  /// Whether one of these ascending ranges contains `value`. O(log ranges).
  func containsSorted(_ value: Int) -> Bool {
    let after = partitionPoint { $0.upperBound <= value }
    return after < count && self[after].contains(value)
  }
}
