package import HeraldModel

/// The groups of some members with what their aggregates need to follow members that come and go.
package final class GroupTable {
  private struct Group {
    /// The values of the paths, in the form that the first member has, in order of creation.
    var key: [Value]
    var memberCount = 0
    /// The member that `key` is of, where it may have several forms and no member is removed.
    var first = ObjectNumber.max
    /// The members by the form of their values, where it may have several and members may be removed.
    var forms = KeyForms()
  }

  /// May become the same one bound again.
  package var grouping: BoundGrouping
  /// The aggregates, by number of group.
  private let totals: [any Accumulator]
  /// Whether members with the same group may have keys in several forms.
  private let hasForms: Bool
  /// The groups by number; nil for one that was dropped, whose number is free.
  private var all: [Group?] = []
  private var free: [Int] = []
  private var numbers: [[Value]: Int] = [:]
  /// The numbers of groups by one path, which need no array for each member.
  private var numbersOfOne: [Value: Int] = [:]

  /// - Parameter isFollowed: Whether members may be removed: then every different value of a smallest or largest one is
  ///   kept.
  package init(_ grouping: BoundGrouping, isFollowed: Bool = true) {
    self.grouping = grouping
    totals = grouping.aggregates.map { $0.accumulator(isFollowed: isFollowed) }
    hasForms = grouping.hasForms
  }

  /// The numbers of all groups, unordered.
  package var groups: [Int] { all.indices.filter { all[$0] != nil } }

  /// Returns the number of the group with the values of the paths; a new one without members if there is none.
  package func group(_ key: [Value]) -> Int {
    if key.count == 1 { return group(key[0]) }
    let identity = key.map(\.groupKey)
    if let known = numbers[identity] { return known }
    let number = newGroup(key)
    numbers[identity] = number
    return number
  }

  private func group(_ value: Value) -> Int {
    let identity = value.groupKey
    if let known = numbersOfOne[identity] { return known }
    let number = newGroup([value])
    numbersOfOne[identity] = number
    return number
  }

  private func newGroup(_ key: [Value]) -> Int {
    if let number = free.popLast() {
      all[number] = Group(key: key)
      for total in totals { total.clear(number) }
      return number
    }
    all.append(Group(key: key))
    for total in totals { total.reserve(all.count) }
    return all.count - 1
  }

  /// Adds a member with the values of the paths and those that are aggregated.
  package func add(_ member: ObjectNumber, _ key: [Value], _ values: [Value], to group: Int) {
    all[group]?.memberCount += 1
    if hasForms, grouping.hasOtherForms(key) {
      all[group]?.forms.add(member, key)
      takeFirstForm(group)
    }
    for (total, value) in zip(totals, values) { total.add(value, to: group) }
  }

  /// Adds a member to its group.
  func add(_ member: ObjectNumber, _ reader: any ObjectReader) {
    let group: Int
    if grouping.keys.count == 1 {
      let value = grouping.keys.presentValue(ofColumn: 0, of: member, reader)
      group = self.group(value)
      if hasForms { note(member, [value], group) }
    } else {
      let key = grouping.keys.presentValues(of: member, reader)
      group = self.group(key)
      if hasForms { note(member, key, group) }
    }
    all[group]?.memberCount += 1
    for (total, aggregate) in zip(totals, grouping.aggregates) where aggregate.value != nil {
      total.add(aggregate.value(of: member, reader), to: group)
    }
  }

  /// Takes the form of a member's key for its group, if it is the first one so far in order of creation.
  private func note(_ member: ObjectNumber, _ key: @autoclosure () -> [Value], _ group: Int) {
    guard let first = all[group]?.first, member < first else { return }
    all[group]?.key = key()
    all[group]?.first = member
  }

  /// Removes a member that was added with these values.
  package func remove(
    _ member: ObjectNumber, _ key: [Value], _ values: [Value], from group: Int
  ) {
    all[group]?.memberCount -= 1
    if hasForms, grouping.hasOtherForms(key) {
      all[group]?.forms.remove(member, key)
      takeFirstForm(group)
    }
    for (total, value) in zip(totals, values) { total.remove(value, from: group) }
  }

  private func takeFirstForm(_ group: Int) {
    if let first = all[group]?.forms.first { all[group]?.key = first }
  }

  /// Whether a group is not there, having no members; the only one of all is.
  package func isEmpty(_ group: Int) -> Bool {
    if grouping.isWhole { return false }
    return group >= all.count || (all[group].map { $0.memberCount == 0 } ?? true)
  }

  /// Forgets a group without members; its number may become that of another.
  package func drop(_ group: Int) {
    guard let dropped = all[group] else { return }
    all[group] = nil
    free.append(group)
    if dropped.key.count == 1 {
      numbersOfOne[dropped.key[0].groupKey] = nil
    } else {
      numbers[dropped.key.map(\.groupKey)] = nil
    }
  }

  package func row(_ group: Int) -> GroupRow {
    guard let found = all[group] else { return GroupRow([]) }
    return GroupRow(
      found.key + totals.map { $0.value(of: group, members: found.memberCount) })
  }
}
