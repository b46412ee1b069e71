package import HeraldModel
import HeraldObservation

/// What an observer of a store receives.
package enum StoreChange: Hashable, Sendable {
  /// A transaction was committed.
  case changed
  /// Others have committed, and the session does not advance by itself since `autorefresh` is off.
  case refreshRequired
  /// The store was replaced, lost or damaged. The token is then dead.
  case error(HeraldError)
}
