import HeraldModel
import HeraldQuery

struct FormerPlace: Hashable {
  var object: ObjectID
  var property: PropertyID
}

/// What a collection held: its elements in order, and of a map their keys.
struct FormerContents {
  var elements: [Value] = []
  var keys: [String] = []
  /// The places of elements whose values the record does not say: there stands nil.
  var unsure: Set<Int> = []
  /// Not even how many there were is said: the elements are the objects that were linked to.
  var isUnsure = false
}

extension FormerReader {
  func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    if let change = change(object)?.lists[property]?[object.number] { return change.oldCount }
    guard let former = former(property, object) else {
      return base.listCount(property, of: object)
    }
    if former.isUnsure { hasGuessed = true }
    return former.elements.count
  }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    guard let former = former(property, object) else {
      return base.listElement(property, of: object, at: index)
    }
    if former.isUnsure || former.unsure.contains(index) { hasGuessed = true }
    return former.elements.indices.contains(index) ? former.elements[index] : .null
  }

  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String {
    guard let former = former(property, object) else {
      return base.mapKey(property, of: object, at: index)
    }
    if former.isUnsure { hasGuessed = true }
    return former.keys.indices.contains(index) ? former.keys[index] : ""
  }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    guard let former = former(property, object) else {
      return try base.forEachElement(property, of: object, body)
    }
    if former.isUnsure { hasGuessed = true }
    for (index, element) in former.elements.enumerated() {
      if former.unsure.contains(index) { hasGuessed = true }
      if try !body(element) { return }
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
    if isLost(property, of: origin) { hasGuessed = true }
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
    guard let former = former(property, object) else {
      return base.linkCount(from: number, origin: origin, property: property, to: target)
    }
    for element in former.elements {
      element.forEachLink { if $0 == target { count += 1 } }
    }
    if former.isUnsure && count > 0 || !former.unsure.isEmpty { hasGuessed = true }
    return count
  }
}

// MARK: - What is undone

extension FormerReader {
  /// Nil where the collection is as it was.
  private func former(_ property: PropertyID, _ object: ObjectID) -> FormerContents? {
    if isLost(property, of: object.classID) { hasGuessed = true }
    let place = FormerPlace(object: object, property: property)
    if let known = contents[place] { return known }
    guard let type = schema.classSchema(object.classID)?.property(property)?.type else {
      return nil
    }
    if let origin = schema.origin(of: type) {
      return record.classes[origin.classID] == nil
        ? nil : origins(of: object, origin.classID, origin.property.id)
    }
    let found = found(property, object, type)
    contents[place] = found
    return found
  }

  private func origins(
    of object: ObjectID, _ origin: ClassID, _ property: PropertyID
  ) -> FormerContents {
    var contents = FormerContents()
    forEachOrigin(of: object, origin: origin, property: property) { number, count in
      contents.elements += Array(repeating: .link(ObjectID(origin, number)), count: count)
      return true
    }
    return contents
  }

  private func found(
    _ property: PropertyID, _ object: ObjectID, _ type: PropertyType
  ) -> FormerContents? {
    guard let change = change(object) else { return nil }
    if change.created.contains(object.number) { return FormerContents() }
    if let deleted = change.deleted[object.number] { return contents(of: deleted, property, type) }
    if let list = change.lists[property]?[object.number] {
      return contents(before: list, property, object)
    }
    if let set = change.sets[property]?[object.number] {
      let kept = Set(current(property, object)).subtracting(set.inserted)
      return FormerContents(
        elements: kept.union(set.removed).sorted { Value.order($0, $1) < 0 })
    }
    if let map = change.maps[property]?[object.number] {
      return entries(before: map, property, object)
    }
    return nil
  }

  /// Of what an object held that went it is known to which objects it linked: that is all of a set of
  /// links, and says that a list of links was empty.
  private func contents(
    of deleted: DeletedObject, _ property: PropertyID, _ type: PropertyType
  ) -> FormerContents {
    let links = deleted.links.filter { $0.property == property }.map { Value.link($0.target) }
    var contents = FormerContents(elements: links)
    switch type.shape {
    case .set where type.target != nil:
      contents.elements.sort { Value.order($0, $1) < 0 }
      contents.isUnsure = !isOfOneCommit && !links.isEmpty
    case .list where type.target != nil: contents.isUnsure = !links.isEmpty
    case .single, .list, .set, .map, .backlinks: contents.isUnsure = true
    }
    return contents
  }

  private func current(_ property: PropertyID, _ object: ObjectID) -> [Value] {
    var elements: [Value] = []
    base.forEachElement(property, of: object) {
      elements.append($0)
      return true
    }
    return elements
  }

  private func contents(
    before list: ListChange, _ property: PropertyID, _ object: ObjectID
  ) -> FormerContents {
    let now = current(property, object)
    var former = [Value?](repeating: nil, count: list.oldCount)
    var place = 0
    for piece in list.pieces {
      if case .old(let start) = piece.source {
        for offset in 0..<piece.count {
          former[start + offset] = list.replaced[start + offset] ?? now[place + offset]
        }
      }
      place += piece.count
    }
    for element in list.taken { former[element.oldIndex] = element.value }
    return FormerContents(
      elements: former.map { $0 ?? .null },
      unsure: Set(former.indices.filter { former[$0] == nil }))
  }

  private func entries(
    before map: MapChange, _ property: PropertyID, _ object: ObjectID
  ) -> FormerContents {
    var entries: MapEntries = [:]
    for (index, value) in current(property, object).enumerated() {
      let key = base.mapKey(property, of: object, at: index)
      if !map.inserted.contains(key) { entries[key] = value }
    }
    map.forEachFormerValue { entries[$0] = $1 }
    let keys = entries.keys.inKeyOrder
    return FormerContents(elements: keys.map { entries[$0] ?? .null }, keys: keys)
  }
}
