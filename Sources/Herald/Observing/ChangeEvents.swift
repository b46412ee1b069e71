public import HeraldModel
public import HeraldObservation

/// What a store token is told.
public enum StoreChange: Hashable, Sendable {
  /// Some transaction was committed.
  case changed
  /// Others have committed and the session does not advance by itself.
  case refreshRequired
  /// The store was replaced, lost or damaged. The token is then dead.
  case error(HeraldError)
}

/// What a property observer is told.
public enum PropertyEvent: Hashable, Sendable {
  case changed(name: String, old: Value, new: Value)
  /// What happened to a collection property; rows where the kind has any.
  case rows(name: String, kind: ListChangeKind, rows: [Int])
  /// The object is gone. The token is then dead.
  case invalidated(name: String)
  /// The store was replaced, lost or damaged. The token is then dead.
  case error(HeraldError)
}

/// What an object token is told.
public enum ObjectChange: Hashable, Sendable {
  /// The properties that changed, in the order of the schema.
  case change([PropertyChange])
  /// Once; the token is then dead.
  case deleted
  /// The store was replaced, lost or damaged. The token is then dead.
  case error(HeraldError)
}

extension Report {
  var storeChange: StoreChange? {
    switch self {
    case .changed: .changed
    case .refreshRequired: .refreshRequired
    case .error(let error): .error(error)
    case .collection, .change, .deleted, .property, .propertyRows, .invalidated:
      nil
    }
  }

  var collectionChange: CollectionChange? {
    switch self {
    case .collection(let change): change
    case .changed, .refreshRequired, .change, .deleted, .property, .propertyRows, .invalidated,
      .error:
      nil
    }
  }

  var propertyEvent: PropertyEvent? {
    switch self {
    case .property(let name, let old, let new): .changed(name: name, old: old, new: new)
    case .propertyRows(let name, let kind, let rows): .rows(name: name, kind: kind, rows: rows)
    case .invalidated(let name): .invalidated(name: name)
    case .error(let error): .error(error)
    case .changed, .refreshRequired, .collection, .change, .deleted: nil
    }
  }

  var objectChange: ObjectChange? {
    switch self {
    case .change(let properties): .change(properties)
    case .deleted: .deleted
    case .error(let error): .error(error)
    case .changed, .refreshRequired, .collection, .property, .propertyRows,
      .invalidated:
      nil
    }
  }
}
