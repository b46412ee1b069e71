import HeraldModel
import HeraldQuery

/// The identity of an observed collection, with what the schema says about it.
struct CollectionLocation {
  /// The property whose links make up backlinks.
  struct Origin {
    var classID: ClassID
    var property: PropertyID
  }

  /// The type of the rows.
  enum Element {
    /// Objects of a class.
    case objects(ClassID)
    /// Values of any type, which may hold links.
    case any
    case values
  }

  let owner: ObjectID
  let property: PropertyID
  let shape: PropertyShape
  let element: Element
  /// Nil except for backlinks.
  let origin: Origin?

  init(_ collection: ObjectProperty, _ schema: Schema) {
    owner = collection.object
    property = collection.property
    let type = schema.classSchema(owner.classID)?.property(property)?.type
    shape = type?.shape ?? .list
    origin = type.flatMap(schema.origin(of:)).map {
      Origin(classID: $0.classID, property: $0.property.id)
    }
    if let linked = type?.linkedClass {
      element = .objects(linked)
    } else {
      element = type?.element == .any ? .any : .values
    }
  }
}

extension CollectionLocation {
  /// Returns the collection resolved against a changed schema, for backlinks whose origin class was not
  /// declared before; nil where nothing changes.
  func learned(_ schema: Schema) -> CollectionLocation? {
    guard shape.isBacklinks, origin == nil else { return nil }
    let location = CollectionLocation(
      ObjectProperty(object: owner, property: property), schema)
    return location.origin == nil ? nil : location
  }
}

extension CollectionLocation.Origin {
  /// Calls `body` with each object, existing or deleted, that may have gained or lost links; some more
  /// than once. O(changes of the class).
  private func forEachCandidate(_ change: ClassChange, _ body: (ObjectNumber) -> Void) {
    change.forEachObject(changing: property, body)
    for number in change.created.numbers { body(number) }
    for number in change.deleted.keys { body(number) }
  }

  /// Returns the rows deleted from and inserted into `rows`, and the origins of the inserted ones. `rows`
  /// are the origins of `target` in ascending order, an origin once for each of its links. O(changes of
  /// the class · log rows).
  func changeSet(
    of rows: OrderedSequence, target: ObjectID, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> (changeSet: ChangeSet, inserted: [ObjectNumber]) {
    guard let change = changes.change(of: classID) else {
      return (ChangeSet(), [])
    }
    var candidates: Set<ObjectNumber> = []
    forEachCandidate(change) { candidates.insert($0) }
    var deletions: [Int] = []
    var gained: [(number: ObjectNumber, links: Int)] = []
    for number in candidates {
      let old = rows.positions(of: number)
      let new = reader.linkCount(
        from: number, origin: classID, property: property, to: target)
      if new < old.count { deletions.append(contentsOf: old[new...]) }
      if new > old.count { gained.append((number, new - old.count)) }
    }
    deletions.sort()
    gained.sort { $0.number < $1.number }
    var insertions: [Int] = []
    var inserted: [ObjectNumber] = []
    for (number, links) in gained {
      // Its position among the old rows, less the deletions before it.
      let position = rows.partition { $0 <= number }
      let kept = position - deletions.partitionPoint { $0 < position }
      for _ in 0..<links {
        insertions.append(kept + insertions.count)
        inserted.append(number)
      }
    }
    return (ChangeSet(deletions: deletions, insertions: insertions), inserted)
  }
}
