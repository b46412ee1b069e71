public import HeraldModel

/// What a collection token is told. What happened stands behind one reference, so that handing it on
/// costs the same however much it is.
public enum CollectionChange: Hashable, Sendable {
  /// Once, at the first delivery: the rows there are.
  case initial(count: Int)
  /// What happened since. `ownerDeleted`: the object that held the list is gone, and the token dead.
  indirect case update(ChangeSet, ownerDeleted: Bool)
  /// The same of a map, by keys.
  indirect case mapUpdate(MapChangeSet, ownerDeleted: Bool)
  /// The rows can no longer be followed: the store was replaced, lost or damaged. The token is dead.
  indirect case error(HeraldError)
}
