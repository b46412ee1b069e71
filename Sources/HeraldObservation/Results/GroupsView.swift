import HeraldModel
import HeraldQuery

/// The live groups of observed members: which there are, their aggregates, and their order.
///
/// A change of a member costs O(its values · log values), and one of a group O(log groups) comparisons.
final class GroupsView {
  let grouping: BoundGrouping
  private let table: GroupTable
  /// What each member contributes at the view's version.
  private var members: [Int: Member] = [:]
  /// The rows of the groups as they are ordered.
  private let order: GroupOrder
  private var window: OrderedStage
  /// The groups whose aggregates differ, or that were empty and came back, since the last change set.
  private var modified: Set<Int> = []
  /// The groups that a change of members concerns.
  private var touched: Set<Int> = []

  private struct Member {
    let object: ObjectNumber
    let group: Int
    /// The values of the paths, where there are equal ones in other forms.
    let key: [Value]
    let values: [Value]
  }

  /// - Parameter window: `grouping`'s at the version that the view begins at.
  init(_ grouping: BoundGrouping, _ window: BoundQuery) {
    self.grouping = grouping
    table = GroupTable(grouping)
    order = GroupOrder(grouping)
    self.window = OrderedStage(order, window.rowRange)
  }

  var count: Int { window.count }

  func begin(_ rows: [(member: Int, object: ObjectNumber)], _ reader: any ObjectReader) {
    if grouping.isWhole { _ = table.group([]) }
    for row in rows { enter(row.member, row.object, reader) }
    for group in table.groups { order.begin(group, table.row(group)) }
    order.sort()
    touched = []
  }

  func enter(_ member: Int, _ object: ObjectNumber, _ reader: any ObjectReader) {
    let (key, values) = grouping.contribution(of: object, reader)
    let group = table.group(key)
    table.add(object, key, values, to: group)
    members[member] = Member(
      object: object, group: group, key: grouping.hasOtherForms(key) ? key : [], values: values)
    touched.insert(group)
  }

  func leave(_ member: Int) {
    guard let known = members.removeValue(forKey: member) else { return }
    table.remove(known.object, known.key, known.values, from: known.group)
    touched.insert(known.group)
  }

  /// The end of one commit: a group is modified where its aggregates, or the form of its key, differ from those before.
  func endCommit() {
    for group in touched {
      let row = table.isEmpty(group) ? nil : table.row(group)
      let last = order.present[group] ?? order.rows[group]
      if !grouping.areSame(row, last) { modified.insert(group) }
      order.present[group] = .some(row)
    }
    touched = []
  }

  /// Returns what changed since the last call. O(changed groups · log groups); O(groups) with another window.
  ///
  /// - Parameter window: the groups' window as it is bound now, if that is not what it was.
  func changeSet(_ reader: any ObjectReader, window: BoundQuery? = nil) -> ChangeSet {
    var delta = RowDelta()
    var hasNewKeys: Set<Int> = []
    var added: [Int] = []
    for (group, row) in order.present.sorted(by: { $0.key < $1.key }) {
      switch (order.rows[group], row) {
      case (nil, nil): table.drop(group)
      case (.some, nil):
        delta.removed.append(group)
        modified.remove(group)
      case (nil, .some):
        added.append(group)
        modified.remove(group)
      case (.some(let old), .some(let new)):
        guard grouping.differ(old, new) else { continue }
        hasNewKeys.insert(group)
        delta.removed.append(group)
        added.append(group)
      }
    }
    delta.added = added
    let rows =
      window.map { changes(to: $0, delta, hasNewKeys, reader) }
      ?? self.window.changes(delta, reader)
    let gone = delta.removed.filter { !hasNewKeys.contains($0) }
    for group in gone { table.drop(group) }
    order.settle(dropping: gone)
    var changed: [RowChanges.Row] = []
    for group in modified {
      guard let position = self.window.position(of: group) else { continue }
      changed.append(RowChanges.Row(number: group, position: position))
    }
    changed.sort { $0.position < $1.position }
    modified = []
    if changed.isEmpty && rows.isEmpty { return ChangeSet() }
    return rows.changeSet(modified: changed, rows.moved(hasNewKeys: hasNewKeys.contains))
  }

