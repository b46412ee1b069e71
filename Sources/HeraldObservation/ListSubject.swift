import HeraldModel
import HeraldQuery

/// An observed list: which one, and, once the first call was made, its live rows.
final class ListSubject {
  struct Live {
    var view: ListView
    /// Nil for a list of plain values, whose rows change only by being replaced.
    let rowWatch: RowWatch?
  }

  let owner: ObjectID
  let property: PropertyID
  let filter: RowFilter
  var live: Live?
  /// The owner was gone when the first call was made.
  var isOrphan = false

  init(owner: ObjectID, property: PropertyID, _ filter: RowFilter) {
    self.owner = owner
    self.property = property
    self.filter = filter
  }

  /// Brings the rows to `reader`'s version and answers what changed. With `ownerDeleted` the
  /// observer has heard its last.
  func advance(
    _ changes: PendingChanges?, _ reader: any ObjectReader
  ) -> (changes: ChangeSet, ownerDeleted: Bool) {
    guard let count = live?.view.count else { return (ChangeSet(), isOrphan) }
    let change = changes?.change(of: owner.classID)
    if isOrphan || change?.deleted[owner.number] != nil {
      return (ChangeSet(deletions: Array(0..<count)), true)
    }
    let list = change?.lists[property]?[owner.number]
    if let list { live?.view.apply(list, reader) }
    var modified: [Int] = []
    if let changes, let numbers = live?.rowWatch?.modified(changes, reader), !numbers.isEmpty {
      modified = live?.view.positions(of: numbers) ?? []
    }
    if let list { return (list.changeSet(modified: modified), false) }
    return (ChangeSet(modifications: modified, modificationsNew: modified), false)
  }
}
