/// One operation on a list, a set or a map. Indices start at 0.
public enum CollectionEdit: Sendable {
  /// Inserts values into a list, the first at an index.
  case insert([Value], at: Int)
  /// Removes the element at an index.
  case remove(at: Int)
  /// Replaces the element at an index.
  case replace(at: Int, with: Value)
  /// Moves an element of a list; `to` is its index after the move.
  case move(from: Int, to: Int)
  /// Removes every element.
  case removeAll
  /// Inserts a value into a set; no effect if the set contains it.
  case insertValue(Value)
  /// Removes a value from a set; no effect if the set does not contain it.
  case removeValue(Value)
  /// Sets the value of a key.
  case setKey(String, Value)
  /// Removes a key from a map; no effect if the map does not contain it.
  case removeKey(String)
}

extension CollectionEdit {
  /// Whether it is an operation on a collection of this shape.
  package func fits(_ shape: PropertyShape) -> Bool {
    switch (self, shape) {
    case (.insert, .list), (.remove, .list), (.replace, .list), (.move, .list): true
    case (.insertValue, .set), (.removeValue, .set): true
    case (.setKey, .map), (.removeKey, .map): true
    case (.removeAll, .list), (.removeAll, .set), (.removeAll, .map): true
    case (_, .single), (_, .list), (_, .set), (_, .map), (_, .backlinks): false
    }
  }

  /// Checks the rows of an operation on a list. Errors: `rowOutOfRange`.
  package func checkRows(count: Int) throws(HeraldError) {
    func check(_ row: Int, below limit: Int) throws(HeraldError) {
      guard row >= 0, row < limit else { throw .rowOutOfRange(row, count: count) }
    }
    switch self {
    case .insert(_, let index): try check(index, below: count + 1)
    case .remove(let index), .replace(let index, _): try check(index, below: count)
    case .move(let from, let to):
      try check(from, below: count)
      try check(to, below: count)
    case .removeAll, .insertValue, .removeValue, .setKey, .removeKey: break
    }
  }

  /// Returns the content of a collection after the edit, which must fit its shape. Errors: `rowOutOfRange`.
  package func applied(to content: PropertyContent) throws(HeraldError) -> PropertyContent {
    switch content {
    case .value: return content
    case .list(let values): return .list(try applied(to: values))
    case .map(var entries):
      switch self {
      case .setKey(let key, let value): entries[key] = value
      case .removeKey(let key): entries[key] = nil
      case .removeAll: entries = [:]
      case .insert, .remove, .replace, .move, .insertValue, .removeValue: break
      }
      return .map(entries)
    }
  }

  private func applied(to values: [Value]) throws(HeraldError) -> [Value] {
    try checkRows(count: values.count)
    var new = values
    switch self {
    case .insert(let more, let index): new.insert(contentsOf: more, at: index)
    case .remove(let index): new.remove(at: index)
    case .replace(let index, let value): new[index] = value
    case .move(let from, let to): new.insert(new.remove(at: from), at: to)
    case .removeAll: new = []
    case .insertValue(let value): if !new.contains(value) { new.append(value) }
    case .removeValue(let value): new.removeAll { $0 == value }
    case .setKey, .removeKey: break
    }
    return new
  }
}
