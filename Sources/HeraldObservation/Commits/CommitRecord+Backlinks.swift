package import HeraldModel
package import HeraldQuery

extension CommitRecord {
  /// Returns the objects that gained or lost a link through `property` of `origin`; `reader` is at the
  /// record's last version. O(changed origins + changed links).
  ///
  /// `isNet`: leaves out objects to which one commit moved a link from one key of a map to another.
  package func backlinkChanges(
    through origin: ClassID, _ property: PropertyID, _ reader: any ObjectReader,
    isNet: Bool = false
  ) -> Set<ObjectID> {
    guard let change = classes[origin],
      let type = reader.schema.classSchema(origin)?.property(property)?.type, type.holdsForwardLinks
    else { return [] }
    var targets: Set<ObjectID> = []
    if !losses.contains(property, of: origin) {
      let isNet = isNet && firstVersion == lastVersion
      let before = PreviousReader(reader, before: self)
      change.forEachBacklinkChange(of: origin, property, reader, before, isNet: isNet) {
        targets.insert($0)
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

extension ClassChange {
  /// Calls `body` with the targets of links gained or lost by objects that exist before and after.
  fileprivate func forEachBacklinkChange(
    of classID: ClassID, _ property: PropertyID, _ reader: any ObjectReader,
    _ before: PreviousReader, isNet: Bool, _ body: (ObjectID) -> Void
  ) {
    relinked[property]?.forEach(body)
    switch self[property] {
    case .values(let values):
      let references = reader.references
      for (number, old) in values {
        let new = references.value(property, of: ObjectID(classID, number))
        // The objects that a nested collection gained or lost links to are relinked.
        if let collection = old.nestedCollection, new.nestedCollection == collection { continue }
        before.previous(old).forEachLinkDifference(from: reader.whole(new), body)
      }
    case .lists(let lists): for list in lists.values { list.relinked.forEach(body) }
    case .sets(let sets):
      for set in sets.values {
        // A nested value that lost a link to a deleted object keeps its others.
        Value.list(Array(set.removed)).forEachLinkDifference(
          from: .list(Array(set.inserted)), body)
      }
    case .maps(let maps):
      for (number, map) in maps {
        let owner = ObjectID(classID, number)
        map.forEachLinkChange(in: owner, property, reader, before, isNet: isNet, body)
      }
    }
  }
}

extension MapDelta {
  /// Calls `body` with the targets of links gained or lost, by key or, if `isNet`, by the whole map.
  fileprivate func forEachLinkChange(
    in owner: ObjectID, _ property: PropertyID, _ reader: any ObjectReader,
    _ before: PreviousReader, isNet: Bool, _ body: (ObjectID) -> Void
  ) {
    func value(_ key: String) -> Value {
      reader.mapValue(forKey: key, property, of: owner) ?? .null
    }
    if isNet {
      var (old, new): ([Value], [Value]) = ([], inserted.map(value))
      forEachPreviousValue { key, held in
        old.append(before.previous(held))
        new.append(value(key))
      }
      return Value.list(old).forEachLinkDifference(from: .list(new), body)
    }
    forEachPreviousValue { key, old in
      before.previous(old).forEachLinkDifference(from: value(key), body)
    }
    for key in inserted { value(key).forEachLink(body) }
  }
}

extension ObjectReader {
  /// Calls `body` with the objects that a property links to, in order, with duplicates.
  func forEachLink(
    of object: ObjectID, _ property: PropertyID, _ shape: PropertyShape,
    _ body: (ObjectID) -> Void
  ) {
    switch shape {
    case .single: value(property, of: object).forEachLink(body)
    case .list, .set, .map, .backlinks:
      forEachElement(property, of: object) { element in
        element.forEachLink(body)
        return true
      }
    }
  }
}
