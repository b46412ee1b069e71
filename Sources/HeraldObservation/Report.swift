public import HeraldModel

/// One property of an object that changed.
public struct PropertyChange: Hashable, Sendable {
  public var name: String
  /// A collection is told by its name alone: `old` and `new` are `.null`.
  public var isCollection: Bool
  public var old: Value
  public var new: Value

  public init(name: String, isCollection: Bool = false, old: Value = .null, new: Value = .null) {
    self.name = name
    self.isCollection = isCollection
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
  /// Collection: the first call, with the number of rows.
  case initial(count: Int)
  /// Collection: with `ownerDeleted` it is the last call.
  case update(ChangeSet, ownerDeleted: Bool)
  /// Object: in the order of the schema.
  case change([PropertyChange])
  /// Object: the last call.
  case deleted
}
