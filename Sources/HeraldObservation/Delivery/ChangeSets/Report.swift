public import HeraldModel

/// One property of an object that changed.
public struct PropertyChange: Hashable, Sendable {
  public var name: String
  /// False where the name alone is told, and `old` and `new` are `.null`: a collection, and a
  /// property that is as it was while something further along an observed key path changed.
  public var hasValues: Bool
  public var old: Value
  public var new: Value

  public init(name: String, hasValues: Bool = true, old: Value = .null, new: Value = .null) {
    self.name = name
    self.hasValues = hasValues
    self.old = old
    self.new = new
  }
}

/// What one observer is told in one delivery.
package enum Report: Equatable, Sendable {
  /// Store: some transaction was committed.
  case changed
  /// Store: others committed and the session was not advanced.
  case refreshRequired
  /// Collection: the first call, and what happened since.
  case collection(CollectionChange)
  /// Object: in the order of the schema. Projection: by its own names in its own order.
  case change([PropertyChange])
  /// Object and projection: the last call.
  case deleted
  /// Property observer: a value, which differs.
  case property(name: String, old: Value, new: Value)
  /// Property observer: a collection; rows as the kind says.
  case propertyRows(name: String, kind: ListChangeKind, rows: [Int])
  /// Property observer: the object is gone; the last call.
  case invalidated(name: String)
  /// Any: its view can no longer be kept; the last call.
  case error(HeraldError)
}

extension Report {
  package static func initial(count: Int) -> Report { .collection(.initial(count: count)) }

  /// With `ownerDeleted` it is the last call.
  package static func update(_ changes: ChangeSet, ownerDeleted: Bool) -> Report {
    .collection(.update(changes, ownerDeleted: ownerDeleted))
  }

  package static func mapUpdate(_ changes: MapChangeSet, ownerDeleted: Bool) -> Report {
    .collection(.mapUpdate(changes, ownerDeleted: ownerDeleted))
  }

  /// Whether its observer is dead after it.
  var isLast: Bool {
    switch self {
    case .deleted, .invalidated, .error, .collection(.error): true
    case .collection(.update(_, let ownerDeleted)), .collection(.mapUpdate(_, let ownerDeleted)):
      ownerDeleted
    case .changed, .refreshRequired, .collection, .change, .property, .propertyRows: false
    }
  }
}
