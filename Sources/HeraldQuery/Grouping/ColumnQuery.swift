package import HeraldModel

/// The clauses after the braces of `group` and of columns: a query of rows of values, in the names of their columns.
///
///     group Dog by breed { n: @count } where n > 1 sort(n desc)
///
/// It is bound to a class that no store has, whose objects are the rows, with one property for each column.
package struct ColumnQuery: Sendable {
  package let query: BoundQuery
  package let names: [String]
  private let schema: Schema

  /// A name that no class of a store has.
  private static let className = "these rows"

  /// Binds clauses to rows with such columns. Variables and queries are read now.
  ///
  /// - Parameter orderedBy: of how many columns the values order the rows before any clause; none keeps their order.
  package static func bind(
    _ clauses: [QueryTail], to columns: [(name: String, element: ElementType?)],
    orderedBy keyCount: Int = 0, schema: Schema, names: any QueryNames, reader: any ObjectReader
  ) throws(QueryError) -> ColumnQuery {
    var extended = schema
    let rows = ClassSchema(
      id: schema.nextClass, name: className,
      properties: columns.enumerated().map { index, column in
        PropertySchema(
          id: PropertyID(UInt32(index + 1)), name: column.name,
          type: PropertyType(column.element ?? .any, isOptional: true))
      })
    extended.put(rows)
    let keys = rows.properties.prefix(keyCount).map { property in
      SortOrder.Key(
        path: PropertyPath(
          root: rows.id, steps: [PropertyPath.Step(rows.id, .property(property.id))]),
        isAscending: true)
    }
    var query = BoundQuery(
      classID: rows.id, stages: keys.isEmpty ? [] : [.sort(SortOrder(keys: keys))])
    for tail in clauses {
      query = query.followed(
        by: try BoundQuery.bind(
          tail, root: rows.id, schema: extended, names: names, reader: reader))
    }
    return ColumnQuery(query: query, names: columns.map(\.name), schema: extended)
  }

  /// The columns that it reads: which rows it passes on, and in which order, follows from their values.
  var readColumns: [Int] {
    let properties = query.dependencies.compactMap { path in
      if case .property(let property)? = path.steps.first?.kind { property } else { nil }
    }
    return Set(properties).map { Int($0.rawValue) - 1 }
  }

  /// Every row, in the order that they have.
  static let everything = ColumnQuery(
    query: BoundQuery(classID: ClassID(0)), names: [], schema: Schema())

  /// The columns of a class that is one of rows; nil for any other class.
  static func columns(of classID: ClassID, _ schema: Schema) -> [PropertySchema]? {
    guard let found = schema.classSchema(classID), found.name == className else { return nil }
    return found.properties
  }

  /// Returns which rows the query passes on, in order, as indices. O(rows · log rows).
  package func rows(of values: [[Value]], _ reader: any ObjectReader) -> [Int] {
    let query = query.atPresent(reader)
    if query.predicate.isAlways, query.stages.isEmpty { return Array(values.indices) }
    return query.rows(
      among: Array(1..<(values.count + 1)), self.reader(of: ListedRows(values), reader)
    ).map { $0 - 1 }
  }

  /// Returns a reader of rows as the objects of the query's class, and of all else from another reader.
  package func reader(of rows: any RowValues, _ reader: any ObjectReader) -> any ObjectReader {
    RowReader(rows, of: query.classID, schema, reader)
  }

  /// Whether a row has other values in the order of the query than it had in the one before.
  package func differ(
    _ old: [Value], in oldOrder: SortOrder, _ new: [Value], in order: SortOrder,
    _ reader: any ObjectReader
  ) -> Bool {
    let both = self.reader(of: ListedRows([old, new]), reader)
    return order.compare(oldOrder.keyValues(of: 1, both), order.keyValues(of: 2, both)) != 0
  }

  /// The same with the query bound again.
  func with(_ query: BoundQuery) -> ColumnQuery {
    ColumnQuery(query: query, names: names, schema: schema)
  }
}

private final class ListedRows: RowValues {
  private let rows: [[Value]]

  init(_ rows: [[Value]]) { self.rows = rows }

  var rowCount: Int { rows.count }

  func contains(_ row: Int) -> Bool { row > 0 && row <= rows.count }

  func value(_ column: Int, of row: Int) -> Value { rows[row - 1][column] }
}
