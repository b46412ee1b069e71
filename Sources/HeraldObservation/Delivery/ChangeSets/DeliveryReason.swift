public import HeraldModel

/// Why the last commit that a session knows of did, or did not, reach a token.
public enum DeliveryReason: Hashable, Sendable {
  /// It was told of it.
  case told(Telling)
  /// It will be told at the next delivery point.
  case owed
  /// The commit was written without notifying it.
  case silenced
  /// Others have committed, and the session was not advanced.
  case notRefreshed(newestVersion: Int)
  /// It observes from after that commit on.
  case observedLater
  /// It is dead.
  case ended(TokenEnd)
  /// Nothing that it depends on changed. What did: `Dog.age`, `Dog added`.
  case untouched(changed: [String])
  /// A row, or its object, changed, but nothing that its key paths name.
  case keyPathNotTouched(keyPaths: [String], changed: [String])
  /// A changed object is further from every row, or from its object, than it listens.
  case tooDeep(limit: Int, distance: Int, changed: [String])
  /// Objects were looked at that are no rows: neither before nor after.
  case noRow([AbsentRow], changed: [String])
  /// What the token depends on changed, but that, by itself or together with the commits before it,
  /// left everything as it was told.
  case asBefore(changed: [String])
}

/// An object that is no row, and what keeps it out.
public struct AbsentRow: Hashable, Sendable {
  public enum Absence: Hashable, Sendable {
    /// A condition does not hold for it.
    case notMatching
    /// It is none of the collection that is observed.
    case notInCollection
    /// It matches, and a limit leaves it out.
    case beyondLimit
    /// It matches, and is not the first of those with equal values that are distinct.
    case notDistinct
    /// It is gone, and was no row before.
    case deleted
  }

  public let object: ObjectID
  public let absence: Absence

  public init(_ object: ObjectID, _ absence: Absence) {
    self.object = object
    self.absence = absence
  }
}

/// Why a token is dead.
public enum TokenEnd: Hashable, Sendable {
  case invalidated
  /// The object that it observed was deleted; it was told of that, unless silenced.
  case objectDeleted(isSilenced: Bool)
  /// The object that held the collection was deleted.
  case ownerDeleted(isSilenced: Bool)
  /// A class or a property that it needs was dropped.
  case schemaChanged
  /// Its view could no longer be kept; it was told of that.
  case failed(HeraldError)
}
