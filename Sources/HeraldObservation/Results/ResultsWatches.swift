import HeraldModel
import HeraldQuery

/// The watches of the paths that results depend on, shared by all results that depend on the same
/// paths in the same way.
final class ResultsWatches {
  struct Key: Hashable {
    let predicate: Set<ObjectIdentifier>
    let keys: Set<ObjectIdentifier>
    let rows: Set<ObjectIdentifier>
  }

  /// The objects that changes concern, ascending.
  final class Found {
    /// Those whose match may have changed.
    let matching: [ObjectNumber]
    /// Those whose sort or distinct values may have changed.
    let rekeyed: [ObjectNumber]
    /// Those that count as modified if they are rows.
    let modified: [ObjectNumber]
    /// What predicates have read of them; nil where only one reads.
    let known: KnownValues?

    fileprivate init(
      _ watches: ResultsWatches, _ changes: PendingChanges, _ reader: any ObjectReader
    ) {
      matching = watches.predicate.roots(changes, reader)
      rekeyed = watches.keys.roots(changes, reader)
      modified = watches.rows.modified(changes, reader)
      known = watches.uses > 1 ? KnownValues() : nil
    }
  }

  let key: Key
  /// The watches of the paths that the predicate reads.
  let predicate: [PathWatch]
  /// The watches of the paths of sort and distinct keys.
  let keys: [PathWatch]
  /// The watches of modified rows.
  let rows: RowWatch
  /// The number of registered uses; at 0 the watches are released.
  var uses = 1

  init(predicate: [PathWatch], keys: [PathWatch], rows: RowWatch) {
    self.predicate = predicate
    self.keys = keys
    self.rows = rows
    let deep = rows.deep.map { [ObjectIdentifier($0)] } ?? []
    key = Key(
      predicate: Set(predicate.map { ObjectIdentifier($0) }),
      keys: Set(keys.map { ObjectIdentifier($0) }),
      rows: Set(rows.paths.map { ObjectIdentifier($0) } + deep))
  }

  /// Every path watch, once for each role.
  var paths: [PathWatch] { predicate + keys + rows.paths }

  /// What finds the changes that concern an observer which is in no predicate index.
  var every: RowWatch { RowWatch(paths: paths, deep: rows.deep) }

  /// Every path watch, without duplicates.
  var distinctPaths: [PathWatch] {
    var seen: Set<ObjectIdentifier> = []
    return paths.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Returns the objects that changes concern; finds them once for the same changes.
  func found(_ changes: PendingChanges, _ reader: any ObjectReader) -> Found {
    if let last = changes.lastFound, last.watches === self { return last.found }
    let found = Found(self, changes, reader)
    changes.lastFound = (self, found)
    return found
  }
}
