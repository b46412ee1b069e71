package import HeraldModel

/// The groups of some members with what their aggregates need to follow members that come and go.
package final class GroupTable {
  private struct Group {
    /// The values of the paths, in the form that the first member has, in order of creation.
    var key: [Value]
    var memberCount = 0
    var totals: [GroupTotal]
    /// The member that `key` is of, where it may have several forms and no member is removed.
    var first = ObjectNumber.max
    /// The members by the form of their values, where it may have several and members may be removed.
    var forms = KeyForms()
  }

  private let grouping: BoundGrouping
  /// Whether members may be removed.
  private let isFollowed: Bool
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
    self.isFollowed = isFollowed
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
    let group = Group(
      key: key,
      totals: grouping.aggregates.map { GroupTotal($0, isFollowed: isFollowed) })
    if let number = free.popLast() {
      all[number] = group
      return number
    }
    all.append(group)
    return all.count - 1
  }

  /// Adds a member with the values of the paths and those that are aggregated.
  package func add(_ member: ObjectNumber, _ key: [Value], _ values: [Value], to group: Int) {
    all[group]?.memberCount += 1
    if hasForms, grouping.hasOtherForms(key) {
      all[group]?.forms.add(member, key)
      takeFirstForm(group)
    }
    for (index, value) in values.enumerated() { all[group]?.totals[index].add(value) }
  }

  /// Adds a member to its group.
  func add(_ member: ObjectNumber, _ reader: any ObjectReader) {
    let keys = grouping.keys
    let group: Int
    if keys.count == 1 {
      let value = keys[0].value(of: member, reader)
      group = self.group(value)
      if hasForms { note(member, [value], group) }
    } else {
      let values = keys.map { $0.value(of: member, reader) }
      group = self.group(values)
      if hasForms { note(member, values, group) }
    }
    all[group]?.memberCount += 1
    for (index, aggregate) in grouping.aggregates.enumerated() where aggregate.path != nil {
      all[group]?.totals[index].add(aggregate.value(of: member, reader))
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
    for (index, value) in values.enumerated() { all[group]?.totals[index].remove(value) }
  }

  private func takeFirstForm(_ group: Int) {
    if let first = all[group]?.forms.first { all[group]?.key = first }
  }

  package func isEmpty(_ group: Int) -> Bool {
    group >= all.count || (all[group].map { $0.memberCount == 0 } ?? true)
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
    guard let group = all[group] else { return GroupRow([]) }
    return GroupRow(
      group.key + group.totals.map { $0.value(ofMembers: group.memberCount) })
  }
}

/// What one aggregate of a group needs of its members.
private struct GroupTotal {
  private enum State {
    case members
    case sum(ExactSum)
    /// The smallest or the largest value so far, of values that are never removed.
    case extreme(Value)
    case ordered(OrderedValues)
  }

  private let operation: CollectionOperation
  private var state: State

  init(_ aggregate: BoundGrouping.Aggregate, isFollowed: Bool) {
    operation = aggregate.operation
    switch operation {
    case .count: state = .members
    case .min, .max: state = isFollowed ? .ordered(OrderedValues()) : .extreme(.null)
    case .sum, .average: state = .sum(ExactSum(of: aggregate.element))
    }
  }

  mutating func add(_ value: Value) { change(value, by: 1) }
  mutating func remove(_ value: Value) { change(value, by: -1) }

  private mutating func change(_ value: Value, by sign: Int) {
    if value.isNull { return }
    switch state {
    case .members: return
    case .ordered(var values):
      if value.number?.isNaN ?? false { return }
      state = .members
      if sign > 0 { values.add(value) } else { values.remove(value) }
      state = .ordered(values)
    case .extreme(let best):
      if value.number?.isNaN ?? false { return }
      let order = best.isNull ? 0 : Value.order(value, best)
      if best.isNull || operation == .min && order < 0 || operation == .max && order > 0 {
        state = .extreme(value)
      }
    case .sum(var sum):
      state = .members
      if sign > 0 { sum.add(value) } else { sum.remove(value) }
      state = .sum(sum)
    }
  }

  func value(ofMembers members: Int) -> Value {
    switch state {
    case .members: return .int(members)
    case .extreme(let value): return value
    case .ordered(let values):
      return (operation == .min ? values.first : values.last) ?? .null
    case .sum(let sum): return operation == .sum ? sum.sum : sum.average
    }
  }
}
