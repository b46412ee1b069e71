package import HeraldModel
package import HeraldQuery

/// The contents of a collection at one version.
package struct CollectionContents: Sendable, Equatable {
  /// The elements in the collection's order.
  package var elements: [Value]
  /// The keys of a map, one for each element; empty for a list or a set.
  package var keys: [String]

  package init(elements: [Value] = [], keys: [String] = []) {
    self.elements = elements
    self.keys = keys
  }

  /// Returns the value of a map's key; nil where the key is absent.
  func value(forKey key: String) -> Value? {
    keys.firstIndex { $0.hasSameBytes(as: key) }.map { elements[$0] }
  }
}

// MARK: - Undoing changes

extension ListDelta {
  /// Returns the elements before the change from those after it; nil for removed elements whose values
  /// are unknown. O(both lists).
  func previous(_ now: [Value]) -> [Value?] {
    var previous = [Value?](repeating: nil, count: oldCount)
    guard now.count == newCount else { return previous }
    var newIndex = 0
    for piece in pieces {
      if case .old(let start) = piece.source {
        for offset in 0..<piece.count {
          previous[start + offset] = replaced[start + offset] ?? now[newIndex + offset]
        }
      }
      newIndex += piece.count
    }
    for element in taken { previous[element.oldIndex] = element.value }
    return previous
  }
}

extension SetDelta {
  /// Returns the elements before the change, in order, from those after it. O(n log n).
  func previous(_ now: [Value]) -> [Value] {
    Set(now).subtracting(inserted).union(removed).sorted { Value.order($0, $1) < 0 }
  }
}

extension MapDelta {
  /// Returns the entries before the change, in key order, from those after it. O(n log n).
  func previous(_ now: CollectionContents) -> CollectionContents {
    var entries: MapEntries = [:]
    for (key, value) in zip(now.keys, now.elements) where !inserted.contains(key) {
      entries[key] = value
    }
    forEachPreviousValue { entries[$0] = $1 }
    let keys = entries.keys.inKeyOrder
    return CollectionContents(elements: keys.map { entries[$0] ?? .null }, keys: keys)
  }
}

// MARK: - Deleted objects

extension DeletedObject {
  /// Captures an object at `reader`'s version, before its deletion: its values refer to nested collections,
  /// while its links are also those in them. O(size of the object).
  package init(_ object: ObjectID, in reader: any ObjectReader) {
    self = BeforeImages(of: object.classID, in: reader).image(of: object.number)
  }

  /// Undoes a change of a collection that preceded the deletion of the object.
  mutating func undo(
    _ property: PropertyID, _ previous: (CollectionContents) -> CollectionContents
  ) {
    let contents = previous(collections[property] ?? CollectionContents())
    collections[property] = contents.elements.isEmpty ? nil : contents
  }
}

/// Captures objects of one class before their deletion.
package struct BeforeImages {
  private let classID: ClassID
  private let reader: any ObjectReader
  private let references: any ObjectReader
  private let key: PropertyID?
  private let properties: [Property]

  private struct Property {
    let id: PropertyID
    let shape: PropertyShape
    /// Whether its links are noted: those in a nested collection are its owner's.
    let mayLink: Bool
  }

  package init(of classID: ClassID, in reader: any ObjectReader) {
    let schema = reader.schema.classSchema(classID)
    self.classID = classID
    self.reader = reader
    references = reader.references
    key = schema?.primaryKey?.id
    properties = (schema?.properties ?? []).filter { !$0.type.isBacklinks }.map { property in
      Property(
        id: property.id, shape: property.type.shape,
        mayLink: property.type.holdsForwardLinks && !classID.isNested)
    }
  }

  /// O(size of the object).
  package func image(of number: ObjectNumber) -> DeletedObject {
    let object = ObjectID(classID, number)
    var image = DeletedObject(key: key.map { reader.value($0, of: object) } ?? .null)
    var links: Set<OutgoingLink> = []
    image.values.reserveCapacity(properties.count)
    for property in properties {
      func noteLinks(_ value: Value) {
        guard property.mayLink else { return }
        reader.whole(value).forEachLink {
          links.insert(OutgoingLink(property: property.id, target: $0))
        }
      }
      if case .single = property.shape {
        let value = references.value(property.id, of: object)
        if value.isNull { continue }
        image.values[property.id] = value
        noteLinks(value)
        continue
      }
      let contents = references.contents(property.id, property.shape, of: object)
      if contents.elements.isEmpty { continue }
      image.collections[property.id] = contents
      contents.elements.forEach(noteLinks)
    }
    if !links.isEmpty { image.links = links.sorted() }
    return image
  }
}

extension ObjectReader {
  /// Returns the contents of a collection. O(elements).
  package func contents(
    _ property: PropertyID, _ shape: PropertyShape, of object: ObjectID
  ) -> CollectionContents {
    var contents = CollectionContents()
    forEachElement(property, of: object) { element in
      contents.elements.append(element)
      return true
    }
    if shape == .map {
      contents.keys = mapKeys(property, of: object)
    }
    return contents
  }
}
