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
    if previous != nil { previous = nil }
    if !later.losses.isEmpty { merge(later.losses) }
    for (classID, change) in later.classes {
      classes[classID, default: ClassChange()].merge(change)
    }
    classes = classes.filter { !$0.value.isEmpty }
  }

  private mutating func merge(_ later: SchemaLosses) {
    losses.classes.formUnion(later.classes)
    for (classID, properties) in later.properties {
      losses.properties[classID, default: []].formUnion(properties)
      for property in properties {
        classes[classID]?.dropCollections(of: property)
      }
    }
  }
}

extension ClassChange {
  mutating func merge(_ later: ClassChange) {
    noteTransientLinks(later)
    for (property, delta) in later.properties { self[property].merge(delta, since: created) }
    for (number, object) in later.deleted { mergeDeletion(of: number, object) }
    for number in later.created.numbers { created.insert(number) }
    properties = properties.filter { !$0.value.isEmpty }
  }

  /// Drops the changes of a property's collections, which cannot be composed with later ones.
  fileprivate mutating func dropCollections(of property: PropertyID) {
    let values = self[property].values
    properties[property] = values.isEmpty ? nil : .values(values)
    relinked[property] = nil
  }

  private mutating func mergeDeletion(of number: ObjectNumber, _ object: DeletedObject) {
    if created.contains(number) {
      created.remove(number)
      return
    }
    var previous = object
    // Restores the values and links at the beginning of the record, where they changed before the
    // deletion.
    var links = Set(object.links)
    for property in Array(properties.keys) where self[property].contains(number) {
      properties[property]?.undo(property, of: number, in: &previous, &links)
    }
    previous.links = links.sorted()
    deleted[number] = previous
  }
}

extension PropertyDelta {
  /// Merges the later changes of objects that are not in `created`.
  fileprivate mutating func merge(_ later: PropertyDelta, since created: NumberRanges) {
    switch later {
    case .values(let later): values.merge(later, except: created) { _, _ in }
    case .lists(let later):
      lists.merge(later, except: created) { $0 = $0.composed(with: $1) }
      for number in later.keys {
        if let list = lists[number], list.isEmpty && !list.differs { lists[number] = nil }
      }
    case .sets(let later): sets.merge(later, except: created) { $0.merge($1) }
    case .maps(let later): maps.merge(later, except: created) { $0.merge($1) }
    }
  }

  /// Removes the changes of an object that is deleted later, and restores its values before them.
  fileprivate mutating func undo(
    _ property: PropertyID, of number: ObjectNumber, in object: inout DeletedObject,
    _ links: inout Set<OutgoingLink>
  ) {
    switch self {
    case .values:
      guard let first = values.removeValue(forKey: number) else { return }
      object.values[property] = first == .null ? nil : first
      // The links of a nested collection that are not known any more are relinked.
      guard first.nestedCollection == nil else { return }
      links = links.filter { $0.property != property }
      first.insertLinks(of: property, into: &links)
    case .lists:
      guard let change = lists.removeValue(forKey: number) else { return }
      for target in change.relinked {
        links.insert(OutgoingLink(property: property, target: target))
      }
      object.undo(property) { now in
        CollectionContents(elements: change.previous(now.elements).map { $0 ?? .null })
      }
    case .sets:
      guard let change = sets.removeValue(forKey: number) else { return }
      for value in change.removed { value.insertLinks(of: property, into: &links) }
      object.undo(property) { CollectionContents(elements: change.previous($0.elements)) }
    case .maps:
      guard let change = maps.removeValue(forKey: number) else { return }
      change.forEachPreviousValue { _, value in value.insertLinks(of: property, into: &links) }
      object.undo(property, change.previous)
    }
  }
}

extension Dictionary where Key == ObjectNumber {
  /// Adds later changes, each merged with the earlier one of the same object.
  fileprivate mutating func merge(
    _ later: Self, except created: NumberRanges, _ merge: (inout Value, Value) -> Void
  ) {
    for (number, change) in later where !created.contains(number) {
      if let index = index(forKey: number) {
        merge(&values[index], change)
      } else {
        self[number] = change
      }
    }
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
