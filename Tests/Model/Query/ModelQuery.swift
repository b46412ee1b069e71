import HeraldModel

/// A query as the model knows it.
struct ModelQuery {
  enum Stage {
    case sort([(path: ModelPath, ascending: Bool)])
    case distinct([ModelPath])
    case limit(Int)
    case offset(Int)
    /// A predicate on the rows of the stages before it.
    case filter(ModelPredicate)
  }

  var type: Int
  var predicate: ModelPredicate?
  var stages: [Stage] = []

  /// The clauses after the class; those of a line apply to the rows of the line before.
  func text(_ schema: ModelSchema) -> String {
    var words: [String] = []
    if let predicate { words.append("where \(predicate.text(schema, type))") }
    for stage in stages {
      switch stage {
      case .sort(let keys):
        let list = keys.map { $0.path.text(schema, from: type) + ($0.ascending ? " asc" : " desc") }
        words.append("sort(\(list.joined(separator: ", ")))")
      case .distinct(let paths):
        let list = paths.map { $0.text(schema, from: type) }
        words.append("distinct(\(list.joined(separator: ", ")))")
      case .limit(let count): words.append("limit(\(count))")
      case .offset(let count): words.append("offset(\(count))")
      case .filter(let predicate): words.append("\nwhere \(predicate.text(schema, type))")
      }
    }
    return words.joined(separator: " ").replacing(" \n", with: "\n")
  }

  /// The rows, by going through everything (4.8): of a class, or of a collection.
  func rows(
    _ state: ModelStore, _ ground: (owner: ObjectID, property: Int)? = nil
  ) -> [ModelRow] {
    let all =
      ground.map { state.rows($0.property, of: $0.owner) }
      ?? state.objects[type].map { ModelRow(value: .link($0.id)) }
    var rows = all.filter { matches($0, predicate, state) }
    for stage in stages {
      switch stage {
      case .sort(let keys): rows = sorted(rows, keys, state)
      case .distinct(let paths):
        var seen: [[Value]] = []
        rows = rows.filter { row in
          let key = values(paths, row, state)
          if seen.contains(where: { zip($0, key).allSatisfy { $0.equals($1) } }) { return false }
          seen.append(key)
          return true
        }
      case .limit(let count): rows = Array(rows.prefix(count))
      case .offset(let count): rows = Array(rows.dropFirst(count))
      case .filter(let predicate): rows = rows.filter { matches($0, predicate, state) }
      }
    }
    return rows
  }

  private func matches(
    _ row: ModelRow, _ predicate: ModelPredicate?, _ state: ModelStore
  ) -> Bool {
    guard case .link(let id) = row.value, state.exists(id) else { return false }
    return predicate?.matches(id, state) ?? true
  }

  private func values(_ paths: [ModelPath], _ row: ModelRow, _ state: ModelStore) -> [Value] {
    guard case .link(let id) = row.value else { return [] }
    return paths.map { $0.value(of: id, state) }
  }

  private func sorted(
    _ rows: [ModelRow], _ keys: [(path: ModelPath, ascending: Bool)], _ state: ModelStore
  ) -> [ModelRow] {
    let decorated = rows.enumerated().map { place, row in
      (place: place, row: row, values: values(keys.map(\.path), row, state))
    }
    return decorated.sorted { a, b in
      for key in keys.indices {
        if a.values[key].precedes(b.values[key]) { return keys[key].ascending }
        if b.values[key].precedes(a.values[key]) { return !keys[key].ascending }
      }
      return a.place < b.place
    }.map(\.row)
  }

  var isSorted: Bool { !sortPaths.isEmpty }

  private var sortPaths: [ModelPath] {
    stages.flatMap { stage -> [ModelPath] in
      if case .sort(let keys) = stage { keys.map(\.path) } else { [] }
    }
  }

  /// Everything that a row is sorted by.
  func sortValues(of id: ObjectID, _ state: ModelStore) -> [Value] {
    sortPaths.map { $0.value(of: id, state) }
  }
}
