package import HeraldModel

/// The rows that a variable holds: those of a query, of all objects of its class or of a collection.
public struct VariableRows: Sendable {
  package let query: BoundQuery
  /// The owner and the property of the collection; nil for all objects.
  package let collection: (owner: ObjectID, property: String)?
  /// The query as one of the values of the collection; nil if the rows are objects.
  package let elements: ElementQuery?

  package init(_ query: BoundQuery, of collection: (owner: ObjectID, property: String)?) {
    self.query = query
    self.collection = collection
    elements = nil
  }

  package init(_ elements: ElementQuery, of collection: (owner: ObjectID, property: String)) {
    query = elements.query
    self.collection = collection
    self.elements = elements
  }

  /// The same with the query bound again, if it reads anything besides the rows.
  func atPresent(_ reader: any ObjectReader) -> VariableRows {
    let query = query.atPresent(reader)
    guard let elements, let collection else { return VariableRows(query, of: collection) }
    return VariableRows(elements.with(query), of: collection)
  }
}
