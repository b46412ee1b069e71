import HeraldModel
import HeraldObservation
import HeraldQuery

/// Finds what later commits did to the objects of a commit that is to be reverted.
final class UndoConflicts {
  /// Why an object keeps the commit from being reverted.
  enum Kind: CaseIterable {
    /// A later commit changed what the commit changed.
    case changed
    /// A later commit dropped or converted what the commit changed.
    case altered
    /// The object links to one that the commit added, since a later commit.
    case linking
    /// The object was added since, with the primary key of one that the commit deleted.
    case takingKey
    /// The object was deleted since, and the commit removed a link to it.
    case deletedTarget

    var reason: String {
      switch self {
      case .changed: "later commits changed the same objects"
      case .altered: "later commits dropped or converted what it changed"
      case .linking: "other objects link to those that it added"
      case .takingKey: "the primary keys of objects that it deleted are taken"
      case .deletedTarget: "objects to which it removed links are deleted"
      }
    }
  }

  private let record: CommitRecord
  /// The version before the commit.
  private let before: any ObjectReader
  private let now: TransactionReader
  private let later: [CommitRecord]
  private var objects: [Kind: Set<ObjectID>] = [:]

  init(
    _ record: CommitRecord, before: any ObjectReader, now: TransactionReader,
    _ later: [CommitRecord]
  ) {
    self.record = record
    self.before = before
    self.now = now
    self.later = later
  }

  /// Returns the objects that keep the commit from being reverted, of the first kind that has any; nil if none does.
  /// O(changes of all commits).
  func first() -> (kind: Kind, objects: [ObjectID])? {
    for (classID, change) in record.classes where !classID.isNested {
      for later in later { compare(classID, change, later) }
      if !now.layout.incoming(to: classID).isEmpty {
        for number in change.created.numbers { findLinks(to: ObjectID(classID, number)) }
      }
      if !change.deleted.isEmpty, let previous = before.schema.classSchema(classID) {
        findKeys(of: change.deleted, previous, created: change.created)
        for property in previous.properties where property.type.holdsForwardLinks {
          for number in change.deleted.keys {
            findMissing(through: property.id, of: ObjectID(classID, number))
          }
        }
      }
      for (property, delta) in change.properties {
        delta.forEachNumber { findMissing(through: property, of: ObjectID(classID, $0)) }
      }
    }
    for kind in Kind.allCases {
      if let objects = objects[kind] { return (kind, Set(objects.map(addressed)).sorted()) }
    }
    return nil
  }

  private func note(_ kind: Kind, _ object: ObjectID) { objects[kind, default: []].insert(object) }

  /// Returns the version that added the object of a conflict or deleted it; nil for other kinds.
  func version(of kind: Kind, _ object: ObjectID) -> Int? {
    let number = object.number
    return later.last { later in
      guard let change = later.classes[object.classID] else { return false }
      return switch kind {
      case .changed, .altered, .linking: false
      case .takingKey: change.created.contains(number)
      case .deletedTarget: change.deleted[number] != nil
      }
    }?.lastVersion
  }

  /// Returns the object or, if it is embedded, the object that owns it, since only that has a name.
  private func addressed(_ object: ObjectID) -> ObjectID {
    var object = object
    while let owner = owner(of: object, now) ?? owner(of: object, before) { object = owner }
    return object
  }

  private func owner(of object: ObjectID, _ reader: any ObjectReader) -> ObjectID? {
    guard reader.schema.classSchema(object.classID)?.isEmbedded ?? false, reader.exists(object)
    else { return nil }
    var owner: ObjectID?
    for classSchema in reader.schema.classes where owner == nil {
      for property in classSchema.properties
      where property.type.target == object.classID && !property.type.isBacklinks {
        reader.forEachOrigin(of: object, origin: classSchema.id, property: property.id) {
          number, _ in
          owner = ObjectID(classSchema.id, number)
          return false
        }
      }
    }
    return owner
  }

