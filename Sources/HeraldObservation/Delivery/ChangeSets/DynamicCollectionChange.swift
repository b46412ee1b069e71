public import HeraldModel

/// What an observer of a collection receives. The change set is stored indirectly, so that passing it on costs
/// O(1).
public enum DynamicCollectionChange: Hashable, Sendable {
  /// The first delivery, exactly once: the number of rows.
  case initial(count: Int)
  /// What changed since the last delivery. With `ownerDeleted` the object that held the collection was
  /// deleted, and the token is dead.
  indirect case update(ChangeSet, ownerDeleted: Bool)
  /// The same for a map, by keys.
  indirect case mapUpdate(MapChangeSet, ownerDeleted: Bool)
  /// The rows can no longer be maintained: the store was replaced, lost or damaged. The token is dead.
  indirect case error(HeraldError)
}
