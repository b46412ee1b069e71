package import HeraldModel

/// What one commit did, or what several in a row did together: net, complete, and all that the
/// observer engine, another process or a replica ever learns of it.
package struct CommitRecord: Sendable, Equatable {
  /// The first and the last version that the record leads to: equal for one commit.
  package var firstVersion: Int
  package var lastVersion: Int
  package var schemaChanged: Bool
  package var classes: [ClassID: ClassChange]

  package init(
    version: Int, schemaChanged: Bool = false, classes: [ClassID: ClassChange] = [:]
  ) {
    self.firstVersion = version
    self.lastVersion = version
    self.schemaChanged = schemaChanged
    self.classes = classes
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
  /// Likewise for sets and for maps.
  package var sets: [PropertyID: [ObjectNumber: SetChange]] = [:]
  package var maps: [PropertyID: [ObjectNumber: MapChange]] = [:]

  package init() {}
}

/// An object that went, with what can no longer be read of it.
package struct DeletedObject: Sendable, Equatable {
  /// Its primary key; nil where its class has none.
  package var key: Value
  /// Its single-valued properties as they were before, those that were nil left out.
  package var values: [PropertyID: Value]
  /// The links that it held (to objects other than those deleted with it too): property and target.
  package var links: [OutgoingLink]

  package init(
    key: Value, values: [PropertyID: Value] = [:], links: [OutgoingLink] = []
  ) {
    self.key = key
    self.values = values
    self.links = links
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
