package import HeraldModel

/// The content of one delivery to one observer. What is large is stored indirectly, so that passing it on costs O(1).
package enum Report: Equatable, Sendable {
  /// Store: a transaction was committed.
  case changed
  /// Store: others have committed and the session was not advanced.
  case refreshRequired
  /// Collection: the initial rows, or a last change, or changes of a map.
  case collection(DynamicCollectionChange)
  /// Collection: the changes of rows since the last delivery.
  case rows(DeliveredChanges)
  /// Sections: the changes of rows and sections since the last delivery.
  indirect case sections(SectionChangeSet, ownerDeleted: Bool)
  /// Value: it differs from that of the last delivery, or a condition of it begins to hold.
  indirect case value(old: Value, new: Value, isLast: Bool)
  /// Object: changes in the order of the schema. Projection: changes by its own names in its own order.
  case change([DynamicPropertyChange])
  /// Object and projection: the object was deleted; the last call.
  case deleted
  /// Property observer: the value differs.
  indirect case property(name: String, old: Value, new: Value)
  /// Property observer: a collection changed; `kind` says what the rows mean.
  indirect case propertyRows(name: String, kind: ListChangeKind, rows: [Int])
  /// Property observer: the object was deleted; the last call.
  indirect case invalidated(name: String)
  /// Any: the view can no longer be maintained; the last call.
  indirect case error(HeraldError)
}

extension Report {
  package static func initial(count: Int) -> Report { .collection(.initial(count: count)) }

  /// Returns the report of a change set. With `ownerDeleted` it is the last call.
  package static func update(_ changes: ChangeSet, ownerDeleted: Bool) -> Report {
    ownerDeleted
      ? .collection(.update(changes, ownerDeleted: true)) : .rows(DeliveredChanges(changes))
  }

  package static func mapUpdate(_ changes: MapChangeSet, ownerDeleted: Bool) -> Report {
    .collection(.mapUpdate(changes, ownerDeleted: ownerDeleted))
  }

  /// The error of a view that can no longer be maintained.
  package var failure: HeraldError? {
    switch self {
    case .error(let error), .collection(.error(let error)): error
    case .changed, .refreshRequired, .collection, .rows, .sections, .value, .change, .deleted,
      .property, .propertyRows, .invalidated:
      nil
    }
  }

  /// Whether the observer is dead after this report.
  var isLast: Bool {
    switch self {
    case .deleted, .invalidated, .error, .collection(.error): true
    case .collection(.update(_, let ownerDeleted)), .collection(.mapUpdate(_, let ownerDeleted)):
      ownerDeleted
    case .sections(_, let ownerDeleted): ownerDeleted
    case .value(_, _, let isLast): isLast
    case .changed, .refreshRequired, .collection, .rows, .change, .property, .propertyRows: false
    }
  }
}
