public import HeraldObservation

/// What an observer of a collection receives, before it has the types of the program.
public enum CollectionDelivery {
  /// The first call.
  case initial(CollectionBase)
  /// What changed, as ``CollectionChange`` has it.
  case update(CollectionBase, DeliveredChanges)
  /// The rows can no longer be followed, or never could.
  case error(any Error)
}

extension CollectionDelivery {
  init(_ change: DynamicCollectionChange, _ base: CollectionBase) {
    switch change {
    case .initial: self = .initial(base)
    case .update(let changes, _):
      self = .update(base, DeliveredChanges(changes))
    case .mapUpdate(_, _): self = .error(HeraldError.cannotObserve("a map as a collection"))
    case .error(let error): self = .error(error)
    }
  }
}

extension CollectionChange {
  /// Gives a delivery the types of the program; nil for one of another class.
  @inlinable
  init?(_ delivery: __shared CollectionDelivery) {
    switch delivery {
    case .initial(let base):
      guard let collection = Collection._delivered(base, nil) else { return nil }
      self = .initial(collection)
    case .update(let base, let delivered):
      guard let collection = Collection._delivered(base, delivered) else { return nil }
      let changes = delivered.changes
      self = .update(
        collection, deletions: changes.deletions, insertions: changes.insertions,
        modifications: changes.modifications)
    case .error(let error): self = .error(error)
    }
  }
}
