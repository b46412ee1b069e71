public import HeraldModel

/// The reason why the last commit that a session has read did, or did not, reach a token.
public enum DeliveryReason: Hashable, Sendable {
  /// The commit was delivered.
  case delivered(DeliverySummary)
  /// The delivery is pending until the next delivery point.
  case pending
  /// The commit was written without notifying the token.
  case silenced
  /// Others have committed, and the session was not advanced.
  case notRefreshed(newestVersion: Int)
  /// The token was registered after that commit.
  case observedLater
  /// The token is dead.
  case ended(TokenEnd)
  /// Nothing that the token depends on changed. `changed` is what did: `Dog.age`, `Dog added`.
  case untouched(changed: [String])
  /// A row, or the observed object, changed, but nothing that the key paths match.
  case keyPathNotTouched(keyPaths: [String], changed: [String])
  /// The nearest changed object is more links away from every row, or from the observed object, than
  /// `limit`.
  case tooDeep(limit: Int, distance: Int, changed: [String])
  /// The changed objects are rows neither before nor after.
  case noRow([AbsentRow], changed: [String])
  /// What the token depends on changed, but the commit, on its own or together with earlier ones, left
  /// everything as it was delivered last.
  case asBefore(changed: [String])
  /// What the observed value depends on changed, but its condition does not hold, or held at the last delivery already.
  case conditionAsBefore(holds: Bool, changed: [String])
}

/// An object that is not a row, and why.
public struct AbsentRow: Hashable, Sendable {
  /// Why an object is no row.
  public enum Absence: Hashable, Sendable {
    /// A predicate does not match it.
    case notMatching
    /// It is not in the observed collection.
    case notInCollection
    /// It matches, but is beyond a limit.
    case beyondLimit
    /// It matches, but is not the first of those with equal `distinct` values.
    case notDistinct
    /// It was deleted, and was not a row before.
    case deleted
  }

  /// The object.
  public let object: ObjectID
  /// Why it is no row.
  public let absence: Absence

  /// An object with the reason why it is no row.
  public init(_ object: ObjectID, _ absence: Absence) {
    self.object = object
    self.absence = absence
  }
}

/// The reason why a token is dead.
public enum TokenEnd: Hashable, Sendable {
  /// The token was invalidated.
  case invalidated
  /// The observed object was deleted; the token was notified unless `isSilenced`.
  case objectDeleted(isSilenced: Bool)
  /// The owner of the observed collection was deleted; the token was notified unless `isSilenced`.
  case ownerDeleted(isSilenced: Bool)
  /// A class or a property that the token depends on was dropped or changed its type.
  case schemaChanged
  /// The view could no longer be maintained; the token was notified of the error.
  case failed(HeraldError)
}
