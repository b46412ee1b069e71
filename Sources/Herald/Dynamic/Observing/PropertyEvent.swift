package import HeraldModel
package import HeraldObservation

/// What an observer of a property receives.
package enum PropertyEvent: Hashable, Sendable {
  /// A value was assigned or changed.
  case changed(name: String, old: Value, new: Value)
  /// A collection property changed; `kind` says what the rows, if any, mean.
  case rows(name: String, kind: ListChangeKind, rows: [Int])
  /// The object was deleted. The token is then dead.
  case invalidated(name: String)
  /// The store was replaced, lost or damaged. The token is then dead.
  case error(HeraldError)
}
