import HeraldModel

/// The groups of the members of some blocks.
final class ColumnGroups {
  private var keys: [KeyNumbers]
  /// The number of a group by two numbers, those of the keys before and of one key: one table for each key but the first.
  private let pairs: [IntegerNumbers]
  private let totals: [any Accumulator]
  /// By group.
  private var memberCounts: [Int] = []

  /// - Parameter windows: For each key, integers that are numbered by their distance from the first.
  init(_ columns: GroupedColumns, _ windows: [IntegerNumbers.Window]) {
    keys = zip(columns.keys, windows).map { KeyNumbers($0.kind, $1) }
    pairs = columns.keys.dropFirst().map { _ in IntegerNumbers() }
    totals = columns.accumulators
  }

  /// The number of groups, if no value of a window is without members.
  var count: Int { pairs.last?.count ?? keys[0].count }

  private var capacity: Int { pairs.last?.count ?? keys[0].capacity }

  private func reserve(_ count: Int) {
    if memberCounts.count < count {
      memberCounts += repeatElement(0, count: count - memberCounts.count)
    }
    for total in totals { total.reserve(count) }
  }

  /// Adds the members of a block.
  func add(
    _ rows: BlockMask, _ columns: GroupedColumns, _ room: BlockRoom, _ column: (Int) -> BlockColumn
  ) {
    let (groups, further) = (room.groups, room.further)
    keys[0].number(column(columns.keys[0].column), rows, into: groups, room)
    for index in keys.indices.dropFirst() {
      keys[index].number(column(columns.keys[index].column), rows, into: further, room)
      let numbers = pairs[index - 1]
      rows.forEachBit { row in
        let number = numbers.number(of: Int(groups[row]) << 32 | Int(further[row]))
        groups[row] = UInt32(truncatingIfNeeded: number)
      }
    }
    reserve(capacity)
    memberCounts.withUnsafeMutableBufferPointer { counts in
      guard let counts = counts.baseAddress else { return }
      rows.forEachBit { counts[Int(groups[$0])] &+= 1 }
    }
    for (total, definition) in zip(totals, columns.totals) {
      guard let index = definition.column else { continue }
      column(index).withNumbers { total.add($0, rows, room) }
    }
  }

  /// Adds the groups of members that follow.
  func add(_ other: ColumnGroups) {
    var numbers = keys[0].numbers(of: other.keys[0])
    for index in keys.indices.dropFirst() {
      let further = keys[index].numbers(of: other.keys[index])
      let (here, there) = (pairs[index - 1], other.pairs[index - 1])
      numbers = (0..<there.count).map { number in
        let pair = there[number]
        return here.number(of: numbers[pair >> 32] << 32 | further[pair & 0xFFFF_FFFF])
      }
    }
    reserve(capacity)
    var groups: [(there: Int, here: Int)] = []
    for (there, here) in numbers.enumerated()
    where there < other.memberCounts.count && other.memberCounts[there] > 0 {
      groups.append((there, here))
      memberCounts[here] += other.memberCounts[there]
    }
    for (total, added) in zip(totals, other.totals) { total.add(added, groups) }
  }

  /// The rows of the groups, unordered.
  var rows: [GroupRow] {
    memberCounts.indices.compactMap { group in
      // A number that nil or a value of a window has, but no object.
      if memberCounts[group] == 0 { return nil }
      return GroupRow(
        key(group) + totals.map { $0.value(of: group, members: memberCounts[group]) })
    }
  }

  private func key(_ group: Int) -> [Value] {
    var values: [Value] = []
    var number = group
    for index in keys.indices.dropFirst().reversed() {
      let pair = pairs[index - 1][number]
      values.append(keys[index].value(pair & 0xFFFF_FFFF))
      number = pair >> 32
    }
    values.append(keys[0].value(number))
    return values.reversed()
  }
}
