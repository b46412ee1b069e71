import HeraldModel
import HeraldQuery

/// The objects that link to one, in order of creation, an object once for each of its links.
struct BacklinksView {
  let place: CollectionPlace
  private(set) var rows: OrderedSequence

  /// O(n).
  init(_ place: CollectionPlace, _ reader: any ObjectReader) {
    self.place = place
    rows = OrderedSequence(place.originRows(reader))
  }

  /// Without rows.
  init(emptyAt place: CollectionPlace) {
    self.place = place
    rows = OrderedSequence()
  }

  var count: Int { rows.count }

  /// Brings the rows to `reader`'s version and answers what changed: a row is modified when its
  /// object was. O(changes · log rows).
  mutating func advance(
    _ watch: RowWatch?, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> ChangeSet {
    guard let origin = place.origin else { return ChangeSet() }
    let (shift, inserted) = origin.shift(of: rows, target: place.owner, changes, reader)
    for index in shift.deletions.reversed() { rows.remove(at: index) }
    for (index, number) in zip(shift.insertions, inserted) { rows.insert(number, at: index) }
    var modified: [Int] = []
    for number in watch?.modified(changes, reader) ?? [] where rows.contains(number) {
      modified.append(contentsOf: rows.positions(of: number))
    }
    return shift.changeSet(modified: modified)
  }
}

extension CollectionPlace {
  /// The rows of backlinks. O(rows).
  func originRows(_ reader: any ObjectReader) -> [ObjectNumber] {
    guard let origin else { return [] }
    var numbers: [ObjectNumber] = []
    reader.forEachOrigin(of: owner, origin: origin.classID, property: origin.property) {
      numbers.append(contentsOf: repeatElement($0, count: $1))
      return true
    }
    return numbers
  }
}
