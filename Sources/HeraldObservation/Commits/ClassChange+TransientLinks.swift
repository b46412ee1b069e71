import HeraldModel

// Merged commits do not cancel out (observation 4.5): a link that one commit adds and a later one removes
// has changed the backlinks of its target, though neither version shows it. Links that the next commit
// leaves alone are found when the record is read; this file records the transient ones.

extension ClassChange {
  /// Records the transient links: those whose change `later`, the next record, reverts. Must be called
  /// before the two are merged. O(changes of `later`).
  mutating func noteTransientLinks(_ later: ClassChange) {
    for (property, targets) in later.relinked {
      relinked[property, default: []].formUnion(targets)
    }
    for (property, delta) in later.properties {
      switch delta {
      case .values(let values):
        for (number, between) in values { noteTransientLinks(between, number, property) }
      case .lists(let lists):
        for (number, list) in lists where created.contains(number) {
          relinked[property, default: []].formUnion(list.relinked)
        }
      case .sets(let sets):
        for (number, set) in sets { noteTransientLinks(set, number, property) }
      case .maps(let maps):
        for (number, map) in maps { noteTransientLinks(map, number, property) }
      }
    }
    for (number, object) in later.deleted { noteTransientLinks(object, number) }
  }

  private mutating func noteTransientLinks(_ target: Value, _ property: PropertyID) {
    target.forEachLink { relinked[property, default: []].insert($0) }
  }

  private mutating func noteTransientLinks(
    _ between: Value, _ number: ObjectNumber, _ property: PropertyID
  ) {
    if created.contains(number) {
      noteTransientLinks(between, property)
    } else if let first = self[property].values[number] {
      first.forEachLinkDifference(from: between) {
        relinked[property, default: []].insert($0)
      }
    }
  }

  private mutating func noteTransientLinks(
    _ later: SetDelta, _ number: ObjectNumber, _ property: PropertyID
  ) {
    let isCreated = created.contains(number)
    let earlier = self[property].sets[number]
    for value in later.removed where isCreated || earlier?.inserted.contains(value) == true {
      noteTransientLinks(value, property)
    }
    for value in later.inserted where earlier?.removed.contains(value) == true {
      noteTransientLinks(value, property)
    }
  }

  private mutating func noteTransientLinks(
    _ later: MapDelta, _ number: ObjectNumber, _ property: PropertyID
  ) {
    let isCreated = created.contains(number)
    let earlier = self[property].maps[number]
    later.forEachPreviousValue { key, between in
      let first = earlier?.previousValue(forKey: key)
      guard isCreated || first != nil || earlier?.inserted.contains(key) == true else { return }
      (first ?? .null).forEachLinkDifference(from: between) {
        relinked[property, default: []].insert($0)
      }
    }
    for key in later.inserted {
      if let first = earlier?.previousValue(forKey: key) { noteTransientLinks(first, property) }
    }
  }

  /// Records the objects that a deleted object linked to at its deletion, but not when the record began.
  private mutating func noteTransientLinks(_ object: DeletedObject, _ number: ObjectNumber) {
    for link in object.links
    where created.contains(number) || self[link.property].values[number] != nil {
      noteTransientLinks(.link(link.target), link.property)
    }
  }
}
