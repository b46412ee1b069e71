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
  case noRow([ObjectID], changed: [String])
  /// It concerned the token, but together with the commits before it left everything as it was told.
  case asBefore(changed: [String])
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
}
