package import HeraldModel

/// What one commit did, or what several in a row did together: net, complete, and all that the
/// observer engine, another process or a replica ever learns of it.
package struct CommitRecord: Sendable, Equatable {
  /// The first and the last version that the record leads to: equal for one commit.
  package var firstVersion: Int
  package var lastVersion: Int
  package var schemaChanged: Bool
  package var losses: SchemaLosses
  package var classes: [ClassID: ClassChange]

  package init(
    version: Int, schemaChanged: Bool = false, losses: SchemaLosses = SchemaLosses(),
    classes: [ClassID: ClassChange] = [:]
  ) {
    self.firstVersion = version
    self.lastVersion = version
    self.schemaChanged = schemaChanged
    self.losses = losses
    self.classes = classes
  }
}

/// What a change of the schema took from under the questions that were bound before it.
package struct SchemaLosses: Sendable, Equatable {
  /// Classes that were dropped.
  package var classes: Set<ClassID> = []
  /// Properties that were dropped, or whose type is another now.
  package var properties: [ClassID: Set<PropertyID>] = [:]

  package init() {}

  package var isEmpty: Bool { classes.isEmpty && properties.isEmpty }

  package func contains(_ property: PropertyID, of classID: ClassID) -> Bool {
    classes.contains(classID) || properties[classID]?.contains(property) ?? false
  }
}

/// The net change of one class: an object is in one of `created`, `deleted`, or (in any number of
/// properties) modified.
package struct ClassChange: Sendable, Equatable {
  /// Objects that exist now and did not before.
  package var created = NumberRanges()
  /// Objects that existed before and do not now.
  package var deleted: [ObjectNumber: DeletedObject] = [:]
  /// For each single-valued property: the objects whose value changed, with the value before.
  package var columns: [PropertyID: [ObjectNumber: Value]] = [:]
  /// For each list property: what was done to the lists, by owner.
  package var lists: [PropertyID: [ObjectNumber: ListChange]] = [:]
  /// Likewise for sets and for maps. An entry means that the collection differs; an empty one, which
  /// only several records together can have, that it differed in between.
  package var sets: [PropertyID: [ObjectNumber: SetChange]] = [:]
  package var maps: [PropertyID: [ObjectNumber: MapChange]] = [:]
  /// What was done inside values of any type, where more is known than that they differ.
  package var insides: [PropertyID: [ObjectNumber: InsideChange]] = [:]
  /// For each property: objects to which a link came and went, or went and came, between commits.
  /// The record of one commit has none.
  package internal(set) var passing: [PropertyID: Set<ObjectID>] = [:]

  package init() {}
}

/// An object that went, with what can no longer be read of it.
package struct DeletedObject: Sendable, Equatable {
  /// Its primary key; nil where its class has none.
  package var key: Value
  /// The links that it held, be it inside collections (to objects other than those deleted with it
  /// too): property and target.
  package var links: [OutgoingLink]
  /// Its single-valued properties that were not nil when the record began.
  package var values: [PropertyID: Value]
  /// Its collections that were not empty when the record began.
  package var collections: [PropertyID: CollectionContents]

  package init(
    key: Value, links: [OutgoingLink] = [], values: [PropertyID: Value] = [:],
    collections: [PropertyID: CollectionContents] = [:]
  ) {
    self.key = key
    self.links = links
    self.values = values
    self.collections = collections
  }
}

package struct OutgoingLink: Sendable, Hashable {
  package var property: PropertyID
  package var target: ObjectID

  package init(property: PropertyID, target: ObjectID) {
    self.property = property
    self.target = target
  }
}
