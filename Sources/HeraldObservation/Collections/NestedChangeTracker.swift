import HeraldModel

/// Follows a nested list or map through the operations of one commit, and computes the change of its
/// rows.
struct NestedChangeTracker {
  /// Reads the value at a path before and after the commit.
  struct Ends {
    var before: ([ValueStep]) -> Value?
    var after: ([ValueStep]) -> Value?
  }

  private(set) var path: [ValueStep]
  /// The index in `path` of a step whose row was removed; nil where none was.
  private var removedDepth: Int?
  private let start: [ValueStep]
  private let old: Value
  private var list: ListChange
  /// The old rows that operations changed; `touchedKeys` are the keys.
  private var touchedRows: Set<Int> = []
  private var touchedKeys = KeySet()
  /// The smallest number of steps to a whole value that was assigned or removed along the path. Below it,
  /// only the values before and after are compared (observation 4.4, 4.5).
  private var assignedDepth: Int?

  init(_ path: [ValueStep], _ old: Value) {
    self.path = path
    self.old = old
    start = path
    list = ListChange(oldCount: old.nestedCount ?? 0)
  }

  mutating func apply(_ operation: NestedOperation) {
    let depth = operation.path.count
    if let assignedDepth, depth >= assignedDepth { return }
    if let removedDepth, depth >= removedDepth,
      !operation.kind.isAssignment || depth > removedDepth
    {
      return
    }
    if depth > path.count {
      if operation.path.starts(with: path) { touch(operation.path[path.count]) }
    } else if path.starts(with: operation.path) {
      if operation.kind.isAssignment {
        assign(at: depth)
      } else if depth == path.count {
        apply(operation.kind)
      } else {
        shift(by: operation.kind, at: depth)
      }
    }
  }

  private mutating func assign(at depth: Int) {
    assignedDepth = depth
    removedDepth = nil
  }

  /// Applies an operation on a value that contains the collection.
  private mutating func shift(by kind: NestedOperation.Kind, at depth: Int) {
    switch (kind, path[depth]) {
    case (.replace(let at, _), .row(let row)): if at == row { assign(at: depth + 1) }
    case (_, .row(let row)):
      if let index = kind.index(of: row) { path[depth] = .row(index) } else { removedDepth = depth }
    case (.setKey(let key, _), .key(let step)), (.removeKey(let key), .key(let step)):
      if key.hasSameBytes(as: step) { assign(at: depth + 1) }
    case (.clear, .key): assign(at: depth + 1)
    case (_, .key): break
    }
  }

  /// Applies an operation on the collection itself. Indices out of range, from a damaged log, end the
  /// collection.
  private mutating func apply(_ kind: NestedOperation.Kind) {
    let count = list.newCount
    switch kind {
    case .insert(let at, let more) where at <= count && more > 0: list.insert(at: at, count: more)
    case .remove(let at) where at < count: list.remove(at: at, old: .null)
    case .move(let from, let to) where from < count && to < count: list.move(from: from, to: to)
    case .replace(let at, _) where at < count: touch(.row(at))
    case .setKey(let key, _), .removeKey(let key): touch(.key(key))
    case .clear:
      list.removeAll()
      if case .map(let entries) = old { touchedKeys.formUnion(entries.keys) }
    case .assign: break
    case .insert, .remove, .move, .replace: removedDepth = path.count
    }
  }

  private mutating func touch(_ step: ValueStep) {
    switch step {
    case .key(let key): touchedKeys.insert(key)
    case .row(let row):
      guard row < list.newCount, case .old(let index) = list.table.element(at: row).source
      else { return }
      touchedRows.insert(index)
    }
  }
}

extension NestedChangeTracker {
  /// Returns the change that the operations of the commit made, and the new value; nil where they removed
  /// the collection. Restored values are no change (observation 4.5). O(touched rows), or O(n) where a
  /// whole value was assigned.
  mutating func settle(_ ends: Ends) -> (outcome: NestedOutcome, value: Value)? {
    if removedDepth != nil { return nil }
    guard let assignedDepth else {
      guard let new = ends.after(path), let outcome = settled(new) else { return nil }
      return (outcome, new)
    }
    let rest = start[assignedDepth...]
    path.replaceSubrange(assignedDepth..., with: rest)
    // Down to the first row, since map keys identify values but rows do not.
    let known = assignedDepth + rest.prefix(while: \.isKey).count
    if let part = ends.after(Array(path[..<known])), part == ends.before(Array(start[..<known])) {
      return (NestedOutcome(old), old)
    }
    guard known == path.count, let new = ends.after(path),
      let outcome = NestedOutcome(assigning: new, to: old)
    else { return nil }
    return (outcome, new)
  }

