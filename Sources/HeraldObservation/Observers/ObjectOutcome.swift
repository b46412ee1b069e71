package import HeraldModel

/// The change of one object within a delivery.
package enum ObjectOutcome: Equatable, Sendable {
  case created
  /// Its own properties that changed, in the order of the schema.
  case changed([PropertyChange])
  /// Its single-valued properties that were not nil.
  case deleted([PropertyID: Value])
}
