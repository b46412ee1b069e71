package import HeraldModel
import HeraldQuery
import Synchronization

/// The previous contents of a collection; elements whose values the record lacks are null, with their
/// indices in `unsure`.
struct PreviousContents: Sendable {
  var held = CollectionContents()
  var unsure: Set<Int> = []
}

extension PreviousReader {
  package func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    if previousObject(object, property) == nil,
      let change = change(object)?[property].lists[object.number]
    {
      return change.oldCount
    }
    guard let previous = previousContents(property, object) else {
      return base.listCount(property, of: object)
    }
    return previous.held.elements.count
  }

  package func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    guard let contents = previousContents(property, object) else {
      return previous(base.listElement(property, of: object, at: index))
    }
    if contents.unsure.contains(index) { hasReadUnknownValue = true }
    let elements = contents.held.elements
    return elements.indices.contains(index) ? previous(elements[index]) : .null
  }

  package func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String {
    guard let previous = previousContents(property, object) else {
      return base.mapKey(property, of: object, at: index)
    }
    return previous.held.keys.indices.contains(index) ? previous.held.keys[index] : ""
  }

  package func mapKeys(_ property: PropertyID, of object: ObjectID) -> [String] {
    previousContents(property, object)?.held.keys ?? base.mapKeys(property, of: object)
  }

  package func partition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (Value) -> Bool
  ) -> Int {
    guard let contents = previousContents(property, object) else {
      return base.partition(property, of: object) { isBefore(previous($0)) }
    }
    return contents.held.elements.partitionPoint { isBefore(previous($0)) }
  }

  package func keyPartition(
    _ property: PropertyID, of object: ObjectID, _ isBefore: (String) -> Bool
  ) -> Int {
    guard let contents = previousContents(property, object) else {
      return base.keyPartition(property, of: object, isBefore)
    }
    return contents.held.keys.partitionPoint(isBefore)
  }

  package func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    guard let contents = previousContents(property, object) else {
      return try base.forEachElement(property, of: object) { try body(previous($0)) }
    }
    for (index, element) in contents.held.elements.enumerated() {
      if contents.unsure.contains(index) { hasReadUnknownValue = true }
      if try !body(previous(element)) { return }
    }
  }

  package func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool
  ) rethrows {
    var links: [ObjectNumber: Int] = [:]
    if isLost(property, of: origin) {
      if record.previous?.isComplete != true { hasReadUnknownValue = true }
      for number in record.previous?.objects[origin]?.keys ?? [:].keys {
        let count = linkCount(from: number, origin: origin, property: property, to: target)
        if count > 0 { links[number] = count }
      }
    } else {
      base.forEachOrigin(of: target, origin: origin, property: property) { number, count in
        links[number] = count
        return true
      }
    }
    if record.classes[origin] != nil {
      let changed = changedLinks(property, of: origin)
      for number in links.keys where changed.origins.contains(number) { links[number] = nil }
      for (number, count) in changed.previous[target] ?? [:] { links[number] = count }
      if changed.isUnsure { hasReadUnknownValue = true }
    }
    for (number, count) in links.sorted(by: { $0.key < $1.key }) where try !body(number, count) {
      return
    }
  }

  /// Returns the previous links of the objects that the record changed; found once, O(changes).
  private func changedLinks(_ property: PropertyID, of origin: ClassID) -> ChangedLinks {
    if let known = links.withLock({ $0[ColumnKey(classID: origin, property: property)] }) {
      return known
    }
    var found = ChangedLinks()
    guard let change = record.classes[origin],
      let type = schema.classSchema(origin)?.property(property)?.type
    else { return found }
    found.origins = Set(change.deleted.keys).union(change.created.numbers)
    change.forEachObject(changing: property) { found.origins.insert($0) }
    // What is unknown is noted for each reader of the links, not only for the first.
    let hadReadUnknownValue = hasReadUnknownValue
    hasReadUnknownValue = false
    for number in found.origins
    where !change.created.contains(number) || change.deleted[number] != nil {
      forEachLink(of: ObjectID(origin, number), property, type.shape) { target in
        found.previous[target, default: [:]][number, default: 0] += 1
      }
    }
    found.isUnsure = hasReadUnknownValue
    if hadReadUnknownValue { hasReadUnknownValue = true }
    links.withLock { $0[ColumnKey(classID: origin, property: property)] = found }
    return found
  }

  package func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int {
    let object = ObjectID(origin, number)
    guard record.classes[origin] != nil || isLost(property, of: origin),
      let type = schema.classSchema(origin)?.property(property)?.type
    else {
      return base.linkCount(from: number, origin: origin, property: property, to: target)
    }
    var count = 0
    if type.shape == .single {
      value(property, of: object).forEachLink { if $0 == target { count += 1 } }
      return count
    }
    guard let contents = previousContents(property, object) else {
      return base.linkCount(from: number, origin: origin, property: property, to: target)
    }
    for element in contents.held.elements {
      previous(element).forEachLink { if $0 == target { count += 1 } }
    }
    if !contents.unsure.isEmpty { hasReadUnknownValue = true }
    return count
  }
}

// MARK: - Undoing changes

extension PreviousReader {
  /// Returns the previous contents; nil where the collection is unchanged.
  func previousContents(_ property: PropertyID, _ object: ObjectID) -> PreviousContents? {
    guard let type = schema.classSchema(object.classID)?.property(property)?.type else {
      return nil
    }
    return contents(ObjectProperty(object: object, property: property)) {
      if let origin = schema.origin(of: type) {
        return record.classes[origin.classID] == nil
          && !isLost(origin.property.id, of: origin.classID)
          ? nil : origins(of: object, origin.classID, origin.property.id)
      }
      return forwardContents(property, object)
    }
  }

  private func origins(
    of object: ObjectID, _ origin: ClassID, _ property: PropertyID
  ) -> PreviousContents {
    var contents = PreviousContents()
    forEachOrigin(of: object, origin: origin, property: property) { number, count in
      contents.held.elements += Array(repeating: .link(ObjectID(origin, number)), count: count)
      return true
    }
    return contents
  }

  /// The same of a collection that is not of backlinks.
  private func forwardContents(_ property: PropertyID, _ object: ObjectID) -> PreviousContents? {
    let number = object.number
    if let held = previousObject(object, property) {
      return PreviousContents(held: held.collections[property] ?? CollectionContents())
    }
    guard let change = change(object) else { return nil }
    if change.created.contains(number) { return PreviousContents() }
    guard let delta = change.properties[property], delta.contains(number) else { return nil }
    switch delta {
    case .values: return nil
    case .lists(let lists):
      let previous =
        lists[number]?.previous(base.contents(property, .list, of: object).elements) ?? []
      return PreviousContents(
        held: CollectionContents(elements: previous.map { $0 ?? .null }),
        unsure: Set(previous.indices.filter { previous[$0] == nil }))
    case .sets(let sets):
      let previous =
        sets[number]?.previous(base.contents(property, .set, of: object).elements) ?? []
      return PreviousContents(held: CollectionContents(elements: previous))
    case .maps(let maps):
      return maps[number].map {
        PreviousContents(held: $0.previous(base.contents(property, .map, of: object)))
      }
    }
  }
}
