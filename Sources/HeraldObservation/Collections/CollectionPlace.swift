import HeraldModel
import HeraldQuery

/// Which collection is observed, and what the schema says of it.
struct CollectionPlace {
  /// The property whose links make up backlinks.
  struct Origin {
    var classID: ClassID
    var property: PropertyID
  }

  /// What its rows are.
  enum Element {
    /// Objects of a class.
    case objects(ClassID)
    /// Values of any type, links among them.
    case any
    case values
  }

  let owner: ObjectID
  let property: PropertyID
  /// Whether it is a list or a map inside a value that the property holds, and where there.
  let isInside: Bool
  let inside: [ValueStep]
  let shape: PropertyShape
  let element: Element
  /// Nil but for backlinks.
  let origin: Origin?

  init(
    _ owner: ObjectID, _ property: PropertyID, inside: [ValueStep]? = nil, _ schema: Schema
  ) {
    self.owner = owner
    self.property = property
    self.inside = inside ?? []
    isInside = inside != nil
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

extension CollectionPlace {
  /// The place as a schema that was changed has it, where it is of backlinks whose class was not
  /// declared before; nil where nothing is to be learned.
  func learned(_ schema: Schema) -> CollectionPlace? {
    guard shape.isBacklinks, origin == nil else { return nil }
    let place = CollectionPlace(owner, property, schema)
    return place.origin == nil ? nil : place
  }
}

extension CollectionPlace.Origin {
  /// Calls `body` for each object that existed before or exists now and may have gained or lost
  /// links; some more than once. O(changes of the class).
  private func forEachCandidate(_ change: ClassChange, _ body: (ObjectNumber) -> Void) {
    change.forEachObject(changing: property, body)
    for number in change.created.numbers { body(number) }
    for number in change.deleted.keys { body(number) }
  }

  /// The rows that went and came among `rows`, the origins of `target` in ascending order, an origin
  /// once for each of its links, and the new rows' origins. O(changes of the class · log rows).
  func shift(
    of rows: OrderedSequence, target: ObjectID, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> (shift: RowShift, inserted: [ObjectNumber]) {
    guard let change = changes.change(of: classID) else {
      return (RowShift(deletions: [], insertions: []), [])
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
      // Its place among the old rows, less those that went, and after those that came before it.
      let place = rows.partition { $0 <= number }
      let kept = place - deletions.lowerBound { $0 < place }
      for _ in 0..<links {
        insertions.append(kept + insertions.count)
        inserted.append(number)
      }
    }
    return (RowShift(deletions: deletions, insertions: insertions), inserted)
  }
}
