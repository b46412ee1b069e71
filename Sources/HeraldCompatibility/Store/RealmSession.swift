import Herald

/// What Realm's names need of a session beside the store: its configuration, and the transactions that wait for their turn.
final class RealmSession {
  /// What the session was opened with; nil where it was opened as a store.
  var configuration: Realm.Configuration?
  /// The transaction whose block runs, and whether it is to be committed.
  var current: (id: AsyncTransactionId, isCommitted: Bool)?
  private var last: AsyncTransactionId = 0
  private var waiting: Set<AsyncTransactionId> = []
  private var completions: [AsyncTransactionId: ((any Error)?) -> Void] = [:]

  /// That of a store's session.
  static func of(_ store: Store) -> RealmSession {
    if let session = store.companion as? RealmSession { return session }
    let session = RealmSession()
    store.companion = session
    return session
  }

  var hasTransactions: Bool { !waiting.isEmpty }

  func waits(_ id: AsyncTransactionId) -> Bool { waiting.contains(id) }

  func beginTransaction(_ onComplete: (((any Error)?) -> Void)?) -> AsyncTransactionId {
    last += 1
    waiting.insert(last)
    completions[last] = onComplete
    return last
  }

  func commitCurrent(_ onComplete: (((any Error)?) -> Void)?) {
    guard let id = current?.id else { return }
    current?.isCommitted = true
    if let onComplete { completions[id] = onComplete }
  }

  /// Returns what is to be called at the end of a transaction.
  func endTransaction(_ id: AsyncTransactionId) -> (((any Error)?) -> Void)? {
    waiting.remove(id)
    return completions.removeValue(forKey: id)
  }
}
