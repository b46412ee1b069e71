import HeraldModel

extension CommitRecord {
  /// Returns this record merged with `later`, which follows it. Creations and deletions cancel out,
  /// values that change back do not (observation 4.5). O(changes).
  package func merged(with later: CommitRecord) -> CommitRecord {
    var result = self
    result.merge(later)
    return result
  }

  package mutating func merge(_ later: CommitRecord) {
    precondition(later.firstVersion > lastVersion, "records are merged in order of versions")
    lastVersion = later.lastVersion
    schemaChanged = schemaChanged || later.schemaChanged
    merge(later.losses)
    for (classID, change) in later.classes {
      classes[classID, default: ClassChange()].merge(change)
    }
    classes = classes.filter { !$0.value.isEmpty }
  }

  /// Drops earlier changes of lost collections, which cannot be composed with later ones.
  private mutating func merge(_ later: SchemaLosses) {
    losses.classes.formUnion(later.classes)
    for (classID, properties) in later.properties {
      losses.properties[classID, default: []].formUnion(properties)
      for property in properties {
        classes[classID]?.lists[property] = nil
        classes[classID]?.sets[property] = nil
        classes[classID]?.maps[property] = nil
        classes[classID]?.insides[property] = nil
        classes[classID]?.transientLinks[property] = nil
      }
    }
  }
}

extension ClassChange {
  /// Whether nothing changed.
  package var isEmpty: Bool {
    created.isEmpty && deleted.isEmpty && columns.values.allSatisfy(\.isEmpty)
      && lists.values.allSatisfy(\.isEmpty) && sets.values.allSatisfy(\.isEmpty)
      && maps.values.allSatisfy(\.isEmpty) && insides.values.allSatisfy(\.isEmpty)
      && transientLinks.isEmpty
  }

  mutating func merge(_ later: ClassChange) {
    noteTransientLinks(later)
    mergeNestedChanges(later)
    for (property, values) in later.columns {
      for (number, value) in values where !created.contains(number) {
        let isFirst = columns[property]?[number] == nil
        if isFirst { columns[property, default: [:]][number] = value }
      }
    }
    for (property, changes) in later.lists {
      for (number, change) in changes where !created.contains(number) {
        merge(change, of: number, property)
      }
    }
    for (property, changes) in later.sets {
      for (number, change) in changes where !created.contains(number) {
        sets[property, default: [:]][number, default: SetChange()].merge(change)
      }
    }
    for (property, changes) in later.maps {
      for (number, change) in changes where !created.contains(number) {
        maps[property, default: [:]][number, default: MapChange()].merge(change)
      }
    }
    for (number, object) in later.deleted { mergeDeletion(of: number, object) }
    for number in later.created.numbers { created.insert(number) }
    columns = columns.filter { !$0.value.isEmpty }
    lists = lists.filter { !$0.value.isEmpty }
    sets = sets.filter { !$0.value.isEmpty }
    maps = maps.filter { !$0.value.isEmpty }
  }

  private mutating func merge(
    _ change: ListChange, of number: ObjectNumber, _ property: PropertyID
  ) {
    let composed = lists[property]?[number]?.composed(with: change) ?? change
    let isNothing = composed.isEmpty && !composed.differs
    lists[property, default: [:]][number] = isNothing ? nil : composed
  }

  private mutating func mergeDeletion(of number: ObjectNumber, _ object: DeletedObject) {
    if created.contains(number) {
      created.remove(number)
      return
    }
    forgetNestedChanges(of: number)
    var former = object
    // Restores the values and links at the beginning of the record, where they changed before the
    // deletion.
    var links = Set(object.links)
    for property in Array(columns.keys) {
      guard let first = columns[property]?.removeValue(forKey: number) else { continue }
      former.values[property] = first == .null ? nil : first
      links = links.filter { $0.property != property }
      first.insertLinks(of: property, into: &links)
    }
    for property in Array(lists.keys) {
      guard let change = lists[property]?.removeValue(forKey: number) else { continue }
      for target in change.relinked {
        links.insert(OutgoingLink(property: property, target: target))
      }
      former.undo(property) { now in
        CollectionContents(elements: change.former(now.elements).map { $0 ?? .null })
      }
    }
    for property in Array(sets.keys) {
      guard let change = sets[property]?.removeValue(forKey: number) else { continue }
      for value in change.removed { value.insertLinks(of: property, into: &links) }
      former.undo(property) { CollectionContents(elements: change.former($0.elements)) }
    }
    for property in Array(maps.keys) {
      guard let change = maps[property]?.removeValue(forKey: number) else { continue }
      change.forEachPreviousValue { _, value in value.insertLinks(of: property, into: &links) }
      former.undo(property, change.former)
    }
    former.links = links.sorted()
    deleted[number] = former
  }
}

extension Value {
  fileprivate func insertLinks(of property: PropertyID, into links: inout Set<OutgoingLink>) {
    forEachLink { links.insert(OutgoingLink(property: property, target: $0)) }
  }
}

extension OutgoingLink: Comparable {
  package static func < (a: OutgoingLink, b: OutgoingLink) -> Bool {
    (a.property, a.target) < (b.property, b.target)
  }
}
