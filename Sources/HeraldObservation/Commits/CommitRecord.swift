package import HeraldModel

/// The changes of one commit, or of several consecutive ones merged: net, complete, and the only source
/// of changes for the observer engine, another process or a replica. The values in it refer to nested
/// collections, whose changes are those of objects of hidden classes (`CommitRecord.whole`).
package struct CommitRecord: Sendable, Equatable {
  /// The first of the versions that the commits made; equal to `lastVersion` for one commit.
  package var firstVersion: Int
  package var lastVersion: Int
  package var schemaChanged: Bool
  private var content: Content
  /// What only changes of the schema have, in an object of its own, since every record is copied several times.
  private var ofSchema: OfSchema?

  package init(
    version: Int, schemaChanged: Bool = false, losses: SchemaLosses = SchemaLosses(),
    classes: [ClassID: ClassChange] = [:]
  ) {
    self.firstVersion = version
    self.lastVersion = version
    self.schemaChanged = schemaChanged
    content = .classes(classes)
    if !losses.isEmpty { self.losses = losses }
  }

  package init(version: Int, single: SingleChange) {
    firstVersion = version
    lastVersion = version
    schemaChanged = false
    content = .single(single)
  }

  private enum Content: Sendable {
    case classes([ClassID: ClassChange])
    /// Without the dictionaries, which would cost more than the rest of the commit's record.
    case single(SingleChange)
  }

  /// The net change of each class. Makes the dictionaries of a single change at each call: use `expand` first where
  /// it is read more than once.
  package var classes: [ClassID: ClassChange] {
    get {
      switch content {
      case .classes(let classes): classes
      case .single(let single): single.classes
      }
    }
    _modify {
      var classes = classes
      content = .classes([:])
      defer { content = .classes(classes) }
      yield &classes
    }
  }

  /// The only change, where it is kept without dictionaries.
  package var single: SingleChange? {
    guard case .single(let single) = content else { return nil }
    return single
  }

  /// Makes the dictionaries of a single change.
  package mutating func expand() {
    if case .single(let single) = content { content = .classes(single.classes) }
  }

  package static func == (a: CommitRecord, b: CommitRecord) -> Bool {
    a.firstVersion == b.firstVersion && a.lastVersion == b.lastVersion
      && a.schemaChanged == b.schemaChanged && a.classes == b.classes && a.ofSchema == b.ofSchema
  }

  package var losses: SchemaLosses {
    get { ofSchema?.losses ?? SchemaLosses() }
    set { ofSchema = OfSchema(newValue, previous) }
  }

  /// What a commit that changed the schema replaced; nil for others, and for several merged.
  package var previous: PreviousSchema? {
    get { ofSchema?.previous }
    set { ofSchema = OfSchema(losses, newValue) }
  }

  private final class OfSchema: Sendable, Equatable {
    let losses: SchemaLosses
    let previous: PreviousSchema?

    init?(_ losses: SchemaLosses, _ previous: PreviousSchema?) {
      if losses.isEmpty, previous == nil { return nil }
      self.losses = losses
      self.previous = previous
    }

    static func == (a: OfSchema, b: OfSchema) -> Bool {
      a.losses == b.losses && a.previous == b.previous
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

/// All that a commit changed, where that is one value, or the creation of objects whose numbers follow one another.
package final class SingleChange: Sendable {
  package enum Kind: Sendable {
    /// One property of an object that existed before, with its old value.
    case value(PropertyID, ObjectNumber, old: Value)
    case created(ClosedRange<ObjectNumber>)
  }

  package let classID: ClassID
  package let kind: Kind

  package init(_ classID: ClassID, _ kind: Kind) {
    self.classID = classID
    self.kind = kind
  }

  /// The same as a record of any change has it.
  package var classes: [ClassID: ClassChange] {
    var change = ClassChange()
    switch kind {
    case .value(let property, let number, let old):
      change.properties = [property: .values([number: old])]
    case .created(let numbers): change.created.insert(contentsOf: numbers)
    }
    return [classID: change]
  }
}
