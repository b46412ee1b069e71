import HeraldModel
import HeraldQuery

/// The previous contents of a collection; elements whose values the record lacks are null, with their
/// indices in `unsure`.
struct PreviousContents {
  var held = CollectionContents()
  var unsure: Set<Int> = []
}

extension PreviousReader {
  func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    if let change = change(object)?[property].lists[object.number] { return change.oldCount }
    guard let former = formerContents(property, object) else {
      return base.listCount(property, of: object)
    }
    return former.held.elements.count
  }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    guard let contents = formerContents(property, object) else {
      return former(base.listElement(property, of: object, at: index))
    }
    if contents.unsure.contains(index) { hasReadUnknownValue = true }
    let elements = contents.held.elements
    return elements.indices.contains(index) ? former(elements[index]) : .null
  }

  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String {
    guard let former = formerContents(property, object) else {
      return base.mapKey(property, of: object, at: index)
    }
    return former.held.keys.indices.contains(index) ? former.held.keys[index] : ""
  }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    guard let contents = formerContents(property, object) else {
      return try base.forEachElement(property, of: object) { try body(former($0)) }
    }
    for (index, element) in contents.held.elements.enumerated() {
      if contents.unsure.contains(index) { hasReadUnknownValue = true }
      if try !body(former(element)) { return }
    }
  }

  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool
  ) rethrows {
    var links: [ObjectNumber: Int] = [:]
    base.forEachOrigin(of: target, origin: origin, property: property) { number, count in
      links[number] = count
      return true
    }
    if isLost(property, of: origin) { hasReadUnknownValue = true }
    if let change = record.classes[origin] {
      var changed = Set(change.deleted.keys).union(change.created.numbers)
      change.forEachObject(changing: property) { changed.insert($0) }
      for number in changed {
        let count = linkCount(from: number, origin: origin, property: property, to: target)
        links[number] = count > 0 ? count : nil
      }
    }
    for (number, count) in links.sorted(by: { $0.key < $1.key }) where try !body(number, count) {
      return
    }
  }

  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int {
    let object = ObjectID(origin, number)
    guard record.classes[origin] != nil,
      let type = schema.classSchema(origin)?.property(property)?.type
    else {
      return base.linkCount(from: number, origin: origin, property: property, to: target)
    }
    var count = 0
    if type.shape == .single {
      value(property, of: object).forEachLink { if $0 == target { count += 1 } }
      return count
    }
    guard let contents = formerContents(property, object) else {
      return base.linkCount(from: number, origin: origin, property: property, to: target)
    }
    for element in contents.held.elements {
      former(element).forEachLink { if $0 == target { count += 1 } }
    }
    if !contents.unsure.isEmpty { hasReadUnknownValue = true }
    return count
  }
}

// MARK: - Undoing changes

extension PreviousReader {
  /// Returns the previous contents; nil where the collection is unchanged.
  private func formerContents(_ property: PropertyID, _ object: ObjectID) -> PreviousContents? {
    if isLost(property, of: object.classID) { hasReadUnknownValue = true }
    let key = ObjectProperty(object: object, property: property)
    if let known = contents[key] { return known }
    guard let type = schema.classSchema(object.classID)?.property(property)?.type else {
      return nil
    }
    if let origin = schema.origin(of: type) {
      return record.classes[origin.classID] == nil
        ? nil : origins(of: object, origin.classID, origin.property.id)
    }
    let found = found(property, object)
    contents[key] = found
    return found
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

  private func found(_ property: PropertyID, _ object: ObjectID) -> PreviousContents? {
    let number = object.number
    guard let change = change(object) else { return nil }
    if change.created.contains(number) { return PreviousContents() }
    if let deleted = change.deleted[number] {
      return PreviousContents(held: deleted.collections[property] ?? CollectionContents())
    }
    guard let delta = change.properties[property], delta.contains(number) else { return nil }
    switch delta {
    case .values: return nil
    case .lists(let lists):
      let former = lists[number]?.former(base.contents(property, .list, of: object).elements) ?? []
      return PreviousContents(
        held: CollectionContents(elements: former.map { $0 ?? .null }),
        unsure: Set(former.indices.filter { former[$0] == nil }))
    case .sets(let sets):
      let former = sets[number]?.former(base.contents(property, .set, of: object).elements) ?? []
      return PreviousContents(held: CollectionContents(elements: former))
    case .maps(let maps):
      return maps[number].map {
        PreviousContents(held: $0.former(base.contents(property, .map, of: object)))
      }
    }
  }
}
