package import HeraldModel

extension ObjectReader {
  /// Where a value is in a set, or would be: sets are in order of value. O(log n).
  package func place(
    of value: Value, inSet property: PropertyID, of object: ObjectID
  ) -> (index: Int, isPresent: Bool) {
    let index = partition(listCount(property, of: object)) {
      Value.order(listElement(property, of: object, at: $0), value) < 0
    }
    let isPresent =
      index < listCount(property, of: object)
      && Value.order(listElement(property, of: object, at: index), value) == 0
    return (index, isPresent)
  }

  /// Where a key is in a map, or would be: maps are in order of key. O(log n).
  package func place(
    ofKey key: String, inMap property: PropertyID, of object: ObjectID
  ) -> (index: Int, isPresent: Bool) {
    let index = partition(listCount(property, of: object)) {
      mapKey(property, of: object, at: $0).byteOrder(key) < 0
    }
    let isPresent =
      index < listCount(property, of: object)
      && mapKey(property, of: object, at: index).hasSameBytes(as: key)
    return (index, isPresent)
  }

  /// The value of a map's key; nil where the map has no such key.
  package func mapValue(
    forKey key: String, _ property: PropertyID, of object: ObjectID
  ) -> Value? {
    let place = place(ofKey: key, inMap: property, of: object)
    return place.isPresent ? listElement(property, of: object, at: place.index) : nil
  }

  /// The first of `count` places that `isBefore` does not hold for.
  private func partition(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
