package import HeraldModel

/// The changes of one property, by object. The shape of the property decides the case.
package enum PropertyDelta: Sendable, Equatable {
  /// The objects whose single value changed, with the value before.
  case values([ObjectNumber: Value])
  case lists([ObjectNumber: ListDelta])
  /// An entry means that the set differs; an empty one, which only merged records can have, that it
  /// differed in between.
  case sets([ObjectNumber: SetDelta])
  case maps([ObjectNumber: MapDelta])
}

extension PropertyDelta {
  // Each of these replaces the entries of another shape when it is changed. Changes are made in place:
  // `self` is emptied first, so that the entries are uniquely referenced.

  package var values: [ObjectNumber: Value] {
    get { if case .values(let values) = self { values } else { [:] } }
    _modify {
      var values = self.values
      self = .values([:])
      defer { self = .values(values) }
      yield &values
    }
  }

  package var lists: [ObjectNumber: ListDelta] {
    get { if case .lists(let lists) = self { lists } else { [:] } }
    _modify {
      var lists = self.lists
      self = .values([:])
      defer { self = .lists(lists) }
      yield &lists
    }
  }

  package var sets: [ObjectNumber: SetDelta] {
    get { if case .sets(let sets) = self { sets } else { [:] } }
    _modify {
      var sets = self.sets
      self = .values([:])
      defer { self = .sets(sets) }
      yield &sets
    }
  }

  package var maps: [ObjectNumber: MapDelta] {
    get { if case .maps(let maps) = self { maps } else { [:] } }
    _modify {
      var maps = self.maps
      self = .values([:])
      defer { self = .maps(maps) }
      yield &maps
    }
  }

  package var isEmpty: Bool {
    switch self {
    case .values(let values): values.isEmpty
    case .lists(let lists): lists.isEmpty
    case .sets(let sets): sets.isEmpty
    case .maps(let maps): maps.isEmpty
    }
  }

  /// Whether there is an entry for an object.
  package func contains(_ number: ObjectNumber) -> Bool {
    switch self {
    case .values(let values): values[number] != nil
    case .lists(let lists): lists[number] != nil
    case .sets(let sets): sets[number] != nil
    case .maps(let maps): maps[number] != nil
    }
  }

  /// Removes the entry of an object.
  package mutating func remove(_ number: ObjectNumber) {
    guard contains(number) else { return }
    switch self {
    case .values: values[number] = nil
    case .lists: lists[number] = nil
    case .sets: sets[number] = nil
    case .maps: maps[number] = nil
    }
  }

  /// Calls `body` with the objects that have an entry.
  package func forEachNumber(_ body: (ObjectNumber) -> Void) {
    switch self {
    case .values(let values): values.keys.forEach(body)
    case .lists(let lists): lists.keys.forEach(body)
    case .sets(let sets): sets.keys.forEach(body)
    case .maps(let maps): maps.keys.forEach(body)
    }
  }

  /// Calls `body` with the objects whose value differs.
  func forEachObject(_ body: (ObjectNumber) -> Void) {
    switch self {
    case .values(let values): for number in values.keys { body(number) }
    case .lists(let lists): for (number, list) in lists where list.differs { body(number) }
    case .sets(let sets): for number in sets.keys { body(number) }
    case .maps(let maps): for number in maps.keys { body(number) }
    }
  }

  /// Calls `body` with the value of each object that has an entry, and whether that of the property
  /// differs. O(smaller count).
  func forEachEntry<Member>(in members: [ObjectNumber: Member], _ body: (Member, Bool) -> Void) {
    switch self {
    case .values(let values): values.forEachCommon(members) { body($1, true) }
    case .lists(let lists): lists.forEachCommon(members) { body($1, $0.differs) }
    case .sets(let sets): sets.forEachCommon(members) { body($1, true) }
    case .maps(let maps): maps.forEachCommon(members) { body($1, true) }
    }
  }
}

extension ClassChange {
  /// The changes of a property.
  package subscript(property: PropertyID) -> PropertyDelta {
    get { properties[property] ?? .values([:]) }
    _modify { yield &properties[property, default: .values([:])] }
  }

  /// Removes the entries of an object. O(properties).
  package mutating func forgetProperties(of number: ObjectNumber) {
    // By index: iterating over the dictionary would share its entries, and each removal would copy them all.
    var index = properties.startIndex
    while index != properties.endIndex {
      properties.values[index].remove(number)
      properties.formIndex(after: &index)
    }
  }

  // Each of these is one call for the writer, which calls them often and is in another module.

  /// Records the value of a property before a change, unless an earlier one is recorded. Returns whether
  /// it did.
  package mutating func note(_ old: Value, _ property: PropertyID, of number: ObjectNumber) -> Bool
  {
    if self[property].values[number] != nil { return false }
    self[property].values[number] = old
    return true
  }

  /// Calls `body` with the change of a list, which had `count` elements.
  package mutating func changeList(
    _ property: PropertyID, of number: ObjectNumber, count: Int,
    _ body: (inout ListDelta) -> Void
  ) {
    body(&self[property].lists[number, default: ListDelta(oldCount: count)])
  }

  package mutating func changeSet(
    _ property: PropertyID, of number: ObjectNumber, _ body: (inout SetDelta) -> Void
  ) {
    body(&self[property].sets[number, default: SetDelta()])
  }

  package mutating func changeMap(
    _ property: PropertyID, of number: ObjectNumber, _ body: (inout MapDelta) -> Void
  ) {
    body(&self[property].maps[number, default: MapDelta()])
  }

  /// Whether nothing changed.
  package var isEmpty: Bool {
    created.isEmpty && deleted.isEmpty && properties.values.allSatisfy(\.isEmpty)
      && relinked.isEmpty
  }

  /// Calls `body` with the objects that existed before and whose value of a property differs.
  func forEachObject(changing property: PropertyID, _ body: (ObjectNumber) -> Void) {
    properties[property]?.forEachObject(body)
  }

  /// Calls `body` with the objects that existed before and of which any property differs; some more than
  /// once.
  func forEachModified(_ body: (ObjectNumber) -> Void) {
    for delta in properties.values { delta.forEachObject(body) }
  }
}

extension Dictionary {
  /// Calls `body` with the values of each common key. O(smaller count).
  func forEachCommon<Other>(_ other: [Key: Other], _ body: (Value, Other) -> Void) {
    if count <= other.count {
      for (key, value) in self {
        if let found = other[key] { body(value, found) }
      }
    } else {
      for (key, value) in other {
        if let found = self[key] { body(found, value) }
      }
    }
  }
}
