package import HeraldModel
package import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Registers an observer; `handler` is called at the session's delivery points.
  package func observe(
    _ target: ObservedTarget, _ handler: @escaping (Report) throws -> Void
  ) throws -> TokenID {
    try checkOpen()
    guard !isFrozen else { throw HeraldError.cannotObserve("what is frozen") }
    if case .open(let write) = writing, write.hasChanged { throw HeraldError.observeAfterChange }
    return observatory.register(target, handler)
  }

  /// Stops an observer; it is not called any more. Twice does nothing.
  package func invalidate(_ token: TokenID) { observatory.invalidate(token) }

  /// Why the last commit did, or did not, reach a token.
  package func why(_ token: TokenID) throws -> DeliveryReason {
    try checkOpen()
    let newest = try stored { () throws(StorageError) in try hub.environment.committedVersion() }
    if newest > version, isLive(token) { return .notRefreshed(newestVersion: newest) }
    return observatory.why(token, standing)
  }

  /// What stands behind a token; nil for one that is dead.
  package func explanation(_ token: TokenID) throws -> TokenExplanation? {
    try checkOpen()
    return observatory.explanation(token, snapshot.schema)
  }

  /// The objects in some rows of a token, as it was told last; nil where it knows none.
  package func objects(of token: TokenID, at positions: Range<Int>) -> [ObjectID]? {
    observatory.objects(of: token, at: positions, reader)
  }

  /// Calls `handler` with what each write without notifying an observer keeps from it, inside of that
  /// write's commit.
  package func onSilenced(_ token: TokenID, _ handler: @escaping (Report) -> Void) {
    observatory.onSilenced(token, handler)
  }

  /// Of the commit that was just made.
  func tellSilenced() {
    for (handler, report) in observatory.takeSilencedReports() { handler(report) }
  }

  /// The values in some rows of a token on a list inside a value, as it was told last; nil for others.
  package func values(of token: TokenID, at positions: Range<Int>) -> [Value]? {
    observatory.values(of: token, at: positions)
  }

  /// Likewise the value of a key of a map inside a value.
  package func value(of token: TokenID, forKey key: String) -> Value? {
    observatory.value(of: token, forKey: key)
  }

  /// Whether an observer's first call is still to come.
  package func awaitsInitial(_ token: TokenID) -> Bool { observatory.awaitsInitial(token) }

  package func isLive(_ token: TokenID) -> Bool { observatory.isLive(token) }

  /// The primary key of an object, also of one deleted in what is being delivered or in the last commit;
  /// its number where the class has none.
  package func key(of object: ObjectID) -> Value {
    guard let key = schema.classSchema(object.classID)?.primaryKey else {
      return .int(object.number)
    }
    if reader.exists(object) { return reader.value(key.id, of: object) }
    return graveyard[object] ?? observatory.lastKey(of: object) ?? .null
  }

  /// What became of an object in what is being delivered; nil outside of deliveries.
  package func fate(of object: ObjectID) -> ObjectFate? {
    isDelivering ? observatory.fate(of: object, standing) : nil
  }
}
