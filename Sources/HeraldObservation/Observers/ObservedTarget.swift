package import HeraldModel
package import HeraldQuery

/// Which changes of an object are reported.
package enum ObjectFilter: Hashable, Sendable {
  /// Its own properties.
  case everything
  /// Those that a path matches; without paths only the deletion. An exclusive filter neither shares its
  /// matches with the other observers of the object nor receives theirs.
  case keyPaths([PropertyPath], isExclusive: Bool)
}

/// What an observer watches.
package enum ObservedTarget: Sendable {
  case store
  case object(ObjectID, ObjectFilter)
  case results(BoundQuery, RowFilter)
  /// A list, a set, a map or backlinks, according to the schema.
  case collection(owner: ObjectID, property: PropertyID, RowFilter)
  /// A list or a map nested in a value of any type. When the value no longer contains it, the deletion of
  /// its rows is reported, as if its owner were deleted.
  case nested(NestedPlace, RowFilter)
  /// One of the two, for a query of the elements: its reports come also when only what the query reads differs.
  indirect case elements(ObservedTarget, BoundQuery)
  /// The results of a query over a collection of links, in the collection's order unless a stage gives
  /// another; an object appears as often as the collection holds it. Replacing a list element by another
  /// object is a deletion and an insertion.
  case collectionResults(owner: ObjectID, property: PropertyID, BoundQuery, RowFilter)
  /// The groups of the rows of a query over all objects of its class, or over a collection of links.
  case groups(BoundGrouping, owner: ObjectID?, property: PropertyID?)
  /// The rows of a query in sections by the only key of its last stage, a sort.
  case sections(BoundQuery, owner: ObjectID?, property: PropertyID?, RowFilter)
  /// A value; with a condition, each time that this begins to hold.
  case value(BoundValue, when: ColumnQuery?)
  /// One property of one object, from version to version as the session is advanced. The writer reports
  /// the session's own writes.
  case property(ObjectID, PropertyID)
  /// The deletion of an object, reported under a name.
  case invalidated(ObjectID, name: String)
  /// A projection of an object. `keyPaths` are names of fields: nil for all, empty for the deletion
  /// alone.
  case projection(ObjectID, fields: [ProjectionField], keyPaths: [String]?)
}
