import HeraldModel
public import HeraldObservation

/// What an observer of a collection receives.
///
///     switch change {
///     case .initial(let dogs): reload(dogs)
///     case .update(_, let deletions, let insertions, let modifications):
///       apply(deletions, insertions, modifications)  // in this order
///     case .error(let error): show(error)
///     }
public enum CollectionChange<Collection: StoredCollection> {
  /// The first call: the collection as it was when it was observed.
  case initial(Collection)
  /// What a commit changed, or several that are delivered together: positions of deleted rows in the old
  /// collection, of inserted rows in the new one, and of modified rows in the old one, each ascending. When the
  /// object of a collection was deleted every row is, and the observer is not called again.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The rows can no longer be followed, or never could. The observer is not called again.
  case error(any Error)
}

extension CollectionChange {
  /// The changes with new positions and moves; empty but for an update.
  public var changes: ChangeSet {
    if case .update(let collection, _, _, _) = self {
      collection._delivered?.changes ?? ChangeSet()
    } else {
      ChangeSet()
    }
  }

  /// The collection; nil for an error.
  public var collection: Collection? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }

  /// Positions of the deleted rows in the old collection.
  public var deletions: [Int] { changes.deletions }
  /// Positions of the inserted rows in the new collection.
  public var insertions: [Int] { changes.insertions }
  /// Positions of the modified rows in the old collection.
  public var modifications: [Int] { changes.modifications }
}

/// What an observer of a map receives: the changes by keys.
public enum MapChange<Key: PersistableKey, Value: PersistableElement> {
  /// The first call.
  case initial(Map<Key, Value>)
  /// The keys that were removed, added, and given another value, or whose object changed; in order.
  case update(
    Map<Key, Value>, deletions: [Key], insertions: [Key], modifications: [Key])
  /// The map can no longer be followed, or never could. The observer is not called again.
  case error(any Error)
}

extension MapChange {
  /// The removed keys.
  public var deletedKeys: [Key] {
    if case .update(_, let deletions, _, _) = self { deletions } else { [] }
  }
}
