package import HeraldModel

/// The changes of one commit, or of several consecutive ones merged: net, complete, and the only source
/// of changes for the observer engine, another process or a replica. The values in it refer to nested
/// collections, whose changes are those of objects of hidden classes (`CommitRecord.whole`).
package struct CommitRecord: Sendable, Equatable {
  /// The first of the versions that the commits made; equal to `lastVersion` for one commit.
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

/// What a schema change removed that queries bound before it may depend on.
package struct SchemaLosses: Sendable, Equatable {
  /// Classes that were dropped.
  package var classes: Set<ClassID> = []
  /// Properties that were dropped or changed their type.
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
  /// The modified properties.
  package var properties: [PropertyID: PropertyDelta] = [:]
  /// For each property of type `any`: the objects to which one of its commits added links, or removed them.
  /// For others: the targets of transient links, which one merged commit added and another removed, or the
  /// reverse.
  package var relinked: [PropertyID: Set<ObjectID>] = [:]

  package init() {}
}

/// The before-image of a deleted object.
package struct DeletedObject: Sendable, Equatable {
  /// Its primary key; null where its class has none.
  package var key: Value
  /// Its links, those in collections included, as property and target; also links to objects that the
  /// same commit deleted.
  package var links: [OutgoingLink]
  /// Its single-valued properties that were not null when the record began.
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
