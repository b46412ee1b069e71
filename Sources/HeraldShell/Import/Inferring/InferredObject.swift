import Herald

/// What is known of the members of objects.
final class InferredObject {
  /// The number of names above which objects are maps whatever they contain.
  private static let mostNames = 500

  private(set) var count = 0
  private(set) var names: [String] = []
  private var indexes: [MapKey: Int] = [:]
  private var values: [InferredValue] = []
  private var appearances: [Int] = []
  /// What is known of all members, once there are too many names.
  private var entries: InferredValue?

  func note(_ members: [JSONValue.Member]) {
    count += 1
    for (position, member) in members.enumerated() {
      if let entries {
        entries.note(member.value)
        continue
      }
      let index = index(of: member.name, near: position)
      appearances[index] += 1
      values[index].note(member.value)
    }
    collapseIfWide()
  }

  private func index(of name: String, near position: Int) -> Int {
    if position < names.count, names[position].hasSameBytes(as: name) { return position }
    if let index = indexes[MapKey(name)] { return index }
    names.append(name)
    indexes[MapKey(name)] = values.count
    values.append(InferredValue())
    appearances.append(0)
    return values.count - 1
  }

  func merge(_ other: InferredObject) {
    count += other.count
    if let others = other.entries {
      if entries == nil { collapse() }
      entries?.merge(others)
    }
    for (name, (value, appearance)) in zip(other.names, zip(other.values, other.appearances)) {
      if let entries {
        entries.merge(value)
        continue
      }
      let index = index(of: name, near: 0)
      appearances[index] += appearance
      values[index].merge(value)
    }
    collapseIfWide()
  }

  private func collapseIfWide() { if names.count > Self.mostNames { collapse() } }

  private func collapse() {
    entries = merged
    (names, indexes, values, appearances) = ([], [:], [], [])
  }

  /// The members in the order of their names' first appearance, with whether each object has them.
  var members: [(name: String, value: InferredValue, isAlwaysThere: Bool)] {
    names.indices.map { (names[$0], values[$0], appearances[$0] == count) }
  }

  /// What is known of all members together.
  var merged: InferredValue {
    if let entries { return entries }
    let all = InferredValue()
    for value in values { all.merge(value) }
    return all
  }

  /// Whether the names are data: there are many, of which each object has few, or they could be no names of
  /// properties.
  var isMap: Bool {
    if entries != nil || names.isEmpty { return true }
    let most = appearances.max() ?? 0
    if names.count >= 10, most * 2 < count { return true }
    let valid = Set(names.map(PropertyNames.valid))
    return valid.count < names.count || valid.contains("")
      || names.contains { $0.utf8.first.map(Byte.isDigit) ?? true }
  }
}