  /// Passes on another part of the groups.
  private func changes(
    to shown: BoundQuery, _ delta: RowDelta, _ hasNewKeys: Set<Int>, _ reader: any ObjectReader
  ) -> RowChanges {
    let old = (0..<count).map(window.number)
    _ = window.changes(delta, reader)
    window = OrderedStage(order, shown.rowRange)
    let new = (0..<count).map(window.number)
    let kept = Set(old).intersection(new).subtracting(hasNewKeys)
    func others(_ groups: [Int]) -> [RowChanges.Row] {
      groups.enumerated().filter { !kept.contains($1) }.map {
        RowChanges.Row(number: $1, position: $0)
      }
    }
    return RowChanges(removed: others(old), added: others(new))
  }

  /// The values of some rows.
  func rows(at positions: Range<Int>) -> [GroupRow] {
    positions.clamped(to: 0..<count).compactMap { order.rows[window.number(at: $0)] }
  }

  /// The differences from groups that are made anew of the members.
  func violations(_ members: [ObjectNumber], _ reader: any ObjectReader) -> [String] {
    let expected = grouping.rows(of: members, reader)
    let found = rows(at: 0..<count)
    let isSame = expected.count == found.count && zip(expected, found).allSatisfy(grouping.areSame)
    return isSame ? [] : ["groups \(found.map(\.values)), not \(expected.map(\.values))"]
  }
}

/// Groups in their order, with the values that they are ordered by.
private final class GroupOrder: RowSequence {
  private let grouping: BoundGrouping
  private var sequence: [Int] = []
  /// The rows at the last change set.
  private(set) var rows: [Int: GroupRow] = [:]
  /// The rows that were touched since then, as they are now; nil where the group has no members.
  var present: [Int: GroupRow?] = [:]
  /// The rows that the sequence is ordered by.
  private var placed: [Int: GroupRow] = [:]

  init(_ grouping: BoundGrouping) { self.grouping = grouping }

  func begin(_ group: Int, _ row: GroupRow) {
    rows[group] = row
    placed[group] = row
    sequence.append(group)
  }

  func sort() {
    sequence.sort { isOrdered($0, before: $1) }
  }

  /// Makes the present rows those of the last change set.
  func settle(dropping gone: [Int]) {
    for (group, row) in present {
      rows[group] = row
      // Ordered by other columns than those that differ, it is where it was.
      if placed[group] != nil { placed[group] = row }
    }
    for group in gone { placed[group] = nil }
    present = [:]
  }

  private func isOrdered(_ a: Int, before b: Int) -> Bool {
    guard let left = placed[a], let right = placed[b] else { return false }
    return grouping.isOrdered(left, before: right)
  }

  var count: Int { sequence.count }

  func contains(_ group: Int) -> Bool { placed[group] != nil }

  func position(of group: Int) -> Int? {
    guard contains(group) else { return nil }
    return sequence.partitionPoint { isOrdered($0, before: group) }
  }

  func number(at position: Int) -> Int { sequence[position] }

  @discardableResult
  func insert(_ group: Int, _ reader: any ObjectReader) -> Int {
    placed[group] = (present[group] ?? nil) ?? rows[group]
    let position = sequence.partitionPoint { isOrdered($0, before: group) }
    sequence.insert(group, at: position)
    return position
  }

  func insert(contentsOf groups: [Int], _ reader: any ObjectReader) {
    for group in groups { insert(group, reader) }
  }

  @discardableResult
  func remove(_ group: Int) -> Int? {
    guard let position = position(of: group) else { return nil }
    sequence.remove(at: position)
    placed[group] = nil
    return position
  }

  func violations(_ reader: any ObjectReader) -> [String] {
    zip(sequence, sequence.dropFirst()).allSatisfy { isOrdered($0, before: $1) }
      ? [] : ["groups out of order"]
  }

  var byteCount: Int { sequence.capacity * MemoryLayout<Int>.stride }
}
