import HeraldModel
import HeraldQuery

/// Observed results: the query and, after the first call, its live view.
final class ResultsSubject {
  let query: BoundQuery
  let filter: RowFilter
  /// The collection that the query reads; nil for all objects of its class.
  let source: Source?
  var live: LiveResults?
  /// Whether the owner of the collection was deleted before the first call.
  var isOrphan = false

  struct Source {
    var owner: ObjectID
    var property: PropertyID
  }

  init(_ query: BoundQuery, of source: Source? = nil, _ filter: RowFilter) {
    self.query = query
    self.source = source
    self.filter = filter
  }

  /// Advances the rows to `reader`'s version and returns the report; nil where there is nothing to
  /// report.
  func advance(_ changes: PendingChanges?, _ reader: any ObjectReader) -> Report? {
    guard let live else { return nil }
    if let owner = source?.owner,
      isOrphan || changes?.change(of: owner.classID)?.deleted[owner.number] != nil
    {
      let rows = ChangeSet(deletions: Array(0..<live.view.count))
      return .update(rows, ownerDeleted: true)
    }
    guard let changes else { return nil }
    let changeSet = live.advance(changes, reader)
    return changeSet.isEmpty ? nil : .update(changeSet, ownerDeleted: false)
  }
}
