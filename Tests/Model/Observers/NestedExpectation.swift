import HeraldModel
import HeraldObservation

/// What a token on a nested list or map must receive after some commits in a row, by the
/// rules alone.
enum NestedExpectation {
  case nothing
  /// Every row goes, with what held them; the count of rows or the keys that were there.
  case gone(NestedNode)
  case list(NestedRows)
  case map(MapChangeSet)

  /// `states` are those before the first commit and after each, nil where the object is not there;
  /// the last token's word was of the first. `leadsToChange` says of a value whether it leads to an
  /// object that changed.
  init(_ id: Int, _ states: [NestedModel?], _ leadsToChange: (Value) -> Bool) {
    guard let first = states.first??.node(id) else {
      self = .nothing
      return
    }
    var nodes: [NestedNode] = []
    for state in states {
      guard let node = state?.node(id) else {
        self = .gone(first)
        return
      }
      nodes.append(node)
    }
    switch first {
    case .plain: self = .nothing
    case .list:
      let moved = states.dropFirst().reduce(into: Set<Int>()) { $0.formUnion($1?.moved ?? []) }
      let rows = NestedRows(nodes, moved, leadsToChange)
      self = rows.isNothing ? .nothing : .list(rows)
    case .map:
      let notified = Self.changes(nodes, leadsToChange)
      self = notified.isEmpty ? .nothing : .map(notified)
    }
  }

  /// 4.4, 4.5, 4.7: a key that was removed and set again is compared with its previous value;
  /// another is modified where any commit changed its value.
  private static func changes(
    _ nodes: [NestedNode], _ leadsToChange: (Value) -> Bool
  ) -> MapChangeSet {
    let maps = nodes.map { node -> MapEntries in
      if case .map(let entries) = node.value { entries } else { [:] }
    }
    guard let old = maps.first, let new = maps.last else { return MapChangeSet() }
    let modified = old.keys.filter { key in
      guard let last = new[key] else { return false }
      if leadsToChange(last) { return true }
      if maps.contains(where: { $0[key] == nil }) { return old[key] != last }
      return zip(maps, maps.dropFirst()).contains { $0[key] != $1[key] }
    }
    return MapChangeSet(
      deletions: old.keys.filter { new[$0] == nil }.sorted(),
      insertions: new.keys.filter { old[$0] == nil }.sorted(), modifications: modified.sorted())
  }

  /// What is wrong with what was delivered; nil where nothing is.
  func fault(_ notified: DynamicCollectionChange) -> String? {
    switch (self, notified) {
    case (.gone(let node), .update(let changes, ownerDeleted: true)):
      guard case .list(let rows) = node.value else { return "rows of a map" }
      return changes == ChangeSet(deletions: Array(rows.indices)) ? nil : "wrong deletions"
    case (.gone(let node), .mapUpdate(let changes, ownerDeleted: true)):
      guard case .map(let entries) = node.value else { return "keys of a list" }
      return changes == MapChangeSet(deletions: entries.keys.sorted()) ? nil : "wrong keys"
    case (.list(let rows), .update(let changes, ownerDeleted: false)): return rows.fault(changes)
    case (.map(let expected), .mapUpdate(let changes, ownerDeleted: false)):
      return changes == expected ? nil : "\(changes) instead of \(expected)"
    case (_, _): return "\(notified) instead of \(self)"
    }
  }
}

/// The rows of a list before and after, each by the number of its element.
struct NestedRows {
  let old: [Int]
  let new: [Int]
  let moved: Set<Int>
  /// Elements that some commit left with another value, and those that lead to what changed.
  let modified: Set<Int>
  let replaced: Set<Int>

  init(_ nodes: [NestedNode], _ moved: Set<Int>, _ leadsToChange: (Value) -> Bool) {
    let lists = nodes.map { node -> [NestedElement] in
      if case .list(_, let elements) = node { elements } else { [] }
    }
    let values = lists.map { elements in
      Dictionary(uniqueKeysWithValues: elements.map { ($0.serial, $0.node.value) })
    }
    var replaced: Set<Int> = []
    for (before, after) in zip(values, values.dropFirst()) {
      for (serial, value) in before {
        if let now = after[serial], now != value { replaced.insert(serial) }
      }
    }
    let last = values.last ?? [:]
    let linked = last.filter { leadsToChange($0.value) }.map(\.key)
    self.moved = moved
    self.replaced = replaced
    modified = replaced.union(linked)
    old = lists.first?.map(\.serial) ?? []
    new = lists.last?.map(\.serial) ?? []
  }

  var isNothing: Bool { old == new && modified.isDisjoint(with: new) }

  func fault(_ seen: ChangeSet) -> String? {
    ModelRowsCheck(old: old, new: new, modified: modified, moved: moved, replaced: replaced)
      .fault(seen).map { "\($0): \(seen.text) from \(old) to \(new), modified \(modified)" }
  }
}
