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
    guard let first else { return [] }
    if count == 1 { return first.roots(changes, reader) }
    var found: [ObjectNumber] = []
    for watch in self { found.append(contentsOf: watch.roots(changes, reader)) }
    guard found.count > 1 else { return found }
    return Set(found).sorted()
  }
}
