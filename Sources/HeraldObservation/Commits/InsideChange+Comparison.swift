import HeraldModel

extension InsideChange {
  /// What may have been done inside a value of which only two states are known: the operations that
  /// lead from one to the other, of lists those of `ListChange(comparing:)`. Nil where not both are
  /// lists, or both maps: then the value was given as a whole. O(n log n).
  init?(comparing old: Value, with new: Value) {
    self.init()
    guard note(old, new, at: []) else { return nil }
  }

  /// The same of a list of such values, from which `change` leads to `new`.
  init(_ change: ListChange, to new: [Value]) {
    self.init()
    note(change, to: new, at: [])
  }

  /// The same of a map of such values.
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
      note(InsideOperation(path, .removeKey(key)))
    }
    for key in new.keys.inKeyOrder {
      guard let value = new[key], value != old[key] else { continue }
      if let former = old[key], note(former, value, at: path + [.key(key)]) { continue }
      note(InsideOperation(path, .setKey(key, value)))
    }
  }

  /// First which rows go, move and come, and then, where the rest stands by now, what they hold.
  private mutating func note(_ change: ListChange, to new: [Value], at path: [ValueStep]) {
    noteRows(of: change, at: path)
    var place = 0
    for piece in change.pieces {
      if case .old(let start) = piece.source {
        for offset in 0..<piece.count {
          guard let former = change.replaced[start + offset] else { continue }
          let (row, value) = (place + offset, new[place + offset])
          if note(former, value, at: path + [.row(row)]) { continue }
          note(InsideOperation(path, .replace(at: row, with: value)))
        }
      }
      place += piece.count
    }
  }

  private mutating func noteRows(of change: ListChange, at path: [ValueStep]) {
    // Each row by its old index and one, those that come by greater numbers.
    var rows = OrderedSequence(1..<change.oldCount + 1)
    let kept = change.oldRanges
    for index in (0..<change.oldCount).reversed() where !kept.containsSorted(index) {
      rows.remove(at: index)
      note(InsideOperation(path, .remove(at: index)))
    }
    var newest = change.oldCount
    // Behind the last row that stands where it belongs.
    var next = 0
    for piece in change.pieces {
      for offset in 0..<piece.count {
        guard case .old(let start) = piece.source else {
          newest += 1
          rows.insert(newest, at: next)
          note(InsideOperation(path, .insert(at: next, count: 1)))
          next += 1
          continue
        }
        guard let from = rows.position(of: start + offset + 1) else { continue }
        let to = !piece.isMoved ? from : from < next ? next - 1 : next
        if from != to {
          rows.insert(rows.remove(at: from), at: to)
          note(InsideOperation(path, .move(from: from, to: to)))
        }
        next = to + 1
      }
    }
  }
}
