import HeraldModel
import HeraldQuery

/// Which rows of a collection are modified, by its filter.
enum RowWatch {
  case deep(DeepWatch)
  case paths([PathWatch])

  var deepWatch: DeepWatch? {
    switch self {
    case .deep(let watch): watch
    case .paths: nil
    }
  }

  /// The objects, ascending, that count as modified where they are rows.
  func modified(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    switch self {
    case .deep(let watch): watch.modified(changes, reader)
    case .paths(let watches): watches.roots(changes, reader)
    }
  }

  /// The same as objects, in no order.
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
  /// The root objects of any of the paths, ascending.
  func roots(_ changes: PendingChanges, _ reader: any ObjectReader) -> [ObjectNumber] {
    var found: [ObjectNumber] = []
    var isOfOne = true
    for place in indices {
      let more = self[place].roots(changes, reader)
      if more.isEmpty { continue }
      if found.isEmpty {
        found = more
      } else {
        found += more
        isOfOne = false
      }
    }
    return isOfOne ? found : Set(found).sorted()
  }
}
