package import HeraldModel

/// A grouping bound to a schema: which members, by which paths, with which aggregates, in which order.
package struct BoundGrouping: Sendable {
  package struct Aggregate: Sendable {
    let operation: CollectionOperation
    /// Nil for the number of members.
    let path: PropertyPath?
    let measure: ValueMeasure?
    let element: ElementType

    func accumulator(isFollowed: Bool) -> any Accumulator {
      operation.function.accumulator(of: element, isFollowed: isFollowed)
    }

    /// What a member contributes.
    func value(of member: ObjectNumber, _ reader: any ObjectReader) -> Value {
      path.map { measured(at: $0, measure, of: member, reader) } ?? .null
    }
  }

  /// The key of a member's group: a value, or what is derived from it.
  package struct Key: Sendable {
    let path: PropertyPath
    let measure: ValueMeasure?
    let element: ElementType?

    func value(of member: ObjectNumber, _ reader: any ObjectReader) -> Value {
      measured(at: path, measure, of: member, reader)
    }
  }

  /// A column that groups are sorted by: an index into the paths and then the aggregates.
  package struct SortKey: Sendable {
    let column: Int
    let isAscending: Bool
  }

  /// The members, in their class.
  package let query: BoundQuery
  package let names: [String]
  package let keys: [Key]
  package let aggregates: [Aggregate]
  let sort: [SortKey]
  /// No more than `limit` and `offset` of the groups, as stages of a query: which it is bound with.
  package let window: BoundQuery

  /// What changes of a member concern its group.
  package var memberPaths: [PropertyPath] { keys.map(\.path) + aggregates.compactMap(\.path) }

  /// Whether each column holds numbers.
  package var areNumbers: [Bool] {
    keys.map { $0.element?.isNumber ?? false }
      + aggregates.map { $0.operation.function.type(of: $0.element).isNumber }
  }

  /// What a member contributes: the values of its key, and those that are aggregated.
  package func contribution(
    of member: ObjectNumber, _ reader: any ObjectReader
  ) -> (key: [Value], values: [Value]) {
    (
      keys.map { $0.value(of: member, reader) }, aggregates.map { $0.value(of: member, reader) }
    )
  }

  /// Whether a row comes before another in the order of the groups. No two groups are equal in it.
  package func isOrdered(_ a: GroupRow, before b: GroupRow) -> Bool {
    for key in sort {
      let order = Value.order(a[key.column], b[key.column])
      if order != 0 { return key.isAscending ? order < 0 : order > 0 }
    }
    for column in keys.indices {
      let order = Value.order(a[column], b[column])
      if order != 0 { return order < 0 }
    }
    return false
  }

  /// Whether two states of a group are at different places in the order, or may be.
  package func differ(_ a: GroupRow, _ b: GroupRow) -> Bool {
    sort.contains { Value.order(a[$0.column], b[$0.column]) != 0 }
  }

  /// Whether all members are one group, which is there without any, too.
  package var isWhole: Bool { keys.isEmpty }

  /// Returns the rows of groups of members.
  package func rows(of members: [ObjectNumber], _ reader: any ObjectReader) -> [GroupRow] {
    let table = GroupTable(self, isFollowed: false)
    if isWhole { _ = table.group([]) }
    for (index, member) in members.enumerated() {
      if index % 256 == 0, reader.isInterrupted { return [] }
      table.add(member, reader)
    }
    return inOrder(table.groups.map { table.row($0) }, reader)
  }

  /// Returns the rows of groups of a query's objects: from whole columns, where these have what is needed.
  package func rows(of members: BoundQuery, _ reader: any ObjectReader) -> [GroupRow] {
    if isWhole, let row = wholeRow(of: members, reader) { return inOrder([row], reader) }
    guard members.keepsEveryRow, let columns = ColumnGrouping(self, reader) else {
      return rows(of: members.rows(reader), reader)
    }
    return inOrder(columns.rows(of: members), reader)
  }

  /// The only row, of aggregates of whole columns; nil where something else is aggregated.
  private func wholeRow(of members: BoundQuery, _ reader: any ObjectReader) -> GroupRow? {
    if aggregates.contains(where: { $0.measure != nil }) { return nil }
    return GroupRow(
      aggregates.map { aggregate in
        guard let path = aggregate.path else { return .int(members.count(reader)) }
        return members.aggregate(aggregate.operation, at: path, of: aggregate.element, reader)
      })
  }

  private func inOrder(_ rows: [GroupRow], _ reader: any ObjectReader) -> [GroupRow] {
    let shown = window.atPresent(reader).rowRange
    return Array(rows.sorted(by: isOrdered).dropFirst(shown.lowerBound).prefix(shown.count))
  }
}

extension BoundQuery {
  /// The positions that its limits and offsets pass on, of any number of rows.
  package var rowRange: Range<Int> {
    stages.reduce(0..<Int.max) { rows, stage in
      if case .offset(let offset) = stage { return rows.dropFirst(offset) }
      if case .limit(let limit) = stage { return rows.prefix(limit) }
      return rows
    }
  }
}

/// The value at the end of a path, or what is derived from it.
private func measured(
  at path: PropertyPath, _ measure: ValueMeasure?, of member: ObjectNumber,
  _ reader: any ObjectReader
) -> Value {
  let value = value(at: path, of: member, reader)
  return measure?.apply(to: value) ?? value
}
