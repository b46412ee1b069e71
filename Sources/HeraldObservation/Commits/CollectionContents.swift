package import HeraldModel
package import HeraldQuery

/// What a collection holds in one version.
package struct CollectionContents: Sendable, Equatable {
  /// In the collection's order.
  package var elements: [Value]
  /// Of a map, one for each element; none of a list or a set.
  package var keys: [String]

  package init(elements: [Value] = [], keys: [String] = []) {
    self.elements = elements
    self.keys = keys
  }

  /// The value under a key of a map.
  func value(forKey key: String) -> Value? {
    keys.firstIndex { $0.hasSameBytes(as: key) }.map { elements[$0] }
  }
}

// MARK: - What changes undo

extension ListChange {
  /// The elements before the change; nil where nobody noted what was taken. O(both lists).
  func former(_ now: [Value]) -> [Value?] {
    var former = [Value?](repeating: nil, count: oldCount)
    guard now.count == newCount else { return former }
    var place = 0
    for piece in pieces {
      if case .old(let start) = piece.source {
        for offset in 0..<piece.count {
          former[start + offset] = replaced[start + offset] ?? now[place + offset]
        }
      }
      place += piece.count
    }
    for element in taken { former[element.oldIndex] = element.value }
    return former
  }
}

extension SetChange {
  /// The elements before the change, in order. O(n log n).
  func former(_ now: [Value]) -> [Value] {
    Set(now).subtracting(inserted).union(removed).sorted { Value.order($0, $1) < 0 }
  }
}

extension MapChange {
  /// The entries before the change, in key order. O(n log n).
  func former(_ now: CollectionContents) -> CollectionContents {
    var entries: MapEntries = [:]
    for (key, value) in zip(now.keys, now.elements) where !inserted.contains(key) {
      entries[key] = value
    }
    forEachFormerValue { entries[$0] = $1 }
    let keys = entries.keys.inKeyOrder
    return CollectionContents(elements: keys.map { entries[$0] ?? .null }, keys: keys)
  }
}

// MARK: - Objects that went

extension DeletedObject {
  /// An object as it is in `reader`'s version, before it goes. O(what it holds).
  package init(_ object: ObjectID, in reader: any ObjectReader) {
    guard let schema = reader.schema.classSchema(object.classID) else {
      self.init(key: .null)
      return
    }
    self.init(key: schema.primaryKey.map { reader.value($0.id, of: object) } ?? .null)
    var links: Set<OutgoingLink> = []
    for property in schema.properties {
      var held: [Value] = []
      switch property.type.shape {
      case .single:
        held = [reader.value(property.id, of: object)]
        if held[0] != .null { values[property.id] = held[0] }
      case .list, .set, .map:
        let contents = reader.contents(property.id, property.type.shape, of: object)
        held = contents.elements
        if !held.isEmpty { collections[property.id] = contents }
      case .backlinks: break
      }
      guard property.type.isFollowed else { continue }
      for value in held {
        value.forEachLink { links.insert(OutgoingLink(property: property.id, target: $0)) }
      }
    }
    self.links = links.sorted()
  }

  /// Undoes what was done to a collection before the object went.
  mutating func undo(
    _ property: PropertyID, _ former: (CollectionContents) -> CollectionContents
  ) {
    let contents = former(collections[property] ?? CollectionContents())
    collections[property] = contents.elements.isEmpty ? nil : contents
  }
}

extension ObjectReader {
  /// What a collection holds. O(elements).
  func contents(
    _ property: PropertyID, _ shape: PropertyShape, of object: ObjectID
  ) -> CollectionContents {
    var contents = CollectionContents()
    forEachElement(property, of: object) { element in
      contents.elements.append(element)
      return true
    }
    if shape == .map {
      contents.keys = contents.elements.indices.map { mapKey(property, of: object, at: $0) }
    }
    return contents
  }
}
