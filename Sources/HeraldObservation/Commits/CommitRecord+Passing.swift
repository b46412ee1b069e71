import HeraldModel

// Commits are not compared end to end (observation 4.5): an origin that one commit gave an object and
// a later one took away has changed its backlinks, though nothing is left of it. What each commit does
// to links that the next leaves alone is found when the record is read; here is what the next undoes.

extension ClassChange {
  /// Notes the links that `later`, which follows, turns back. To be called before they are merged.
  /// O(changes of `later`).
  mutating func notePassing(_ later: ClassChange) {
    for (property, targets) in later.passing { passing[property, default: []].formUnion(targets) }
    for (property, values) in later.columns {
      for (number, between) in values { notePassing(between, number, property) }
    }
    for (property, changes) in later.lists {
      for (number, change) in changes where created.contains(number) {
        passing[property, default: []].formUnion(change.relinked)
      }
    }
    for (property, changes) in later.sets {
      for (number, change) in changes { notePassing(change, number, property) }
    }
    for (property, changes) in later.maps {
      for (number, change) in changes { notePassing(change, number, property) }
    }
    for (number, object) in later.deleted { notePassing(object, number) }
  }

  private mutating func notePassing(_ target: Value, _ property: PropertyID) {
    target.forEachLink { passing[property, default: []].insert($0) }
  }

  private mutating func notePassing(
    _ between: Value, _ number: ObjectNumber, _ property: PropertyID
  ) {
    if created.contains(number) {
      notePassing(between, property)
    } else if let first = columns[property]?[number] {
      first.forEachLinkDifference(from: between) { passing[property, default: []].insert($0) }
    }
  }

  private mutating func notePassing(
    _ later: SetChange, _ number: ObjectNumber, _ property: PropertyID
  ) {
    let isCreated = created.contains(number)
    let earlier = sets[property]?[number]
    for value in later.removed where isCreated || earlier?.inserted.contains(value) == true {
      notePassing(value, property)
    }
    for value in later.inserted where earlier?.removed.contains(value) == true {
      notePassing(value, property)
    }
  }

  private mutating func notePassing(
    _ later: MapChange, _ number: ObjectNumber, _ property: PropertyID
  ) {
    let isCreated = created.contains(number)
    let earlier = maps[property]?[number]
    later.forEachFormerValue { key, between in
      let first = earlier?.formerValue(forKey: key)
      guard isCreated || first != nil || earlier?.inserted.contains(key) == true else { return }
      (first ?? .null).forEachLinkDifference(from: between) {
        passing[property, default: []].insert($0)
      }
    }
    for key in later.inserted {
      if let first = earlier?.formerValue(forKey: key) { notePassing(first, property) }
    }
  }

  /// What an object linked to when it went and did not when the record began.
  private mutating func notePassing(_ object: DeletedObject, _ number: ObjectNumber) {
    for link in object.links
    where created.contains(number) || columns[link.property]?[number] != nil {
      notePassing(.link(link.target), link.property)
    }
  }
}
