package import HeraldModel
package import HeraldObservation

/// What an observer of an object receives.
package enum DynamicObjectChange: Hashable, Sendable {
  /// Properties changed; in the order of the schema or, of a projection, in its order.
  case change([DynamicPropertyChange])
  /// The object was deleted. The token is then dead.
  case deleted
  /// The store was replaced, lost or damaged. The token is then dead.
  case error(HeraldError)
}
