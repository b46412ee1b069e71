import HeraldModel
import HeraldQuery

/// The live groups of observed members: which there are, their aggregates, and which of them are shown in which order.
///
/// A change of a member costs O(its values · log values), and one of a group O(log groups) comparisons.
final class GroupsView {
  /// The grouping, as it was bound last.
  private(set) var grouping: BoundGrouping
  private let table: GroupTable
  /// What each member contributes at the view's version.
  private var members: [Int: Member] = [:]
  private let rows: GroupRows
  /// The groups that the clauses after the braces pass on.
  private var view: ResultsView
  /// The groups whose aggregates differ, or that were empty and came back, since the last change set.
  private var modified: Set<Int> = []
  /// The groups that a change of members concerns.
  private var touched: Set<Int> = []
  /// Whether the grouping has been bound again since the last change set.
  private var isBoundAgain = false

  private struct Member {
    let object: ObjectNumber
    let group: Int
    /// The values of the keys, where there are equal ones in other forms.
    let key: [Value]
    let values: [Value]
  }

  /// - Parameter grouping: as it is bound at `reader`'s version.
  init(
    _ grouping: BoundGrouping, of found: [(member: Int, object: ObjectNumber)],
    _ reader: any ObjectReader
  ) {
    self.grouping = grouping
    table = GroupTable(grouping)
    rows = GroupRows()
    view = ResultsView(grouping.rows.query, grouping.rows.reader(of: rows, reader))
    if grouping.isWhole { _ = table.group([]) }
    for row in found { enter(row.member, row.object, reader) }
    for group in table.groups { rows.present[group] = table.row(group) }
    rows.settle()
    view = ResultsView(grouping.rows.query, grouping.rows.reader(of: rows, reader))
    touched = []
  }

  var count: Int { view.count }

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
  ///
  /// - Parameter bound: the grouping, if what it reads besides the members differs. O(members) if its keys read that.
  func endCommit(_ bound: BoundGrouping?, _ reader: any ObjectReader) {
    if let bound { follow(bound, reader) }
    for group in touched {
      let row = table.isEmpty(group) ? nil : table.row(group)
      let last = rows.present[group] ?? rows.shown[group]
      if !grouping.areSame(row, last) { modified.insert(group) }
      rows.present[group] = .some(row)
    }
    touched = []
  }

  private func follow(_ bound: BoundGrouping, _ reader: any ObjectReader) {
    grouping = bound
    table.grouping = bound
    isBoundAgain = true
    guard bound.hasKeysOfStore else { return }
    for (member, known) in members {
      leave(member)
      enter(member, known.object, reader)
    }
  }

  /// Returns what changed since the last call. O(changed groups · log groups); O(groups) where the clauses read something
  /// else than they did.
  func changeSet(_ reader: any ObjectReader) -> ChangeSet {
    var delta = RowDelta()
    var gone: [Int] = []
    for (group, row) in rows.present.sorted(by: { $0.key < $1.key }) {
      let number = GroupRows.number(of: group)
      switch (rows.shown[group], row) {
      case (nil, nil): table.drop(group)
      case (.some, nil):
        gone.append(group)
        delta.removed.append(number)
        modified.remove(group)
      case (nil, .some):
        delta.added.append(number)
        modified.remove(group)
      case (.some(let old), .some(let new)):
        if grouping.areSameToClauses(old, new) { continue }
        delta.removed.append(number)
        delta.added.append(number)
      }
    }
    let oldSort = view.order.sort
    let changes = advance(delta, grouping.rows.reader(of: rows, reader))
    let moved = changes.moved { number in
      rows.states(of: number).map {
        grouping.rows.differ($0.old, in: oldSort, $0.new, in: view.order.sort, reader)
      } ?? false
    }
    for group in gone { table.drop(group) }
    rows.settle()
    let changed = modified.compactMap { group in
      let number = GroupRows.number(of: group)
      return view.rows.position(of: number).map { RowChanges.Row(number: number, position: $0) }
    }
    modified = []
    if changed.isEmpty && changes.isEmpty { return ChangeSet() }
    return changes.changeSet(
      modified: changed.sorted { $0.position < $1.position }, moved)
  }

  /// Advances the shown groups over a change of all.
  private func advance(_ change: RowDelta, _ reader: any ObjectReader) -> RowChanges {
    let query = grouping.rows.query
    let replaced = Set(change.removed).intersection(change.added)
    defer { isBoundAgain = false }
    guard isBoundAgain else {
      return view.apply(
        RowDelta(
          removed: change.removed.filter(view.holds),
          added: change.added.filter { query.predicate.matches($0, reader) }), reader)
    }
    if view.query.hasSameStages(as: query) {
      return view.apply(
        view.exchange(query, RowDelta(), rekeyed: replaced, reader), reader)
    }
    let old = view
    view = ResultsView(query, reader)
    return view.changes(from: old, replaced: replaced)
  }

  /// The values of some rows.
  func rows(at positions: Range<Int>) -> [GroupRow] {
    positions.clamped(to: 0..<count).compactMap {
      rows.shown[GroupRows.group(of: view.rows.number(at: $0))]
    }
  }

  /// The differences from groups that are made anew of the members.
  func violations(_ members: [ObjectNumber], _ reader: any ObjectReader) -> [String] {
    let expected = grouping.rows(of: members, reader)
    let found = rows(at: 0..<count)
    let isSame = expected.count == found.count && zip(expected, found).allSatisfy(grouping.areSame)
    return view.violations(grouping.rows.reader(of: rows, reader))
      + (isSame ? [] : ["groups \(found.map(\.values)), not \(expected.map(\.values))"])
  }
}

/// The rows of groups, as the rows of a query: a group's row has the next higher number.
private final class GroupRows: RowValues {
  /// The rows at the last change set.
  private(set) var shown: [Int: GroupRow] = [:]
  /// The rows that were touched since then, as they are now; nil where the group has no members.
  var present: [Int: GroupRow?] = [:]
  private(set) var rowCount = 0

  static func number(of group: Int) -> Int { group + 1 }
  static func group(of number: Int) -> Int { number - 1 }

  /// Makes the present rows those of the last change set.
  func settle() {
    for (group, row) in present {
      shown[group] = row
      rowCount = max(rowCount, Self.number(of: group))
    }
    present = [:]
  }

  /// The values of a row at the last change set, and now; nil if it was not there, or is not.
  func states(of number: Int) -> (old: [Value], new: [Value])? {
    guard let old = shown[Self.group(of: number)], let new = row(number) else { return nil }
    return (old.values, new.values)
  }

  private func row(_ number: Int) -> GroupRow? {
    let group = Self.group(of: number)
    return present[group] ?? shown[group]
  }

  func contains(_ number: Int) -> Bool { row(number) != nil }

  func value(_ column: Int, of number: Int) -> Value { row(number)?.values[column] ?? .null }
}
