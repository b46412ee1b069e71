package import HeraldModel

/// The place of a list or a map nested in a value of type `any`.
package struct NestedPlace: Sendable {
  /// What holds a reference: a single-valued property, or an element of a list or a map.
  package struct Holder: Sendable {
    package let owner: ObjectID
    package let property: PropertyID
    /// The row or the key of the element; nil for a single-valued property.
    package var step: ValueStep?

    package init(owner: ObjectID, property: PropertyID, step: ValueStep?) {
      self.owner = owner
      self.property = property
      self.step = step
    }
  }

  /// From the property of an object to what holds the reference to the collection itself.
  package var holders: [Holder]
  package let collection: ObjectID

  /// The steps from the property to the collection.
  package var steps: [ValueStep] { holders.compactMap(\.step) }
}

extension ObjectReader {
  /// Returns the value with whole lists and maps in place of references. O(its size).
  package func whole(_ value: Value) -> Value {
    guard value.nestedCollection != nil else { return value }
    let references = references
    return value.whole { references.nestedContents($0) }
  }

  /// Returns the elements of a nested collection, and the keys of a map; none where it does not exist.
  package func nestedContents(_ collection: ObjectID) -> (elements: [Value], keys: [String]) {
    var elements: [Value] = []
    forEachElement(.elements, of: collection) { element in
      elements.append(element)
      return true
    }
    guard collection.classID == .nestedMaps else { return (elements, []) }
    return (elements, mapKeys(.elements, of: collection))
  }

  /// Returns the value at a position in a value of type `any`, which may be a reference; nil if there is
  /// none. Of a nested collection only that element is read, which may be a reference, too.
  func part(of value: Value, at position: PropertyPath.Step.Position) -> Value {
    guard let collection = value.nestedCollection else { return value.part(at: position) }
    let references = references
    let count = references.listCount(.elements, of: collection)
    switch (position, collection.classID) {
    case (.key(let key), .nestedMaps):
      return references.mapValue(forKey: key, .elements, of: collection) ?? .null
    case (.index(let index), .nestedLists) where index >= 0 && index < count:
      return references.listElement(.elements, of: collection, at: index)
    case (.last, .nestedLists) where count > 0:
      return references.listElement(.elements, of: collection, at: count - 1)
    default: return .null
    }
  }

  /// Returns the place of the nested list or map at some steps into a property of type `any`, or a list
  /// or map of such values; nil if there is none. O(steps · log n).
  package func nestedPlace(
    at steps: some Collection<ValueStep>, of property: PropertyID, _ object: ObjectID
  ) -> NestedPlace? {
    guard let type = schema.classSchema(object.classID)?.property(property)?.type,
      type.element == .any, exists(object)
    else { return nil }
    let references = references
    var rest = steps[...]
    var holder = NestedPlace.Holder(owner: object, property: property, step: nil)
    if type.shape != .single {
      guard let step = rest.popFirst() else { return nil }
      holder.step = step
    }
    var holders: [NestedPlace.Holder] = []
    while true {
      holders.append(holder)
      guard let collection = references.value(in: holder)?.nestedCollection else { return nil }
      guard let step = rest.popFirst() else {
        return NestedPlace(holders: holders, collection: collection)
      }
      holder = NestedPlace.Holder(owner: collection, property: .elements, step: step)
    }
  }

  /// Returns the same place after rows before the collection may have shifted. O(steps · log n) where
  /// none has, else O(size of the property's value).
  package func relocated(_ place: NestedPlace) -> NestedPlace {
    let root = place.holders[0]
    if let known = nestedPlace(at: place.steps, of: root.property, root.owner),
      known.collection == place.collection
    {
      return known
    }
    var holders: [NestedPlace.Holder] = []
    guard references.search(root.owner, root.property, for: place.collection, &holders) else {
      return place
    }
    return NestedPlace(holders: holders, collection: place.collection)
  }

  /// Appends the holders that lead from a property to a nested collection; returns false, without any, if
  /// they do not.
  private func search(
    _ owner: ObjectID, _ property: PropertyID, for collection: ObjectID,
    _ holders: inout [NestedPlace.Holder]
  ) -> Bool {
    guard let type = schema.classSchema(owner.classID)?.property(property)?.type else {
      return false
    }
    let values: [Value]
    if type.shape == .single {
      values = [value(property, of: owner)]
    } else {
      var elements: [Value] = []
      forEachElement(property, of: owner) { element in
        elements.append(element)
        return true
      }
      values = elements
    }
    for (index, value) in values.enumerated() {
      guard let nested = value.nestedCollection else { continue }
      let step: ValueStep? =
        switch type.shape {
        case .single, .backlinks: nil
        case .list, .set: .row(index)
        case .map: .key(mapKey(property, of: owner, at: index))
        }
      holders.append(NestedPlace.Holder(owner: owner, property: property, step: step))
      if nested == collection || search(nested, .elements, for: collection, &holders) {
        return true
      }
      holders.removeLast()
    }
    return false
  }

  /// Returns the value that a holder has; nil if it does not exist.
  package func value(in holder: NestedPlace.Holder) -> Value? {
    let type = schema.classSchema(holder.owner.classID)?.property(holder.property)?.type
    switch (type?.shape, holder.step) {
    case (.single?, nil): return value(holder.property, of: holder.owner)
    case (.list?, .row(let row)?):
      guard row >= 0, row < listCount(holder.property, of: holder.owner) else { return nil }
      return listElement(holder.property, of: holder.owner, at: row)
    case (.map?, .key(let key)?): return mapValue(forKey: key, holder.property, of: holder.owner)
    case (_, _): return nil
    }
  }
}
