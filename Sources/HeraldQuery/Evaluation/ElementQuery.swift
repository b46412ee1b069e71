package import HeraldModel

/// A query of the elements of a collection of values, in which `self` is the element.
///
/// It is bound to a class that no store has, whose objects are the elements, by their rows from 1, with one
/// property, `self`.
package struct ElementQuery: Sendable {
  package let query: BoundQuery
  private let schema: Schema

  /// The number of the property `self`.
  private static let property = PropertyID(1)

  /// Binds clauses to the elements of a collection. Variables and queries are read now.
  ///
  /// - Parameter name: the collection in messages.
  package static func bind(
    _ tail: QueryTail?, of element: ElementType, named name: String, schema: Schema,
    names: any QueryNames, reader: any ObjectReader
  ) throws(QueryError) -> ElementQuery {
    try bind(
      tail, of: element, named: name, schema: schema, names: names, reader: reader, notes: nil)
  }

  /// Binds a query that is part of another one, if there are `notes`.
  static func bind(
    _ tail: QueryTail?, of element: ElementType, named name: String, schema: Schema,
    names: any QueryNames, reader: any ObjectReader, notes: BindingNotes?
  ) throws(QueryError) -> ElementQuery {
    var extended = schema
    let elements = ClassSchema(
      id: schema.nextClass, name: name,
      properties: [
        PropertySchema(
          id: property, name: "self", type: PropertyType(element, isOptional: true))
      ])
    extended.put(elements)
    let query = try BoundQuery.bind(
      tail, root: elements.id, schema: extended, names: names, reader: reader, notes: notes)
    return ElementQuery(query: query, schema: extended)
  }

  /// Binds clauses to values that are in no collection of the store, whose type is that of all of them.
  package static func bind(
    _ tail: QueryTail?, ofValues values: [Value], named name: String, schema: Schema,
    names: any QueryNames, reader: any ObjectReader
  ) throws(QueryError) -> ElementQuery {
    try bind(
      tail, of: ElementType(ofAll: values), named: name, schema: schema, names: names,
      reader: reader)
  }

  /// Returns the rows of the elements that match, in the order of the query. O(values · log values).
  package func rows(_ values: [Value], _ reader: any ObjectReader) -> [Int] {
    let elements = self.reader(of: ElementValues(values), reader)
    return query.atPresent(reader).rows(among: Array(1..<(values.count + 1)), elements).map {
      $0 - 1
    }
  }

  /// Returns a reader of elements as the objects of the query's class, and of all else from another reader.
  package func reader(of elements: ElementValues, _ reader: any ObjectReader) -> any ObjectReader {
    RowReader(elements, of: query.classID, schema, reader)
  }

  /// Binds expressions over the elements. Variables and queries are read now.
  package func columns(
    _ columns: [ColumnSyntax], names: any QueryNames, reader: any ObjectReader
  ) throws(QueryError) -> BoundColumns {
    try BoundColumns.bind(
      columns, root: query.classID, schema: schema, names: names,
      reader: self.reader(of: ElementValues(), reader))
  }

  /// Binds a grouping of the elements that match. Variables and queries are read now.
  package func grouping(
    _ syntax: GroupSyntax, names: any QueryNames, reader: any ObjectReader
  ) throws(QueryError) -> BoundGrouping {
    try BoundGrouping.bind(
      syntax, of: query, schema: schema, names: names,
      reader: self.reader(of: ElementValues(), reader))
  }

  /// Returns the rows of groups of the elements that match. O(values · log values).
  package func groups(
    _ grouping: BoundGrouping, of values: [Value], _ reader: any ObjectReader
  ) -> [GroupRow] {
    let elements = self.reader(of: ElementValues(values), reader)
    let rows = query.atPresent(reader).rows(among: Array(1..<(values.count + 1)), elements)
    return grouping.rows(of: rows, elements)
  }

  /// Returns the values of such expressions for one element. Errors: as `BoundColumns.values` has them.
  package func values(
    _ columns: BoundColumns, of element: Value, _ reader: any ObjectReader
  ) throws(QueryError) -> [Value] {
    try columns.values(of: 1, self.reader(of: ElementValues([element]), reader))
  }

  /// The same with the query bound again.
  package func with(_ query: BoundQuery) -> ElementQuery {
    ElementQuery(query: query, schema: schema)
  }

  /// Returns the query of the rows of this one that match further clauses.
  package func followed(by later: ElementQuery) -> ElementQuery {
    ElementQuery(query: query.followed(by: later.query), schema: schema)
  }
}

/// The values of elements by number, from 1.
package final class ElementValues {
  fileprivate var values: [Value]
  private var free: [Int] = []

  package init(_ values: [Value] = []) { self.values = values }

  package subscript(number: Int) -> Value {
    get { values[number - 1] }
    set { values[number - 1] = newValue }
  }

  /// Adds a value and returns its number.
  package func add(_ value: Value) -> Int {
    if let number = free.popLast() {
      self[number] = value
      return number
    }
    values.append(value)
    return values.count
  }

  /// Removes values, whose numbers may be given again.
  package func remove(_ numbers: [Int]) {
    for number in numbers { self[number] = .null }
    free += numbers
  }
}

extension ElementValues: RowValues {
  package var rowCount: Int { values.count }

  package func contains(_ row: Int) -> Bool { row > 0 && row <= values.count }

  package func value(_ column: Int, of row: Int) -> Value { self[row] }
}
