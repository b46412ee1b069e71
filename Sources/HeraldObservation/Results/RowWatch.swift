import HeraldModel
import HeraldQuery

/// Finds the rows of a collection that count as modified under its filter.
enum RowWatch {
  case deep(DeepWatch)
  case paths([PathWatch])

  var deepWatch: DeepWatch? {
    switch self {
    case .deep(let watch): watch
    case .paths: nil
    }
  }

  var paths: [PathWatch] {
    switch self {
    case .deep: []
    case .paths(let watches): watches
    }
  }

  /// The numbers, ascending, of the objects that count as modified if they are rows.
  func modified(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    switch self {
    case .deep(let watch): watch.modified(changes, reader)
    case .paths(let watches): watches.roots(changes, reader)
    }
  }

  /// The same as object ids, unordered.
  func modifiedObjects(_ changes: PendingChanges, _ reader: any ObjectReader) -> Set<ObjectID> {
    switch self {
    case .deep(let watch): watch.modifiedObjects(changes, reader)
    case .paths(let watches):
      Set(
        watches.flatMap { watch in
          watch.roots(changes, reader).map { ObjectID(watch.path.root, $0) }
        })
    }
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
