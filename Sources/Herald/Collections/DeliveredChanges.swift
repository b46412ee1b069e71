public import HeraldObservation

/// The changes that come with a delivery.
public final class DeliveredChanges {
  @usableFromInline let changes: ChangeSet
  let keys: MapChangeSet?

  init(_ changes: ChangeSet, keys: MapChangeSet? = nil) {
    self.changes = changes
    self.keys = keys
  }
}
