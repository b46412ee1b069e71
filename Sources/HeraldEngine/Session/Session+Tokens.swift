package import HeraldModel
package import HeraldObservation
package import HeraldQuery
import HeraldStorage
internal import Synchronization

extension Session {
  /// Registers an observer; `receiver` is called at the session's delivery points.
  package func observe(
    _ target: ObservedTarget, _ receiver: any ReportReceiver
  ) throws -> TokenID {
    try checkOpen()
    guard !isFrozen else { throw HeraldError.cannotObserve("what is frozen") }
    if let write = writing.open, write.hasChanged { throw HeraldError.observeAfterChange }
    // It observes what changes from the session's version on.
    if observatory.isEmpty { try resume() }
    return observatory.register(target, receiver)
  }

  /// Whether an observer may have something to report of a commit, other than one of the store or of a property.
  package func isPending(_ token: TokenID) -> Bool { observatory.isPending(token) }

  /// Begins an observer of rows or groups at the session's version, in place of its first report; returns how many there
  /// are. Nil if it has begun already, or has none. O(rows).
  package func begin(_ token: TokenID) -> Int? { observatory.begin(token, standing) }

  /// Returns why the last commit did, or did not, notify a token.
  package func why(_ token: TokenID) throws -> DeliveryReason {
    try checkOpen()
    let newest = try stored { () throws(StorageError) in try hub.environment.committedVersion() }
    if newest > version, observatory.isLive(token) { return .notRefreshed(newestVersion: newest) }
    return observatory.why(token, standing)
  }

  /// Returns how a token is kept up to date; nil for a dead one.
  package func explanation(_ token: TokenID) throws -> TokenExplanation? {
    try checkOpen()
    return observatory.explanation(token, snapshot.schema)
  }

  /// Returns the objects in some rows of a token as of its last delivery; nil if it has no rows.
  package func objects(of token: TokenID, at positions: Range<Int>) -> [ObjectID]? {
    observatory.objects(of: token, at: positions, reader)
  }

  /// Returns the number of rows that a token keeps of its query, if these are what `query` finds at present; nil where it
  /// must be run. O(1).
  package func rowCount(of token: TokenID, _ query: BoundQuery) -> Int? {
    if writing.open == nil {
      resumeOnUse()
    } else if !query.reads.isEmpty || readStamp(of: query.dependencies).statement != 0 {
      return nil
    }
    return observatory.rowCount(of: token)
  }

  /// Returns the values of some groups of a token as of its last delivery; nil if it observes none.
  package func groups(of token: TokenID, at positions: Range<Int>) -> [[Value]]? {
    observatory.groups(of: token, at: positions)
  }

  /// Returns the values in some rows of a token on a nested list; nil for others, and before its first
  /// report. O(rows · log n).
  package func values(of token: TokenID, at positions: Range<Int>) -> [Value]? {
    guard let list = observatory.nestedCollection(of: token), list.classID == .nestedLists else {
      return nil
    }
    return positions.clamped(to: 0..<reader.listCount(.elements, of: list)).map {
      reader.listElement(.elements, of: list, at: $0)
    }
  }

  /// Returns the value of a key of a token on a nested map; nil for others, and before its first report.
  /// O(log n).
  package func value(of token: TokenID, forKey key: String) -> Value? {
    observatory.nestedCollection(of: token).flatMap {
      reader.mapValue(forKey: key, .elements, of: $0)
    }
  }

  /// Passes the reports that the last commit silenced to their handlers.
  func notifySilenced() {
    for (handler, report) in observatory.takeSilencedReports() { handler(report) }
  }

  /// Returns the primary key of an object, even if it was deleted, as long as the log has the commit that did; its number
  /// if the class has no key.
  package func key(of object: ObjectID) -> Value {
    guard let key = schema.classSchema(object.classID)?.primaryKey else {
      return .int(object.number)
    }
    if reader.exists(object) { return reader.value(key.id, of: object) }
    return delivery.deletedKeys[object] ?? observatory.lastKey(of: object) ?? loggedKey(of: object)
      ?? .null
  }

  /// Returns what happened to an object in the changes being delivered; nil outside of deliveries.
  package func fate(of object: ObjectID) -> ObjectFate? {
    isDelivering ? observatory.fate(of: object, standing) : nil
  }

  /// Returns what fields read of an object before the changes being delivered; nothing outside of deliveries.
  package func previousContents(
    of fields: [ProjectionField], of object: ObjectID
  ) -> [NamedContent] {
    isDelivering ? observatory.previousContents(of: fields, of: object, standing) : []
  }

  /// Returns the fields that the changes being delivered make read something else of an object; none outside of
  /// deliveries.
  package func changes(
    of fields: [ProjectionField], of object: ObjectID
  ) -> [DynamicPropertyChange] {
    isDelivering ? observatory.changes(of: fields, of: object, standing) : []
  }

  /// Returns for which changed objects a row counts as modified in the changes being delivered; none
  /// outside of deliveries.
  package func changes(reachedFrom row: ObjectID) -> [ReachedChange] {
    isDelivering ? observatory.changes(reachedFrom: row, standing) : []
  }
}

/// The tokens that any thread has released, until their session invalidates them.
package final class DroppedTokens: Sendable {
  private let tokens = Mutex<[TokenID]>([])
  /// Whether there may be any released tokens: without a lock, since every turn reads it.
  private let mayHold = Atomic(false)

  package func note(_ token: TokenID) {
    tokens.withLock { $0.append(token) }
    mayHold.store(true, ordering: .releasing)
  }

  /// Whether `take` may return any.
  var mayBeAny: Bool { mayHold.load(ordering: .acquiring) }

  func take() -> [TokenID] {
    guard mayHold.load(ordering: .acquiring) else { return [] }
    mayHold.store(false, ordering: .relaxed)
    return tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
  }
}
