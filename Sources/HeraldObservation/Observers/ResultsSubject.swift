import HeraldModel
import HeraldQuery

/// Observed results: the question, and, once the first call was made, what keeps it live.
final class ResultsSubject {
  let query: BoundQuery
  let filter: RowFilter
  /// The collection that the question is about; nil for all objects of its class.
  let source: Source?
  var live: LiveResults?
  /// The owner of the collection was gone when the first call was made.
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

  /// Brings the rows to `reader`'s version and answers what that tells; nil for nothing.
  func advance(_ changes: PendingChanges?, _ reader: any ObjectReader) -> Report? {
    guard let live else { return nil }
    if let owner = source?.owner,
      isOrphan || changes?.change(of: owner.classID)?.deleted[owner.number] != nil
    {
      let rows = ChangeSet(deletions: Array(0..<live.view.count))
      return .update(rows, ownerDeleted: true)
    }
    guard let changes else { return nil }
    let told = live.advance(changes, reader)
    return told.isEmpty ? nil : .update(told, ownerDeleted: false)
  }
}
