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
  /// What a commit that changed the schema replaced; nil for others, and for several merged.
  package var former: FormerSchema?

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

package struct OutgoingLink: Sendable, Hashable {
  package var property: PropertyID
  package var target: ObjectID

  package init(property: PropertyID, target: ObjectID) {
    self.property = property
    self.target = target
  }
}