  /// The primary key that an object has, or had before the commit.
  func key(of object: ObjectID, _ classSchema: ClassSchema) -> Value {
    guard let key = classSchema.primaryKey else { return .int(object.number) }
    if now.exists(object) { return now.value(key.id, of: object) }
    if before.exists(object) { return before.value(key.id, of: object) }
    for later in later {
      if let deleted = later.classes[object.classID]?.deleted[object.number] { return deleted.key }
    }
    return .null
  }

  /// What a later commit changed of the same objects.
  private func compare(_ classID: ClassID, _ change: ClassChange, _ later: CommitRecord) {
    if later.losses.classes.contains(classID) {
      change.forEachNumber { note(.altered, ObjectID(classID, $0)) }
      return
    }
    guard let other = later.classes[classID] else { return noteLost(classID, change, later) }
    for number in other.deleted.keys
    where change.created.contains(number) || change.isModified(number) {
      note(.changed, ObjectID(classID, number))
    }
    for number in change.deleted.keys where other.created.contains(number) {
      note(.changed, ObjectID(classID, number))
    }
    for (property, delta) in other.properties {
      delta.forEachNumber { number in
        if change.created.contains(number) || change.properties[property]?.contains(number) ?? false
        {
          note(.changed, ObjectID(classID, number))
        }
      }
    }
    noteLost(classID, change, later)
  }

  /// Properties that were dropped or converted since.
  private func noteLost(_ classID: ClassID, _ change: ClassChange, _ later: CommitRecord) {
    guard let lost = later.losses.properties[classID] else { return }
    for number in change.deleted.keys { note(.altered, ObjectID(classID, number)) }
    for property in lost {
      change.properties[property]?.forEachNumber { note(.altered, ObjectID(classID, $0)) }
    }
  }

  /// Later links to an object that the commit created.
  private func findLinks(to object: ObjectID) {
    for incoming in now.layout.incoming(to: object.classID) {
      let change = record.classes[incoming.origin]
      now.forEachOrigin(of: object, origin: incoming.origin, property: incoming.property) {
        number, _ in
        let isOfCommit =
          change?.created.contains(number) ?? false
          || change?.properties[incoming.property]?.contains(number) ?? false
        if !isOfCommit { note(.linking, ObjectID(incoming.origin, number)) }
        return true
      }
    }
  }

  /// Objects that now have the primary keys of deleted ones.
  private func findKeys(
    of deleted: [ObjectNumber: DeletedObject], _ previous: ClassSchema, created: NumberRanges
  ) {
    guard let key = previous.primaryKey,
      now.schema.classSchema(previous.id)?.primaryKey?.id == key.id
    else { return }
    for object in deleted.values {
      guard let number = now.find(key.id, of: previous.id, equals: object.key),
        !created.contains(number)
      else { continue }
      note(.takingKey, ObjectID(previous.id, number))
    }
  }

  /// Objects to which a property linked before, and that were deleted since.
  private func findMissing(through property: PropertyID, of object: ObjectID) {
    guard let type = before.schema.classSchema(object.classID)?.property(property)?.type,
      type.holdsForwardLinks
    else { return }
    func check(_ value: Value) {
      value.forEachLink { target in
        let isRestored = record.classes[target.classID]?.deleted[target.number] != nil
        if !isRestored, !now.exists(target) { note(.deletedTarget, target) }
      }
    }
    guard type.shape != .single else { return check(before.value(property, of: object)) }
    before.forEachElement(property, of: object) {
      check($0)
      return true
    }
  }
}

extension ClassChange {
  fileprivate func isModified(_ number: ObjectNumber) -> Bool {
    properties.values.contains { $0.contains(number) }
  }

  fileprivate func forEachNumber(_ body: (ObjectNumber) -> Void) {
    created.forEach(body)
    deleted.keys.forEach(body)
    for delta in properties.values { delta.forEachNumber(body) }
  }
}
