import HeraldModel
import HeraldQuery

extension SetChange {
  /// The rows that went and came, in a set that holds its values in order: the places before are
  /// reckoned from the places now. O(changes · log rows).
  func shift(of property: PropertyID, _ owner: ObjectID, _ reader: any ObjectReader) -> RowShift {
    RowShift(
      placesOfRemoved: removed.map { reader.place(of: $0, inSet: property, of: owner).index },
      insertions: inserted.map { reader.place(of: $0, inSet: property, of: owner).index })
  }
}

extension MapChange {
  /// The same for a map, which holds its values in the order of keys.
  func shift(of property: PropertyID, _ owner: ObjectID, _ reader: any ObjectReader) -> RowShift {
    RowShift(
      placesOfRemoved: removed.keys.map {
        reader.place(ofKey: $0, inMap: property, of: owner).index
      },
      insertions: inserted.map { reader.place(ofKey: $0, inMap: property, of: owner).index })
  }
}

extension RowShift {
  /// `placesOfRemoved` are the new rows in front of which the removed ones would stand.
  fileprivate init(placesOfRemoved: [Int], insertions: [Int]) {
    let insertions = insertions.sorted()
    let deletions = placesOfRemoved.sorted().enumerated().map { removedBefore, place in
      place - insertions.lowerBound { $0 < place } + removedBefore
    }
    self.init(deletions: deletions, insertions: insertions)
  }
}
