import HeraldModel
import HeraldQuery

/// Finds the rows of a collection that count as modified under its filter.
struct RowWatch {
  /// The watches of key paths, where there are such.
  var paths: [PathWatch] = []
  /// Nil where there are key paths.
  var deep: DeepWatch?

  /// The numbers, ascending, of the objects that count as modified if they are rows.
  func modified(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    deep?.modified(changes, reader) ?? paths.roots(changes, reader)
  }

  /// The same as object ids, unordered.
  func modifiedObjects(_ changes: PendingChanges, _ reader: any ObjectReader) -> Set<ObjectID> {
    if let deep { return deep.modifiedObjects(changes, reader) }
    return Set(
      paths.flatMap { watch in
        watch.roots(changes, reader).map { ObjectID(watch.path.root, $0) }
      })
  }
}

extension [PathWatch] {
  /// The root objects of all the paths, ascending, without duplicates.
  func roots(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    var found: [ObjectNumber] = []
    var isOfOnePath = true
    for index in indices {
      let more = self[index].roots(changes, reader)
      if more.isEmpty { continue }
      if found.isEmpty {
        found = more
      } else {
        found += more
        isOfOnePath = false
      }
    }
    return isOfOnePath ? found : Set(found).sorted()
  }
}
