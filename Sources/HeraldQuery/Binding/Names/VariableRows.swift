package import HeraldModel

/// The rows that a variable holds: those of a query, of all objects of its class or of a collection.
public struct VariableRows: Sendable {
  package let query: BoundQuery
  /// The owner and the property of the collection; nil for all objects.
  package let collection: (owner: ObjectID, property: String)?

  package init(_ query: BoundQuery, of collection: (owner: ObjectID, property: String)?) {
    self.query = query
    self.collection = collection
  }
}
