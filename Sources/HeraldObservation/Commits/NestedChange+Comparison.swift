import HeraldModel

extension NestedChange {
  /// Creates operations that lead from one state of a value to another; for lists those of
  /// `ListChange(comparing:)`. Nil unless both are lists or both are maps: then the whole value was
  /// assigned. O(n log n).
  init?(comparing old: Value, with new: Value) {
    self.init()
    guard note(old, new, at: []) else { return nil }
  }

  /// The same for a list of such values that `change` leads to `new`.
  init(_ change: ListChange, to new: [Value]) {
    self.init()
    note(change, to: new, at: [])
  }

  /// The same for a map of such values.
  init(comparing old: MapEntries, with new: MapEntries) {
    self.init()
    note(old, new, at: [])
  }

  private mutating func note(_ old: Value, _ new: Value, at path: [ValueStep]) -> Bool {
    switch (old, new) {
    case (.list(let before), .list(let after)):
      note(ListChange(comparing: before, with: after), to: after, at: path)
    case (.map(let before), .map(let after)): note(before, after, at: path)
    case (_, _): return false
    }
    return true
  }

  private mutating func note(_ old: MapEntries, _ new: MapEntries, at path: [ValueStep]) {
    for key in old.keys.inKeyOrder where new[key] == nil {
      note(NestedOperation(path, .removeKey(key)))
    }
    for key in new.keys.inKeyOrder {
      guard let value = new[key], value != old[key] else { continue }
      if let oldValue = old[key], note(oldValue, value, at: path + [.key(key)]) { continue }
      note(NestedOperation(path, .setKey(key, value)))
    }
  }

  /// Records removals, moves and insertions of rows first, then replacements at the resulting positions.
  private mutating func note(_ change: ListChange, to new: [Value], at path: [ValueStep]) {
    noteRows(of: change, at: path)
    var newIndex = 0
    for piece in change.pieces {
      if case .old(let start) = piece.source {
        for offset in 0..<piece.count {
          guard let oldValue = change.replaced[start + offset] else { continue }
          let (row, value) = (newIndex + offset, new[newIndex + offset])
          if note(oldValue, value, at: path + [.row(row)]) { continue }
          note(NestedOperation(path, .replace(at: row, with: value)))
        }
      }
      newIndex += piece.count
    }
  }

  private mutating func noteRows(of change: ListChange, at path: [ValueStep]) {
    // Rows are numbered by their old index + 1, inserted rows by larger numbers.
    var rows = OrderedSequence(1..<change.oldCount + 1)
    let kept = change.oldRanges
    for index in (0..<change.oldCount).reversed() where !kept.containsSorted(index) {
      rows.remove(at: index)
      note(NestedOperation(path, .remove(at: index)))
    }
    var newest = change.oldCount
    // The index after the last row that is in its final position.
    var next = 0
    for piece in change.pieces {
      for offset in 0..<piece.count {
        guard case .old(let start) = piece.source else {
          newest += 1
          rows.insert(newest, at: next)
          note(NestedOperation(path, .insert(at: next, count: 1)))
          next += 1
          continue
        }
        guard let from = rows.position(of: start + offset + 1) else { continue }
        let to = !piece.isMoved ? from : from < next ? next - 1 : next
        if from != to {
          rows.insert(rows.remove(at: from), at: to)
          note(NestedOperation(path, .move(from: from, to: to)))
        }
        next = to + 1
      }
    }
  }
}
