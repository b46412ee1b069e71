import HeraldModel

/// Follows a list or a map inside a value through the operations of one commit, and notes what they
/// did to its rows.
struct InsideFollowing {
  /// Reads what stood somewhere before the commit, and what it left.
  struct Ends {
    var before: ([ValueStep]) -> Value?
    var after: ([ValueStep]) -> Value?
  }

  private(set) var path: [ValueStep]
  /// How many steps before a row that was taken out.
  private var gone: Int?
  private let start: [ValueStep]
  private let old: Value
  private var list: ListChange
  /// Old rows, and keys, that operations touched.
  private var touchedRows: Set<Int> = []
  private var touchedKeys = KeySet()
  /// The least number of steps to a whole value that was given, or taken, on the way: all that
  /// counts below it is what it was and what it is in the end (observation 4.4, 4.5).
  private var given: Int?

  init(_ path: [ValueStep], _ old: Value) {
    self.path = path
    self.old = old
    start = path
    list = ListChange(oldCount: old.partCount ?? 0)
  }

  mutating func apply(_ operation: InsideOperation) {
    let depth = operation.path.count
    if let given, depth >= given { return }
    if let gone, depth >= gone, !operation.kind.isAssignment || depth > gone { return }
    if depth > path.count {
      if operation.path.starts(with: path) { touch(operation.path[path.count]) }
    } else if path.starts(with: operation.path) {
      if operation.kind.isAssignment {
        give(at: depth)
      } else if depth == path.count {
        apply(operation.kind)
      } else {
        shift(by: operation.kind, at: depth)
      }
    }
  }

  private mutating func give(at depth: Int) {
    given = depth
    gone = nil
  }

  /// An operation on what holds the collection.
  private mutating func shift(by kind: InsideOperation.Kind, at depth: Int) {
    switch (kind, path[depth]) {
    case (.replace(let at, _), .row(let row)): if at == row { give(at: depth + 1) }
    case (_, .row(let row)):
      if let place = kind.place(of: row) { path[depth] = .row(place) } else { gone = depth }
    case (.setKey(let key, _), .key(let step)), (.removeKey(let key), .key(let step)):
      if key.hasSameBytes(as: step) { give(at: depth + 1) }
    case (.clear, .key): give(at: depth + 1)
    case (_, .key): break
    }
  }

  /// An operation on the collection itself. What a damaged log may say leads nowhere.
  private mutating func apply(_ kind: InsideOperation.Kind) {
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
    case .insert, .remove, .move, .replace: gone = path.count
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

extension InsideFollowing {
  /// What the operations of the commit come to, and what they left; nil where they left nothing of
  /// the collection, or lead elsewhere. What was set back is no change (observation 4.5).
  /// O(touched rows), where a whole value was given O(n).
  mutating func settle(_ ends: Ends) -> (outcome: InsideOutcome, value: Value)? {
    if gone != nil { return nil }
    guard let given else {
      guard let new = ends.after(path), let outcome = settled(new) else { return nil }
      return (outcome, new)
    }
    let rest = start[given...]
    path.replaceSubrange(given..., with: rest)
    // Down to the first row: of maps each key is compared by itself.
    let known = given + rest.prefix(while: \.isKey).count
    if let part = ends.after(Array(path[..<known])), part == ends.before(Array(start[..<known])) {
      return (InsideOutcome(old), old)
    }
    guard known == path.count, let new = ends.after(path),
      let outcome = InsideOutcome(assigning: new, to: old)
    else { return nil }
    return (outcome, new)
  }

  private func settled(_ new: Value) -> InsideOutcome? {
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
    var place = 0
    for piece in list.pieces {
      if case .old(let start) = piece.source {
        for row in start..<start + piece.count
        where touchedRows.contains(row) && before[row] != after[place + row - start] {
          settled.replaced[row] = before[row]
        }
      }
      place += piece.count
    }
    return settled
  }
}

/// What commits did to a list or a map inside a value.
enum InsideOutcome {
  case list(ListChange)
  case map(MapChange)

  /// Nothing so far.
  init(_ value: Value) {
    if case .map = value {
      self = .map(MapChange())
    } else {
      self = .list(ListChange(oldCount: value.partCount ?? 0))
    }
  }

  /// A whole value: of a list that was put in anew no row is one that was there; of a map the keys
  /// count. Nil where it is of another kind.
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

  /// Adds what a later commit did: rows that it changed back stay changed (observation 4.5).
  mutating func merge(_ later: InsideOutcome) {
    switch (self, later) {
    case (.list(let list), .list(let next)): self = .list(list.composed(with: next))
    case (.map(var map), .map(let next)):
      map.merge(next)
      self = .map(map)
    case (.list, .map), (.map, .list): self = later
    }
  }

  /// With the rows, after the operations, whose objects changed; nil for nothing.
  func report(of value: Value, rows: [ValueStep]) -> Report? {
    switch self {
    case .list(let list):
      let modified = rows.compactMap { if case .row(let row) = $0 { row } else { nil } }
      let told = list.changeSet(modified: modified)
      return told.isEmpty ? nil : .update(told, ownerDeleted: false)
    case .map(let map):
      var modified = KeySet(map.modified.keys)
      for (key, former) in map.restored where value.part(at: [.key(key)]) != former {
        modified.insert(key)
      }
      modified.formUnion(rows.compactMap { if case .key(let key) = $0 { key } else { nil } })
      let told = MapChangeSet(
        deletions: map.removed.keys.inKeyOrder, insertions: map.inserted.inKeyOrder,
        modifications: modified.subtracting(map.inserted).inKeyOrder)
      return told.isEmpty ? nil : .mapUpdate(told, ownerDeleted: false)
    }
  }
}

extension MapChange {
  /// What differs between two maps among some keys.
  fileprivate init(_ old: MapEntries, _ new: MapEntries, _ keys: KeySet) {
    self.init()
    for key in keys {
      switch (old[key], new[key]) {
      case (nil, _?): inserted.insert(key)
      case (let former?, nil): removed[key] = former
      case (let former?, let present?): if former != present { modified[key] = former }
      case (nil, nil): break
      }
    }
  }
}

extension InsideOperation {
  /// Follows the row of a list that the operation is done to; false where it takes the row away.
  func shift(_ steps: inout [ValueStep]) -> Bool {
    guard case .row(let row)? = steps.first else { return true }
    guard let place = kind.place(of: row) else { return false }
    steps[0] = .row(place)
    return true
  }
}

extension InsideOperation.Kind {
  /// Where a row of a list stands after it; nil where it takes the row away.
  fileprivate func place(of row: Int) -> Int? {
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
  /// Where a row stands after a row was moved.
  fileprivate func moved(_ from: Int, _ to: Int) -> Int {
    if self == from { return to }
    if from < self && self <= to { return self - 1 }
    if to <= self && self < from { return self + 1 }
    return self
  }
}
