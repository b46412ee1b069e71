package import HeraldModel
package import HeraldQuery

extension CommitRecord {
  /// The objects that gained or lost a link through `property` of `origin`, in `reader`'s version.
  /// O(changed origins and the links that changed).
  package func backlinkChanges(
    through origin: ClassID, _ property: PropertyID, _ reader: any ObjectReader
  ) -> Set<ObjectID> {
    guard let change = classes[origin],
      let type = reader.schema.classSchema(origin)?.property(property)?.type, type.target != nil
    else { return [] }
    var targets: Set<ObjectID> = []
    for (number, old) in change.columns[property] ?? [:] {
      targets.insertLink(old)
      targets.insertLink(reader.value(property, of: ObjectID(origin, number)))
    }
    for (number, list) in change.lists[property] ?? [:] where list.differs {
      targets.formUnion(list.removedLinks)
      list.forEachNewIndex { index in
        targets.insertLink(
          reader.listElement(property, of: ObjectID(origin, number), at: index))
      }
    }
    for number in change.created.numbers {
      reader.forEachLink(of: ObjectID(origin, number), property, type.shape) { target in
        targets.insert(target)
      }
    }
    for object in change.deleted.values {
      for link in object.links where link.property == property { targets.insert(link.target) }
    }
    return targets
  }
}

extension Set<ObjectID> {
  fileprivate mutating func insertLink(_ value: Value) {
    if case .link(let target) = value { insert(target) }
  }
}

extension ObjectReader {
  /// The objects that a link or a list of links leads to, in order, duplicates included.
  func forEachLink(
    of object: ObjectID, _ property: PropertyID, _ shape: PropertyShape,
    _ body: (ObjectID) -> Void
  ) {
    switch shape {
    case .single:
      if case .link(let target) = value(property, of: object) { body(target) }
    case .list:
      forEachElement(property, of: object) { element in
        if case .link(let target) = element { body(target) }
        return true
      }
    }
  }
}

extension ListChange {
  /// The new indices of what the list did not hold before: fresh elements and replaced ones.
  func forEachNewIndex(_ body: (Int) -> Void) {
    var place = 0
    for piece in pieces {
      switch piece.source {
      case .fresh:
        for index in place..<place + piece.count { body(index) }
      case .old(let start):
        for oldIndex in replaced.keys where (start..<start + piece.count).contains(oldIndex) {
          body(place + oldIndex - start)
        }
      }
      place += piece.count
    }
  }
}
