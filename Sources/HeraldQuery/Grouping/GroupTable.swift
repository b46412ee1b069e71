package import HeraldModel

/// The groups of some members with what their aggregates need to follow members that come and go.
package final class GroupTable {
  private struct Group {
    let key: [Value]
    var memberCount = 0
    var totals: [GroupTotal]
  }

  private let grouping: BoundGrouping
  private var all: [Int: Group] = [:]
  private var numbers: [[Value]: Int] = [:]
  private var nextNumber = 0

  package init(_ grouping: BoundGrouping) { self.grouping = grouping }

  /// The numbers of all groups, unordered.
  package var groups: [Int] { Array(all.keys) }

  /// Returns the number of the group with the values of the paths; a new one without members if there is none.
  package func group(_ key: [Value]) -> Int {
    let identity = key.map(\.groupKey)
    if let known = numbers[identity] { return known }
    let number = nextNumber
    nextNumber += 1
    numbers[identity] = number
    all[number] = Group(key: key, totals: grouping.aggregates.map(GroupTotal.init))
    return number
  }

  package func add(_ values: [Value], to group: Int) {
    all[group]?.memberCount += 1
    for (index, value) in values.enumerated() { all[group]?.totals[index].add(value) }
  }

  package func remove(_ values: [Value], from group: Int) {
    all[group]?.memberCount -= 1
    for (index, value) in values.enumerated() { all[group]?.totals[index].remove(value) }
  }

  package func isEmpty(_ group: Int) -> Bool { all[group].map { $0.memberCount == 0 } ?? true }

  /// Forgets a group without members.
  package func drop(_ group: Int) {
    guard let dropped = all.removeValue(forKey: group) else { return }
    numbers[dropped.key.map(\.groupKey)] = nil
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
    case integers(Int128)
    case doubles(ExactDoubleSum)
    case decimals(Decimal128)
    /// The different values with how often there are, ascending.
    case ordered([(value: Value, count: Int)])
  }

  private let operation: CollectionOperation
  private var state: State
  /// How many values there are, without nil.
  private var count = 0

  init(_ aggregate: BoundGrouping.Aggregate) {
    operation = aggregate.operation
    switch operation {
    case .count: state = .members
    case .min, .max: state = .ordered([])
    case .sum, .average:
      switch aggregate.element {
      case .int: state = .integers(0)
      case .decimal, .any: state = .decimals(.zero)
      case .float, .double, .bool, .string, .data, .date, .uuid, .objectID, .link:
        state = .doubles(ExactDoubleSum())
      }
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
      Self.change(&values, value, by: sign)
      state = .ordered(values)
    case .integers(let sum):
      guard case .int(let number) = value else { return }
      state = .integers(sum + Int128(sign) * Int128(number))
    case .doubles(var sum):
      guard let number = value.number else { return }
      state = .members
      if sign > 0 { sum.add(number.asDouble) } else { sum.subtract(number.asDouble) }
      state = .doubles(sum)
    case .decimals(let sum):
      guard let number = value.number, !number.isNaN else { return }
      let decimal = value.shortestDecimal
      state = .decimals(sign > 0 ? sum + decimal : sum - decimal)
    }
    count += sign
  }

  private static func change(
    _ values: inout [(value: Value, count: Int)], _ value: Value, by sign: Int
  ) {
    let index = values.partitionPoint { Value.order($0.value, value) < 0 }
    if index < values.count, Value.order(values[index].value, value) == 0 {
      values[index].count += sign
      if values[index].count == 0 { values.remove(at: index) }
    } else if sign > 0 {
      values.insert((value, 1), at: index)
    }
  }

  func value(ofMembers members: Int) -> Value {
    switch state {
    case .members: return .int(members)
    case .ordered(let values):
      return (operation == .min ? values.first : values.last)?.value ?? .null
    case .integers(let sum):
      if operation == .sum { return Int(exactly: sum).map { .int($0) } ?? .null }
      return count == 0 ? .null : .double(Double(sum) / Double(count))
    case .doubles(let sum):
      if operation == .sum { return .double(sum.value) }
      return count == 0 ? .null : .double(sum.value / Double(count))
    case .decimals(let sum):
      if operation == .sum { return .decimal(sum) }
      return count == 0 ? .null : .decimal(sum / Decimal128(count))
    }
  }
}
