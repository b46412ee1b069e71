import HeraldModel

/// Follows a list or a map inside a value through operations, and notes what they did to its rows.
struct InsideFollowing {
  private(set) var path: [ValueStep]
  private(set) var isGone = false
  /// Which of the commits is being followed.
  var commit = 0
  private let old: Value
  private var list: ListChange
  /// The commits that touched an old row, or a key.
  private var touchedRows: [Int: Set<Int>] = [:]
  private var touchedKeys: [String: Set<Int>] = [:]

  init(_ path: [ValueStep], _ old: Value) {
    self.path = path
    self.old = old
    list = ListChange(oldCount: old.partCount ?? 0)
  }

  /// `last` reads what stands somewhere when all operations are done.
  mutating func apply(_ operation: InsideOperation, _ last: ([ValueStep]) -> Value?) {
    let depth = operation.path.count
    if depth > path.count {
      if operation.path.starts(with: path) { touch(operation.path[path.count]) }
    } else if path.starts(with: operation.path) {
      if case .assign(let value) = operation.kind {
        assign(value, at: depth, last)
      } else if depth == path.count {
        apply(operation.kind)
      } else {
        shift(by: operation.kind, at: depth, last)
      }
    }
  }

  /// A whole new value below the first steps of the path. A list that was put in anew has none of
  /// the rows that were in it; of a map the keys count.
  private mutating func assign(_ value: Value?, at depth: Int, _ last: ([ValueStep]) -> Value?) {
    let rest = path[depth...]
    let part = value.map { $0.part(at: rest) } ?? last(path)
    guard rest.allSatisfy(\.isKey), let part, part.isCollection(like: old) else {
      isGone = true
      return
    }
    guard case .list(let values) = part else { return }
    list.removeAll()
    if !values.isEmpty { list.insert(at: 0, count: values.count) }
  }

  /// An operation on what holds the collection.
  private mutating func shift(
    by kind: InsideOperation.Kind, at depth: Int, _ last: ([ValueStep]) -> Value?
  ) {
    switch (kind, path[depth]) {
    case (.insert(let at, let count), .row(let row)):
      if at <= row { path[depth] = .row(row + count) }
    case (.remove(let at), .row(let row)):
      if at == row { isGone = true }
      if at < row { path[depth] = .row(row - 1) }
    case (.move(let from, let to), .row(let row)):
      path[depth] = .row(row.moved(from, to))
    case (.replace(let at, let value), .row(let row)):
      if at == row { assign(value, at: depth + 1, last) }
    case (.setKey(let key, let value), .key(let step)):
      if key == step { assign(value, at: depth + 1, last) }
    case (.removeKey(let key), .key(let step)): if key == step { isGone = true }
    case (.clear, _): isGone = true
    case (_, _): break
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
    case .setKey(let key, _): touch(.key(key))
    case .clear: list.removeAll()
    case .removeKey, .assign: break
    case .insert, .remove, .move, .replace: isGone = true
    }
  }

  private mutating func touch(_ step: ValueStep) {
    switch step {
    case .key(let key): touchedKeys[key, default: []].insert(commit)
    case .row(let row):
      guard row < list.newCount, case .old(let index) = list.table.element(at: row).source
      else { return }
      touchedRows[index, default: []].insert(commit)
    }
  }
}

extension InsideFollowing {
  /// What the operations come to.
  enum Outcome {
    case list(ListChange)
    case map(MapChangeSet)
  }

  /// Nil where they do not lead to `new`. A row that several commits touched is not compared end to
  /// end (observation 4.5).
  func settled(_ new: Value) -> Outcome? {
    switch (old, new) {
    case (.list(let before), .list(let after)):
      guard list.newCount == after.count else { return nil }
      var settled = list
      var place = 0
      for piece in list.pieces {
        if case .old(let start) = piece.source {
          for offset in 0..<piece.count {
            guard let commits = touchedRows[start + offset] else { continue }
            let former = before[start + offset]
            if commits.count > 1 || former != after[place + offset] {
              settled.replaced[start + offset] = former
            }
          }
        }
        place += piece.count
      }
      return .list(settled)
    case (.map(let before), .map(let after)):
      let modified = after.keys.filter { key in
        guard let former = before[key] else { return false }
        return former != after[key] || touchedKeys[key].map { $0.count > 1 } ?? false
      }
      return .map(
        MapChangeSet(
          deletions: before.keys.filter { after[$0] == nil },
          insertions: after.keys.filter { before[$0] == nil }, modifications: modified))
    case (_, _): return nil
    }
  }
}

extension InsideFollowing.Outcome {
  /// With the rows, after the operations, whose objects changed; nil for nothing.
  func report(of value: Value, rows: [ValueStep]) -> Report? {
    switch self {
    case .list(let list):
      let modified = rows.compactMap { if case .row(let row) = $0 { row } else { nil } }
      let told = list.changeSet(modified: modified)
      return told.isEmpty ? nil : .update(told, ownerDeleted: false)
    case .map(let keys):
      let touched = rows.compactMap { if case .key(let key) = $0 { key } else { nil } }
      let told = MapChangeSet(
        deletions: keys.deletions.inKeyOrder, insertions: keys.insertions.inKeyOrder,
        modifications: Set(keys.modifications + touched).subtracting(keys.insertions).inKeyOrder)
      return told.isEmpty ? nil : .mapUpdate(told, ownerDeleted: false)
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
