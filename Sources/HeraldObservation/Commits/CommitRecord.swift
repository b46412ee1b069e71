package import HeraldModel

/// The changes of one commit, or of several consecutive ones merged: net, complete, and the only source
/// of changes for the observer engine, another process or a replica. The values in it refer to nested
/// collections, whose changes are those of objects of hidden classes (`CommitRecord.whole`).
package struct CommitRecord: Sendable, Equatable {
  /// The first of the versions that the commits made; equal to `lastVersion` for one commit.
  package var firstVersion: Int
  package var lastVersion: Int
  package var schemaChanged: Bool
  package var classes: [ClassID: ClassChange]
  /// What only changes of the schema have, in an object of its own, since every record is copied several times.
  private var ofSchema: OfSchema?

  package init(
    version: Int, schemaChanged: Bool = false, losses: SchemaLosses = SchemaLosses(),
    classes: [ClassID: ClassChange] = [:]
  ) {
    self.firstVersion = version
    self.lastVersion = version
    self.schemaChanged = schemaChanged
    self.classes = classes
    if !losses.isEmpty { self.losses = losses }
  }

  package var losses: SchemaLosses {
    get { ofSchema?.losses ?? SchemaLosses() }
    set { ofSchema = OfSchema(newValue, former) }
  }

  /// What a commit that changed the schema replaced; nil for others, and for several merged.
  package var former: FormerSchema? {
    get { ofSchema?.former }
    set { ofSchema = OfSchema(losses, newValue) }
  }

  private final class OfSchema: Sendable, Equatable {
    let losses: SchemaLosses
    let former: FormerSchema?

    init?(_ losses: SchemaLosses, _ former: FormerSchema?) {
      if losses.isEmpty, former == nil { return nil }
      self.losses = losses
      self.former = former
    }

    static func == (a: OfSchema, b: OfSchema) -> Bool {
      a.losses == b.losses && a.former == b.former
    }
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
