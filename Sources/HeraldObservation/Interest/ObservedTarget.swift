package import HeraldModel
package import HeraldQuery

/// Names one observer within its session; the order is that of registration.
package struct TokenID: Hashable, Comparable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static func < (a: TokenID, b: TokenID) -> Bool { a.rawValue < b.rawValue }
}

/// Which changes of objects make a row of a collection count as modified.
package enum RowFilter: Hashable, Sendable {
  /// The row's object, or any that it reaches over at most this many links, changed.
  case deep(limit: Int)
  /// A property on one of these paths from the row's object changed. Without paths no row is ever
  /// modified: insertions, deletions and replacements are still told.
  case keyPaths([PropertyPath])

  /// What an observer of a collection gets that asks for nothing else: four links.
  package static let standard = RowFilter.deep(limit: 4)
}

/// Which changes of an object are told.
package enum ObjectFilter: Hashable, Sendable {
  /// Its own properties.
  case everything
  /// Those that a path matches; without paths nothing but the deletion. An exclusive filter neither
  /// spreads to the other observers of the object nor receives from them.
  case keyPaths([PropertyPath], isExclusive: Bool)
}

/// What an observer watches.
package enum ObservedTarget: Sendable {
  case store
  case object(ObjectID, ObjectFilter)
  case results(BoundQuery, RowFilter)
  /// A list, a set, a map or backlinks, as the schema says.
  case collection(owner: ObjectID, property: PropertyID, RowFilter)
  /// A list or a map inside a value of any type, which it is as long as it stays there: told of the
  /// deletion of its rows, as if its owner went, when it does not.
  case inside(owner: ObjectID, property: PropertyID, [ValueStep], RowFilter)
  /// What a question leaves of a collection of links, in the order of the collection where no stage
  /// gives another; an object as often as it stands there. An element of a list that is replaced by
  /// another object is a row that went and one that came.
  case collectionResults(owner: ObjectID, property: PropertyID, BoundQuery, RowFilter)
  /// One property of one object, from version to version as the session is advanced. What the
  /// session itself writes is told by whoever writes it.
  case property(ObjectID, PropertyID)
  /// The end of an object, told under a name.
  case invalidated(ObjectID, name: String)
  /// A projection of an object. `keyPaths` are names of fields: nil for all, none for the deletion
  /// alone.
  case projection(ObjectID, fields: [ProjectionField], keyPaths: [String]?)
}
