/// The changes of rows of one delivery. Observers that receive equal changes of the same commits share it.
///
/// `@unchecked Sendable`: only the session that delivers it makes `change`.
public final class DeliveredChanges: @unchecked Sendable {
  /// The positions.
  public let changes: ChangeSet
  @exclusivity(unchecked) private var knownChange: DynamicCollectionChange?

  package init(_ changes: ChangeSet) {
    self.changes = changes
  }

  /// How many rows there are of each kind.
  var counts: (deletions: Int, insertions: Int, modifications: Int) {
    (changes.deletions.count, changes.insertions.count, changes.modifications.count)
  }

  /// The same as what an observer of a collection receives whose owner exists.
  package var change: DynamicCollectionChange {
    if let knownChange { return knownChange }
    let change = DynamicCollectionChange.update(changes, ownerDeleted: false)
    knownChange = change
    return change
  }
}

extension DeliveredChanges: Equatable {
  /// Whether the changes are equal.
  public static func == (a: DeliveredChanges, b: DeliveredChanges) -> Bool {
    a === b || a.changes == b.changes
  }
}
