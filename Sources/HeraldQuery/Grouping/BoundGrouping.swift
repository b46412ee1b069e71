package import HeraldModel

/// A grouping bound to a schema: which members, by which expressions, with which aggregates, and which groups in which
/// order.
package final class BoundGrouping: Sendable {
  package struct Aggregate: Sendable {
    let operation: CollectionOperation
    /// What of each member is aggregated; nil for the number of members.
    let value: SortOrder.Key?
    let element: ElementType

    func accumulator(isFollowed: Bool) -> any Accumulator {
      operation.function.accumulator(of: element, isFollowed: isFollowed)
    }

    /// What a member contributes.
    func value(of member: ObjectNumber, _ reader: any ObjectReader) -> Value {
      value?.value(of: member, reader) ?? .null
    }
  }

  /// The members, in their class.
  package let query: BoundQuery
  /// The values of a member that are the key of its group.
  let keys: BoundColumns
  package let aggregates: [Aggregate]
  /// Which groups there are, in which order.
  package let rows: ColumnQuery
  /// The columns that the clauses after the braces read.
  let clauseColumns: [Int]

  init(
    query: BoundQuery, keys: BoundColumns, aggregates: [Aggregate], rows: ColumnQuery
  ) {
    self.query = query
    self.keys = keys
    self.aggregates = aggregates
    self.rows = rows
    clauseColumns = rows.readColumns
  }

  /// The names of the columns: of the keys, then of the aggregates.
  package var names: [String] { rows.names }

  /// What changes of a member concern its group.
  package var memberPaths: [PropertyPath] {
    keys.dependencies + aggregates.flatMap { $0.value?.dependencies ?? [] }
  }

  /// What it reads of the store besides the members.
  package var reads: [StoredRead] { keys.reads + rows.query.reads }

  /// Whether the groups of members may be others when it is bound again.
  package var hasKeysOfStore: Bool { !keys.reads.isEmpty }

  /// Returns the grouping with what it reads at a version. Errors: those of binding it.
  ///
  /// - Parameter known: the values of some of its reads, by their place in order.
  package func bound(
    at reader: any ObjectReader, _ known: [Int: Value] = [:]
  ) throws(QueryError) -> BoundGrouping {
    BoundGrouping(
      query: query, keys: try keys.boundAgain(reader, known) ?? keys, aggregates: aggregates,
      rows: rows.with(try rows.query.bound(at: reader, known.after(keys.reads))))
  }

  /// The same; if it cannot be bound any more, as it was bound last.
  package func atPresent(_ reader: any ObjectReader) -> BoundGrouping {
    reads.isEmpty ? self : (try? bound(at: reader)) ?? self
  }

  /// Whether each column holds numbers.
  package var areNumbers: [Bool] {
    keys.areNumbers + aggregates.map { $0.operation.function.type(of: $0.element).isNumber }
  }

  /// What a member contributes: the values of its key, and those that are aggregated.
  package func contribution(
    of member: ObjectNumber, _ reader: any ObjectReader
  ) -> (key: [Value], values: [Value]) {
    (keys.presentValues(of: member, reader), aggregates.map { $0.value(of: member, reader) })
  }

  /// Whether all members are one group, which is there without any, too.
  package var isWhole: Bool { keys.count == 0 }

  /// Returns the rows of groups of members.
  package func rows(of members: [ObjectNumber], _ reader: any ObjectReader) -> [GroupRow] {
    atPresent(reader).presentRows(of: members, reader)
  }

  private func presentRows(
    of members: [ObjectNumber], _ reader: any ObjectReader
  ) -> [GroupRow] {
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
    atPresent(reader).presentRows(of: members, reader)
  }

  private func presentRows(of members: BoundQuery, _ reader: any ObjectReader) -> [GroupRow] {
    if isWhole, let row = wholeRow(of: members, reader) { return inOrder([row], reader) }
    guard members.keepsEveryRow, let columns = ColumnGrouping(self, reader) else {
      return presentRows(of: members.rows(reader), reader)
    }
    return inOrder(columns.rows(of: members), reader)
  }

  /// The only row, of aggregates of whole columns; nil where something else is aggregated.
  private func wholeRow(of members: BoundQuery, _ reader: any ObjectReader) -> GroupRow? {
    if aggregates.contains(where: { $0.value?.isOfPath == false }) { return nil }
    return GroupRow(
      aggregates.map { aggregate in
        guard let path = aggregate.value?.path else { return .int(members.count(reader)) }
        return members.aggregate(aggregate.operation, at: path, of: aggregate.element, reader)
      })
  }

  private func inOrder(_ all: [GroupRow], _ reader: any ObjectReader) -> [GroupRow] {
    rows.rows(of: all.map(\.values), reader).map { all[$0] }
  }
}