  private func settled(_ new: Value) -> NestedOutcome? {
    switch (old, new) {
    case (.list(let before), .list(let after)):
      return list.newCount == after.count ? .list(settledRows(before, after)) : nil
    case (.map(let before), .map(let after)):
      return .map(MapChange(before, after, touchedKeys))
    case (_, _): return nil
    }
  }

  private func settledRows(_ before: [Value], _ after: [Value]) -> ListChange {
    var settled = list
    guard !touchedRows.isEmpty else { return settled }
    var newIndex = 0
    for piece in list.pieces {
      if case .old(let start) = piece.source {
        for row in start..<start + piece.count
        where touchedRows.contains(row) && before[row] != after[newIndex + row - start] {
          settled.replaced[row] = before[row]
        }
      }
      newIndex += piece.count
    }
    return settled
  }
}

/// The change that commits made to a nested list or map.
enum NestedOutcome {
  case list(ListChange)
  case map(MapChange)

  /// Creates an empty change.
  init(_ value: Value) {
    if case .map = value {
      self = .map(MapChange())
    } else {
      self = .list(ListChange(oldCount: value.nestedCount ?? 0))
    }
  }

  /// Creates the change of assigning a whole value: all rows of a list are new, maps are compared by key.
  /// Nil where list and map are exchanged.
  fileprivate init?(assigning new: Value, to old: Value) {
    switch (old, new) {
    case (.list(let before), .list(let after)):
      var change = ListChange(oldCount: before.count)
      if before != after {
        change.removeAll()
        if !after.isEmpty { change.insert(at: 0, count: after.count) }
      }
      self = .list(change)
    case (.map(let before), .map(let after)):
      self = .map(MapChange(before, after, KeySet(Array(before.keys) + after.keys)))
    case (_, _): return nil
    }
  }

  /// Merges a later commit's change. Rows that it changed back stay changed (observation 4.5).
  mutating func merge(_ later: NestedOutcome) {
    switch (self, later) {
    case (.list(let list), .list(let next)): self = .list(list.composed(with: next))
    case (.map(var map), .map(let next)):
      map.merge(next)
      self = .map(map)
    case (.list, .map), (.map, .list): self = later
    }
  }

  /// Returns the report; nil where there is nothing to report. `rows` are the new rows whose objects
  /// changed.
  func report(of value: Value, rows: [ValueStep]) -> Report? {
    switch self {
    case .list(let list):
      let modified = rows.compactMap { if case .row(let row) = $0 { row } else { nil } }
      let changeSet = list.changeSet(modified: modified)
      return changeSet.isEmpty ? nil : .update(changeSet, ownerDeleted: false)
    case .map(let map):
      var modified = KeySet(map.modified.keys)
      for (key, old) in map.restored where value.part(at: [.key(key)]) != old {
        modified.insert(key)
      }
      modified.formUnion(rows.compactMap { if case .key(let key) = $0 { key } else { nil } })
      let changeSet = MapChangeSet(
        deletions: map.removed.keys.inKeyOrder, insertions: map.inserted.inKeyOrder,
        modifications: modified.subtracting(map.inserted).inKeyOrder)
      return changeSet.isEmpty ? nil : .mapUpdate(changeSet, ownerDeleted: false)
    }
  }
}

extension MapChange {
  /// Creates the difference between two maps for some keys.
  fileprivate init(_ old: MapEntries, _ new: MapEntries, _ keys: KeySet) {
    self.init()
    for key in keys {
      switch (old[key], new[key]) {
      case (nil, _?): inserted.insert(key)
      case (let before?, nil): removed[key] = before
      case (let before?, let after?): if before != after { modified[key] = before }
      case (nil, nil): break
      }
    }
  }
}

extension NestedOperation {
  /// Updates the first step, a row of the list that the operation changes; returns false where it removes
  /// the row.
  func shift(_ steps: inout [ValueStep]) -> Bool {
    guard case .row(let row)? = steps.first else { return true }
    guard let index = kind.index(of: row) else { return false }
    steps[0] = .row(index)
    return true
  }
}

extension NestedOperation.Kind {
  /// Returns the index of a list's row after the operation; nil where it removes the row.
  fileprivate func index(of row: Int) -> Int? {
    switch self {
    case .insert(let at, let count): at <= row ? row + count : row
    case .remove(let at): at == row ? nil : at < row ? row - 1 : row
    case .move(let from, let to): row.moved(from, to)
    case .clear: nil
    case .replace, .setKey, .removeKey, .assign: row
    }
  }
}

extension Int {
  /// Returns the index of this row after the row at `from` was moved to `to`.
  fileprivate func moved(_ from: Int, _ to: Int) -> Int {
    if self == from { return to }
    if from < self && self <= to { return self - 1 }
    if to <= self && self < from { return self + 1 }
    return self
  }
}
