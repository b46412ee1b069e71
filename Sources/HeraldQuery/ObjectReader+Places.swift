package import HeraldModel

extension ObjectReader {
  /// Where a value is in a set, or would be: sets are in order of value. O(log n).
  package func place(
    of value: Value, inSet property: PropertyID, of object: ObjectID
  ) -> (index: Int, isPresent: Bool) {
    var isPresent = false
    let index = partition(property, of: object) { element in
      let order = Value.order(element, value)
      if order >= 0 { isPresent = order == 0 }
      return order < 0
    }
    return (index, isPresent)
  }

  /// Where a key is in a map, or would be: maps are in order of key. O(log n).
  package func place(
    ofKey key: String, inMap property: PropertyID, of object: ObjectID
  ) -> (index: Int, isPresent: Bool) {
    var isPresent = false
    let index = keyPartition(property, of: object) { other in
      let order = other.byteOrder(key)
      if order >= 0 { isPresent = order == 0 }
      return order < 0
    }
    return (index, isPresent)
  }

  /// The value of a map's key; nil where the map has no such key.
  package func mapValue(
    forKey key: String, _ property: PropertyID, of object: ObjectID
  ) -> Value? {
    let place = place(ofKey: key, inMap: property, of: object)
    return place.isPresent ? listElement(property, of: object, at: place.index) : nil
  }
}
