import HeraldModel
import HeraldQuery

extension SetChange {
  /// Returns the rows deleted from and inserted into a set. The old positions are computed from the new
  /// ones, since a set is sorted. O(changes · log rows).
  func shift(of property: PropertyID, _ owner: ObjectID, _ reader: any ObjectReader) -> RowShift {
    RowShift(
      positionsOfRemoved: removed.map { reader.place(of: $0, inSet: property, of: owner).index },
      insertions: inserted.map { reader.place(of: $0, inSet: property, of: owner).index })
  }
}

extension MapChange {
  /// The same for a map, which is sorted by key.
  func shift(of property: PropertyID, _ owner: ObjectID, _ reader: any ObjectReader) -> RowShift {
    RowShift(
      positionsOfRemoved: removed.keys.map {
        reader.place(ofKey: $0, inMap: property, of: owner).index
      },
      insertions: inserted.map { reader.place(ofKey: $0, inMap: property, of: owner).index })
  }
}

extension RowShift {
  /// `positionsOfRemoved` are the new positions at which the removed rows would be inserted.
  fileprivate init(positionsOfRemoved: [Int], insertions: [Int]) {
    let insertions = insertions.sorted()
    let deletions = positionsOfRemoved.sorted().enumerated().map { removedBefore, position in
      position - insertions.lowerBound { $0 < position } + removedBefore
    }
    self.init(deletions: deletions, insertions: insertions)
  }
}
