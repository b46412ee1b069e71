import HeraldModel
import HeraldQuery

/// A live view of the objects that link to an object, in order of creation, an object once for each of
/// its links.
struct BacklinksView {
  let location: CollectionLocation
  private(set) var rows: OrderedSequence

  /// Reads the rows. O(n).
  init(_ location: CollectionLocation, _ reader: any ObjectReader) {
    self.location = location
    rows = OrderedSequence(location.originRows(reader))
  }

  /// Creates a view without rows.
  init(emptyAt location: CollectionLocation) {
    self.location = location
    rows = OrderedSequence()
  }

  var count: Int { rows.count }

  /// Advances the rows to `reader`'s version and returns what changed: a row is modified when its object
  /// was. O(changes · log rows).
  mutating func advance(
    _ watch: RowWatch?, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> ChangeSet {
    guard let origin = location.origin else { return ChangeSet() }
    let (changeSet, inserted) = origin.changeSet(
      of: rows, target: location.owner, changes, reader)
    for index in changeSet.deletions.reversed() { rows.remove(at: index) }
    for (index, number) in zip(changeSet.insertions, inserted) { rows.insert(number, at: index) }
    var modified: [Int] = []
    for number in watch?.modified(changes, reader) ?? [] where rows.contains(number) {
      modified.append(contentsOf: rows.positions(of: number))
    }
    return changeSet.modifying(modified)
  }
}

extension CollectionLocation {
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
